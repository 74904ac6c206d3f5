import { each } from './members.ts';
import { lowerCaseCommands, queued } from './redis-commands.ts';
import type { Library, Member } from './schema.ts';

/** Over HTTP nobody waits for work, so none of them is a source of it. */
const commands: Readonly<Record<string, Member>> = Object.fromEntries(
  Object.entries(lowerCaseCommands).map(([name, { effect, ...rest }]) => {
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
        ...queued(lowerCaseCommands),
        exec: { returns: 'Promise<any>', effect: { env: 'redis', op: 'sync' } },
      },
    },
  },
};
