import { each } from './members.ts';
import type { Member } from './schema.ts';

/** Commands by what they do, as node-redis spells them: docs/internals/rules.md, "Reads, writes and waits". Others are not modelled. */
const READS =
  'get mGet getRange getBit bitCount bitPos strLen exists ttl pTTL expireTime pExpireTime type keys randomKey dbSize ' +
  'hGet hmGet hGetAll hKeys hLen hVals hExists hStrLen hRandField hScan hTTL hpTTL ' +
  'lRange lLen lIndex lPos sMembers sIsMember smIsMember sCard sRandMember sScan sDiff sInter sInterCard sUnion ' +
  'zRange zRangeByScore zRangeByLex zScore zmScore zCard zCount zLexCount zRank zRevRank zRandMember zScan ' +
  'zDiff zInter zInterCard zUnion scan xLen xRange xRevRange xPending pfCount geoDist geoHash geoPos geoSearch ' +
  'objectEncoding objectFreq memoryUsage lcs dump sortRo info time ping echo';
const WRITES =
  'set setEx setNX pSetEx getDel getEx getSet mSet mSetNX append setRange setBit bitOp bitField ' +
  'incr incrBy incrByFloat decr decrBy del unlink touch expire pExpire expireAt pExpireAt persist rename renameNX ' +
  'copy move restore sort hSet hSetNX hDel hIncrBy hIncrByFloat hExpire hpExpire hGetDel hGetEx hSetEx ' +
  'lPush lPushX rPush rPushX lSet lRem lTrim lInsert sAdd sRem sMove sDiffStore sInterStore sUnionStore ' +
  'zAdd zIncrBy zRem zRemRangeByRank zRemRangeByScore zRemRangeByLex zRangeStore zInterStore zUnionStore zDiffStore ' +
  'xAdd xAck xDel xTrim xClaim xAutoClaim xSetId pfAdd pfMerge geoAdd geoSearchStore publish sPublish ' +
  'flushDb flushAll';
/** Take the next element, or say at once that there is none. */
const TAKES =
  'lPop lPopCount rPop rPopCount lmPop sPop zPopMin zPopMinCount zPopMax zPopMaxCount zmPop lMove rPopLPush';
/** Take the next element, and may wait for it. */
const WAITING_TAKES =
  'blPop brPop blmPop blMove brPopLPush bzPopMin bzPopMax bzmPop xRead xReadGroup';
/** Scripts may do anything, and the rest orders what others do. */
const SYNC = 'eval evalSha fCall wait auth xGroupCreate xGroupDestroy xGroupSetId';
/** Commands of more than one word are called otherwise by ioredis: `object('ENCODING', key)`. */
const WORDY = /^(?:object|memory|xGroup)[A-Z]|Ro$|(?:Pop|Min|Max)Count$/;

type Commands = Readonly<Record<string, Member>>;

function commands(spelled: (names: string) => string): Commands {
  return {
    ...each(spelled(READS), {
      returns: 'Promise<any>',
      effect: { env: 'redis', op: 'read', key: 0 },
    }),
    ...each(spelled(WRITES), {
      returns: 'Promise<any>',
      effect: { env: 'redis', op: 'write', key: 0 },
    }),
    ...each(spelled(TAKES), {
      returns: 'Promise<any>',
      effect: { env: 'redis', op: 'write', key: 0, work: true },
    }),
    ...each(spelled(WAITING_TAKES), {
      returns: 'Promise<any>',
      effect: { env: 'redis', op: 'sync', work: true },
    }),
    ...each(spelled(SYNC), { returns: 'Promise<any>', effect: { env: 'redis', op: 'sync' } }),
  };
}

/** node-redis offers `hGet` and `HGET`. */
export const camelCaseCommands: Commands = {
  ...commands((names) => names),
  ...commands((names) => spellings(names, (name) => name.toUpperCase())),
};

/** ioredis: all lower case. */
export const lowerCaseCommands: Commands = commands((names) =>
  spellings(names, (name) => name.toLowerCase()),
);

function spellings(names: string, spelling: (name: string) => string): string {
  return names
    .split(/\s+/)
    .filter((name) => !WORDY.test(name))
    .map(spelling)
    .join(' ');
}

/** The same commands in a pipeline or transaction, where they only queue up. */
export function queued(all: Commands): Commands {
  return each(Object.keys(all).join(' '), { returns: 'this' });
}
