import { withoutMark } from '../../src/project/files.ts';
import { createModules } from '../../src/project/modules.ts';
import { isFailure, sourceOf } from '../../src/scan/parse.ts';
import { createScanner, type FileResult } from '../../src/scan/scan.ts';
import { filesOf } from '../../test/fakes/files.ts';
import { everywhere } from '../robustness/examination.ts';
import { faultsOf } from '../robustness/faults.ts';
import { applied, type Edit } from '../../tools/random-edits.ts';

/** One file of a project in memory, and what is typed into it. */
export interface Program {
  /** From the project's root. */
  readonly path: string;
  readonly text: string;
  /** The texts of the other files, by path. */
  readonly beside: Readonly<Record<string, string>>;
  readonly edit: Edit;
}

const root = '/project';

/** What must not be, of an analysis of the program and of another one after the edit; one line each. */
export function faultsIn({ path, text, beside, edit }: Program): readonly string[] {
  const known = withoutMark(text);
  const after = applied(known, edit);
  try {
    const first = analysisOf(path, { ...beside, [path]: known });
    const result = first.scan(known);
    const textOf = (it: string) => (it === first.path ? known : beside[it.slice(root.length + 1)]);
    const again = analysisOf(path, { ...beside, [path]: known }).scan(known);
    const faults = [
      ...crashesIn(result),
      ...faultsOf(result.problems, textOf),
      ...difference('another analysis', result, again),
    ];
    // Moves what the findings before have taken of the tree.
    const warm = first.scan(after);
    const cold = analysisOf(path, { ...beside, [path]: after }).scan(after);
    return [
      ...faults,
      ...crashesIn(cold),
      ...difference('a cold analysis after an edit', cold, warm),
    ];
  } catch (error) {
    return [`threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`];
  }
}

/** As in an editor: the text is not saved, and the tree of the previous text may be reused. */
function analysisOf(path: string, texts: Readonly<Record<string, string>>) {
  const modules = createModules({
    root,
    files: filesOf(root, texts),
    parse(text, it, all, previous) {
      const source = sourceOf(text, it, { modules: () => all, previous });
      return isFailure(source) ? undefined : source;
    },
  });
  const scanner = createScanner({ rules: everywhere, profile: 'audit', modules });
  const absolute = `${root}/${path}`;
  return {
    path: absolute,
    scan(text: string): FileResult {
      modules.overlay(absolute, text);
      return scanner.scan(text, absolute, { isNamed: true });
    },
  };
}

function crashesIn({ notices }: FileResult): readonly string[] {
  return notices.filter((it) => it.reason === 'rule-failure').map((it) => it.message);
}

function difference(what: string, expected: FileResult, actual: FileResult): readonly string[] {
  const [one, two] = [expected, actual].map((it) => JSON.stringify(it));
  if (one === two) return [];
  const ofRules = (all: FileResult) => all.problems.map(({ finding }) => JSON.stringify(finding));
  const differing = [
    ...ofRules(expected).filter((it) => !ofRules(actual).includes(it)),
    ...ofRules(actual).filter((it) => !ofRules(expected).includes(it)),
  ];
  return [`${what} finds something else: ${differing[0] ?? 'the same, shown in another way'}`];
}
