import { setTimeout } from 'node:timers/promises';
import type { TypeAnswers, TypeQuestions } from '../src/project/type-memory.ts';
import { installedTypes, type StartTypes } from '../src/project/typescript/provider.ts';
import type { PathText } from '../src/project/typescript/messages.ts';
import type { FileAnalysis, Order } from './analysis/messages.ts';
import type { Asked } from './analysis/thread.ts';
import type { Sheets } from './documents.ts';

/** The type checker of the workspace, which sees the texts of the sheets. */
export interface SheetTypes {
  answersTo(questions: readonly TypeQuestions[]): Promise<readonly TypeAnswers[]>;
  changed(paths: readonly string[] | 'all'): void;
  end(): void;
}

export function sheetTypes(
  sheets: Pick<Sheets, 'all'>,
  options: { onFailure(reason: string): void; readonly start?: StartTypes | undefined },
): SheetTypes {
  const { start, onFailure } = options;
  const provider = installedTypes({ onFailure, ...(start ? { start } : {}) });
  /** The revisions that the checker has. */
  const seen = new Map<string, number>();
  return {
    answersTo: (questions) => provider.answersTo(questions, editsSince()),
    changed: (paths) => provider.changed(paths),
    end: () => provider.end(),
  };

  function editsSince(): readonly PathText[] {
    const present = sheets.all().filter((it) => it.isOnDisk);
    const edits = present
      .filter((it) => seen.get(it.path) !== it.revision)
      .map((it): PathText => [it.path, it.text()]);
    const paths = new Set(present.map((it) => it.path));
    const closed = [...seen.keys()].filter((it) => !paths.has(it));
    for (const it of closed) seen.delete(it);
    for (const it of present) seen.set(it.path, it.revision);
    return [...edits, ...closed.map((it): PathText => [it, undefined])];
  }
}

/** Answers lead to further questions; after this many times, those stay open. */
const ROUNDS = 3;
/** While the user types, the checker would work in vain. */
const PAUSE_MS = 50;

export interface Refinement {
  readonly path: string;
  readonly types: SheetTypes;
  /** Whether the text has not changed since its analysis. */
  isWanted(): boolean;
  ask(order: Order): Asked['answer'];
}

/** What a file's analysis comes to with the types that it asks for; undefined where that is nothing new, or too late. */
export async function refined(
  first: FileAnalysis,
  { path, types, isWanted, ask }: Refinement,
): Promise<FileAnalysis | undefined> {
  let analysis = first;
  if (analysis.questions.length > 0) await setTimeout(PAUSE_MS, undefined, { ref: false });
  if (!isWanted()) return undefined;
  for (let round = 0; round < ROUNDS && analysis.questions.length > 0; round++) {
    const { questions } = analysis;
    const answers = await types.answersTo(questions);
    if (!isWanted()) return undefined;
    const answer = await ask({ kind: 'refine', path, questions, answers });
    if (!isWanted()) return undefined;
    if (answer.kind !== 'analysed') break;
    analysis = answer.analysis;
  }
  return isSame(analysis, first) ? undefined : analysis;
}

function isSame(a: FileAnalysis, b: FileAnalysis): boolean {
  return JSON.stringify(a.problems) === JSON.stringify(b.problems);
}
