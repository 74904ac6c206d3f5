const infixes = [
  ...['test', 'spec', 'e2e', 'e2e-spec', 'bench', 'benchmark'],
  ...['stories', 'story', 'mock', 'generated'],
];

const folders = [
  ...['test', 'tests', '__tests__', 'spec', 'specs', 'e2e', 'cypress'],
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
  ...['stories', 'migrations', 'seeds', 'seeders', 'generated', '__generated__'],
];

/**
 * Files in which waiting costs no user anything, for hosts that take globs: tests and their helpers, benchmarks, stories,
 * migrations, seeds and generated code.
 */
export const excludedGlobs: readonly string[] = [
  ...infixes.map((infix) => `**/*.${infix}.*`),
  ...folders.map((folder) => `**/${folder}/**`),
];

const folderNames: ReadonlySet<string> = new Set(folders);
const fileName = new RegExp(`\\.(?:${infixes.join('|')})\\.[^.]+$`, 'i');

/** Whether a file or folder, by its own name, is one of those that `excludedGlobs` leave out. */
export function isExcludedName(name: string): boolean {
  return folderNames.has(name.toLowerCase()) || fileName.test(name);
}
