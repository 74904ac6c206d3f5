import { readFileSync, writeFileSync } from 'node:fs';
import type { Mutant } from './mutants.ts';

const list = 'scripts/mutants/unproved.txt';

const head = `# Written by \`npm run test:vetoes -- --write\`: conditions in facts/ without which no fixture fails yet.
# The test fails for any other, and for one of these that a fixture does prove: the list only gets shorter.
`;

/** What the list says and what is, apart from each other. */
export interface Difference {
  /** No fixture fails without them, and they are not on the list. */
  readonly added: readonly Mutant[];
  /** Lines of the list that a fixture proves by now, or that are gone. */
  readonly outdated: readonly string[];
}

/** Compares the survivors of the files that `isJudged` names with the list. */
export function differenceTo(
  survivors: readonly Mutant[],
  isJudged: (path: string) => boolean,
): Difference {
  const listed = readFileSync(list, 'utf8')
    .split('\n')
    .filter((it) => it !== '' && !it.startsWith('#') && isJudged(it.split('  ')[0]!));
  const added = survivors.filter((it) => {
    const index = listed.indexOf(lineOf(it));
    if (index !== -1) listed.splice(index, 1);
    return index === -1;
  });
  return { added, outdated: listed };
}

export function writeUnproved(survivors: readonly Mutant[]): void {
  writeFileSync(list, head + survivors.map((it) => `${lineOf(it)}\n`).join(''));
}

/** Without its line, which every edit above it moves. */
function lineOf({ path, veto }: Mutant): string {
  return `${path.replaceAll('\\', '/')}  ${veto.replaceAll(/\s+/g, ' ')}`;
}
