import { each, withDefault } from './members.ts';
import type { Effect, Library, LibraryType } from './schema.ts';

const run: Effect = { env: 'proc', op: 'unknown' };
const immediate: Effect = { env: 'proc', op: 'unknown', sync: true };

const childProcess = withDefault({
  ...each('exec execFile', {
    effect: run,
    callback: { at: 'last', params: ['error', undefined, undefined] },
  }),
  ...each('spawn fork', { returns: 'Child', effect: run }),
  ...each('execSync execFileSync spawnSync', { effect: immediate }),
});
/** Whoever listens to one starts nothing. */
const started: Readonly<Record<string, LibraryType>> = {
  Child: { members: each('stdin stdout stderr stdio', { type: 'Stream' }), anyMember: {} },
  Stream: { anyMember: {} },
};
const execa = withDefault({
  ...each('execa execaCommand execaNode $', { returns: 'Promise<any>', effect: run }),
  ...each('execaSync execaCommandSync', { effect: immediate }),
});

const crossSpawn = withDefault(
  { spawn: { returns: 'Child', effect: run }, sync: { effect: immediate } },
  { call: { returns: 'Child', effect: run } },
);

/** Other processes, started and waited for. */
export const processes: readonly Library[] = [
  {
    name: 'child_process',
    modules: ['child_process'],
    verifiedWith: '20.20.2',
    exports: childProcess.exports,
    types: { Namespace: childProcess.namespace, ...started },
  },
  {
    name: 'execa',
    modules: ['execa'],
    verifiedWith: '9.6.1',
    exports: execa.exports,
    types: { Namespace: execa.namespace },
  },
  {
    name: 'simple-git',
    modules: ['simple-git', 'simple-git/promise'],
    verifiedWith: '4.0.2',
    exports: {
      simpleGit: { returns: 'SimpleGit' },
      ...each('gitP default', { returns: 'SimpleGit', until: '3' }),
    },
    types: {
      SimpleGit: {
        members: each('env customBinary outputHandler', { returns: 'this' }),
        memberPatterns: [[/^[a-z]/, { returns: 'Promise<any>', effect: run }]],
      },
    },
  },
  {
    name: 'cross-spawn',
    modules: ['cross-spawn'],
    verifiedWith: '7.0.6',
    exports: crossSpawn.exports,
    types: { Namespace: crossSpawn.namespace, ...started },
  },
];
