import { each, withDefault } from './members.ts';
import type { Effect, Library, Member } from './schema.ts';

const READS = 'access lstat readFile readdir readlink realpath stat statfs opendir glob';
const WRITES =
  'appendFile chmod chown lchown lutimes mkdir mkdtemp rm rmdir truncate unlink utimes writeFile';
/** Each touches two paths, so no one argument names what is touched. */
const WRITES_TO_TWO = 'copyFile cp link rename symlink';
const DESCRIPTOR_READS = 'read readv fstat';
const DESCRIPTOR_WRITES = 'write writev close fchmod fchown fdatasync fsync ftruncate futimes';

const read: Effect = { env: 'fs', op: 'read', key: 0, threadPool: 'fs' };
const write: Effect = { env: 'fs', op: 'write', key: 0, threadPool: 'fs' };
/** `open` reads or creates, as its flags say. */
const open: Effect = { env: 'fs', op: 'unknown', key: 0, threadPool: 'fs' };
const unkeyed: Effect = { env: 'fs', op: 'write', threadPool: 'fs' };

function sync(names: string): string {
  return names.replaceAll(/\S+/g, '$&Sync');
}

function blocking({ env, op, key }: Effect): Member {
  return { effect: { env, op, sync: true, ...(key === undefined ? {} : { key }) } };
}

const withError = { callback: { at: 'last', params: ['error', undefined] } } as const;
const callbacks: Readonly<Record<string, Member>> = {
  ...each(READS, { effect: read, ...withError }),
  ...each(WRITES, { effect: write, ...withError }),
  ...each(WRITES_TO_TWO, { effect: unkeyed, ...withError }),
  ...each(DESCRIPTOR_READS, { effect: { env: 'fs', op: 'read', threadPool: 'fs' }, ...withError }),
  ...each(DESCRIPTOR_WRITES, { effect: unkeyed, ...withError }),
  exists: { effect: read, callback: { at: 'last', params: [undefined] } },
  open: { effect: open, ...withError },
};

const synchronous: Readonly<Record<string, Member>> = {
  ...each(sync(`${READS} exists`), blocking(read)),
  ...each(sync(WRITES), blocking(write)),
  ...each(sync(`${WRITES_TO_TWO} ${DESCRIPTOR_WRITES}`), blocking(unkeyed)),
  ...each(sync(DESCRIPTOR_READS), blocking({ env: 'fs', op: 'read' })),
  openSync: blocking(open),
};

const promised: Readonly<Record<string, Member>> = {
  ...each(READS, { returns: 'Promise<any>', effect: read }),
  ...each(WRITES, { returns: 'Promise<any>', effect: write }),
  ...each(WRITES_TO_TWO, { returns: 'Promise<any>', effect: unkeyed }),
  open: { returns: 'Promise<FileHandle>', effect: open },
  // The two below give something to iterate, not a promise.
  glob: { effect: read },
  watch: {},
};

const streams: Readonly<Record<string, Member>> = {
  createReadStream: { returns: 'Stream', effect: { ...read, sync: true } },
  createWriteStream: { returns: 'Stream', effect: { ...write, sync: true } },
};

/** What both the callback and the promise of fs-extra's functions do. */
function either(members: Readonly<Record<string, Member>>): Record<string, Member> {
  return Object.fromEntries(
    Object.entries(members).map(([name, { callback, ...member }]) => [
      name,
      {
        ...member,
        returns: 'Promise<any>',
        ...(callback ? { withCallback: { ...member, callback } } : {}),
      },
    ]),
  );
}

const node = withDefault({
  ...callbacks,
  ...synchronous,
  ...streams,
  promises: { type: 'fs/promises.Namespace' },
});
const nodePromises = withDefault(promised);

const EXTRA_READS = 'pathExists readJson readJSON';
const EXTRA_WRITES =
  'emptyDir emptydir ensureDir ensureFile createFile mkdirp mkdirs outputFile outputJson outputJSON remove writeJson writeJSON';
const EXTRA_WRITES_TO_TWO = 'copy move ensureLink createLink ensureSymlink createSymlink';
const extra = withDefault({
  ...either(callbacks),
  ...synchronous,
  ...streams,
  ...either(each(EXTRA_READS, { effect: read, ...withError })),
  ...either(each(EXTRA_WRITES, { effect: write, ...withError })),
  ...either(each(EXTRA_WRITES_TO_TWO, { effect: unkeyed, ...withError })),
  ...each(sync(EXTRA_READS), blocking(read)),
  ...each(sync(EXTRA_WRITES), blocking(write)),
  ...each(sync(EXTRA_WRITES_TO_TWO), blocking(unkeyed)),
});

const atomic = withDefault(
  { sync: blocking(write) },
  {
    call: {
      returns: 'Promise<any>',
      effect: write,
      withCallback: { effect: write, callback: { at: 'last', params: ['error'] } },
    },
  },
);

/** They look for a file in the folders above. */
const lookups: Readonly<Record<string, Member>> = {
  ...each('findUp findUpMultiple findDown', {
    returns: 'Promise<any>',
    effect: { env: 'fs', op: 'read', threadPool: 'fs' },
  }),
  ...each('findUpSync findUpMultipleSync findDownSync', blocking({ env: 'fs', op: 'read' })),
};

const handleRead: Member = {
  returns: 'Promise<any>',
  effect: { env: 'fs', op: 'read', threadPool: 'fs' },
};
const handleWrite: Member = { returns: 'Promise<any>', effect: unkeyed };

/** Files: all but watchers run on libuv's threads (docs/internals/rules.md, "Reads, writes and waits"), the `Sync` forms do not. */
export const fs: readonly Library[] = [
  {
    name: 'fs',
    modules: ['fs', 'graceful-fs'],
    verifiedWith: '20.20.2',
    exports: node.exports,
    types: { Namespace: node.namespace, Stream: {} },
  },
  {
    name: 'fs/promises',
    modules: ['fs/promises'],
    verifiedWith: '20.20.2',
    exports: nodePromises.exports,
    types: {
      Namespace: nodePromises.namespace,
      FileHandle: {
        members: {
          ...each('read readv readFile stat', handleRead),
          ...each(
            'appendFile chmod chown close datasync sync truncate utimes write writev writeFile',
            handleWrite,
          ),
        },
      },
    },
  },
  {
    name: 'fs-extra',
    modules: ['fs-extra', 'fs-extra/esm'],
    verifiedWith: '11.4.1',
    exports: extra.exports,
    types: { Namespace: extra.namespace, Stream: {} },
  },
  {
    name: 'write-file-atomic',
    modules: ['write-file-atomic'],
    verifiedWith: '8.0.0',
    exports: atomic.exports,
    types: { Namespace: atomic.namespace },
  },
  {
    name: 'find-up',
    modules: ['find-up'],
    verifiedWith: '8.0.0',
    exports: { ...lookups, default: { ...lookups['findUp'], until: '6' } },
    types: {},
  },
];
