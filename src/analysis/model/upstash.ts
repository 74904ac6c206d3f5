import { each } from './members.ts';
import { lowerCaseCommands, queued } from './redis-commands.ts';
import type { Library, Member } from './schema.ts';

/** What it does not have of Redis, and `bitfield`, which is a builder here. */
const MISSING = new Set(
  (
    'auth bitfield blmove blmpop blpop brpop brpoplpush bzmpop bzpopmax bzpopmin dump expiretime fcall info lcs move ' +
    'pexpiretime restore rpoplpush sort spublish wait xsetid zdiff zinter zintercard zmpop zrandmember zrangebylex ' +
    'zrangebyscore zrangestore'
  ).split(' '),
);
const known = Object.entries(lowerCaseCommands).filter(([name]) => !MISSING.has(name));

/** Over HTTP nobody waits for work, so none of them is a source of it. */
const commands: Readonly<Record<string, Member>> = Object.fromEntries(
  known.map(([name, { effect, ...rest }]) => {
    const { work, ...answered } = effect!;
    return [name, { ...rest, effect: answered }];
  }),
);
const pipeline: Member = { returns: 'Pipeline' };

/** Each command is an HTTP request; those of one tick go out as one, unless `enableAutoPipelining` is off. */
export const upstash: Library = {
  name: '@upstash/redis',
  modules: ['', '/nodejs', '/cloudflare', '/fastly'].map((it) => `@upstash/redis${it}`),
  verifiedWith: '1.39.0',
  exports: { Redis: { type: 'RedisStatic', construct: { returns: 'Redis' } } },
  types: {
    RedisStatic: { members: each('fromEnv', { returns: 'Redis' }) },
    Redis: {
      role: 'client',
      concurrency: 'pipelined',
      members: { ...commands, ...each('pipeline multi', pipeline) },
    },
    Pipeline: {
      role: 'builder',
      members: {
        ...queued(Object.fromEntries(known)),
        exec: { returns: 'Promise<any>', effect: { env: 'redis', op: 'sync' } },
      },
    },
  },
};
