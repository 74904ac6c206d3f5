const infixes = [
  ...['test', 'spec', 'e2e', 'e2e-spec', 'bench', 'benchmark'],
  ...['stories', 'story', 'mock', 'generated'],
];

const folders = [
  ...[
    'test',
    'tests',
    '_test',
    '_tests',
    '__tests__',
    'doctests',
    'spec',
    'specs',
    'e2e',
    'integration-tests',
    'cypress',
  ],
  ...[
    'mocks',
    '__mocks__',
    'fixtures',
    '__fixtures__',
    'bench',
    'benches',
    'benchmark',
    'benchmarks',
  ],
  ...['stories', 'migrations', 'seeds', 'seeders', 'seed-data', 'generated', '__generated__'],
];

/** Folders of what only tests use, also as the end of a longer name: `realm-test-harness`. */
const testing = ['test-harness', 'test-helpers', 'test-support', 'test-utils'];

/** Helpers of tests that lie beside the code. */
const names = ['test-setup', 'test-util', 'test-utils', 'test-helper', 'test-helpers'];

/**
 * Files in which waiting costs no user anything, for hosts that take globs: tests and their helpers, benchmarks, stories,
 * migrations, seeds and generated code.
 */
export const excludedGlobs: readonly string[] = [
  ...infixes.map((infix) => `**/*.${infix}.*`),
  ...names.map((name) => `**/${name}.*`),
  ...folders.map((folder) => `**/${folder}/**`),
  ...testing.flatMap((folder) => [`**/${folder}/**`, `**/*-${folder}/**`]),
];

const folderNames: ReadonlySet<string> = new Set(folders);
const testingFolder = new RegExp(`(?:^|-)(?:${testing.join('|')})$`, 'i');
const fileName = new RegExp(
  `(?:\\.(?:${infixes.join('|')})|^(?:${names.join('|')}))\\.[^.]+$`,
  'i',
);

/** Whether a file or folder, by its own name, is one of those that `excludedGlobs` leave out. */
export function isExcludedName(name: string): boolean {
  return folderNames.has(name.toLowerCase()) || testingFolder.test(name) || fileName.test(name);
}
