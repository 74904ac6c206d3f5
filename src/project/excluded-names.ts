const testInfixes = ['test', 'spec', 'e2e', 'e2e-spec'];
const infixes = [
  ...testInfixes,
  ...['bench', 'benchmark'],
  ...['stories', 'story', 'mock', 'generated'],
  ...['bak', 'old', 'orig'],
];

const testFolders = [
  ...['test', 'tests', '_test', '_tests', '__tests__', 'doctests', 'spec', 'specs', 'e2e'],
  ...['integration-tests', 'load-tests', 'cypress'],
];
const folders = [
  ...testFolders,
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

/** Helpers of tests in the same folders as the code. */
const names = ['test-setup', 'test-util', 'test-utils', 'test-helper', 'test-helpers'];

/** Copies of the sources as they once were: `src-backup`, `api_src.bak`. What makes backups is mostly `backup` alone. */
const copied = ['backup', 'bak', 'old', 'orig', 'copy'];

/** Copies of a file next to their replacement, in capitals: `report_OLD2.js`. `delete-old.js` deletes old data. */
const superseded = ['OLD', 'BAK', 'BACKUP'];

/** Copies of a date and a time, however they are called: `phase-1_20250929_210545`. */
const MOMENT = ['20[0-9][0-9][01][0-9][0-3][0-9]', '[0-2][0-9][0-5][0-9][0-5][0-9]'] as const;

/**
 * Files in which waiting costs no user anything, for hosts that take globs: tests and their helpers, benchmarks, stories,
 * migrations, seeds, generated code and copies of code.
 */
export const excludedGlobs: readonly string[] = [
  ...infixes.map((infix) => `**/*.${infix}.*`),
  ...names.map((name) => `**/${name}.*`),
  ...folders.map((folder) => `**/${folder}/**`),
  ...testing.flatMap((folder) => [`**/${folder}/**`, `**/*-${folder}/**`]),
  ...copied.flatMap((it) => [`**/src[-_.]${it}/**`, `**/*[-_]src[-_.]${it}/**`]),
  ...superseded.flatMap((it) => [`**/*[-_]${it}.*`, `**/*[-_]${it}[0-9].*`]),
  `**/*${MOMENT.join('[-_]')}/**`,
];

const testFolderNames: ReadonlySet<string> = new Set(testFolders);
const testFileName = new RegExp(
  `(?:\\.(?:${testInfixes.join('|')})|^(?:${names.join('|')}))\\.[^.]+$`,
  'i',
);
const folderNames: ReadonlySet<string> = new Set(folders);
const testingFolder = new RegExp(`(?:^|-)(?:${testing.join('|')})$`, 'i');
const copiedFolder = new RegExp(
  `(?:^|[-_])src[-_.](?:${copied.join('|')})$|${MOMENT.join('[-_]')}$`,
  'i',
);
const fileName = new RegExp(
  `(?:\\.(?:${infixes.join('|')})|^(?:${names.join('|')}))\\.[^.]+$`,
  'i',
);

const supersededName = new RegExp(`[-_](?:${superseded.join('|')})[0-9]?\\.[^.]+$`);

/** Of these, whether it is a test or a helper of tests: what a test runner runs. */
export function isTestName(name: string): boolean {
  return (
    testFolderNames.has(name.toLowerCase()) || testingFolder.test(name) || testFileName.test(name)
  );
}

/** Whether a file or folder, by its own name, is one of those that `excludedGlobs` leave out. */
export function isExcludedName(name: string): boolean {
  return (
    folderNames.has(name.toLowerCase()) ||
    testingFolder.test(name) ||
    copiedFolder.test(name) ||
    fileName.test(name) ||
    supersededName.test(name)
  );
}
