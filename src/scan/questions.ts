import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { DeclaredFunction } from '../analysis/file/declared.ts';
import { functionFrom, functionNamed } from '../project/declared-functions.ts';
import type { Json } from '../project/json.ts';
import type { Mistake } from '../project/mistake.ts';
import {
  FACTS_FILE,
  hashOfFunction,
  type RecordedAnswer,
  type RecordedFact,
  type RecordedFacts,
  recordedFactsFrom,
  standingOf,
} from '../project/recorded-facts.ts';
import { regularText } from '../system/regular-file.ts';
import type { SubjectPlace } from './coverage.ts';
import type { CoveredFile } from './coverage-summary.ts';

export { FACTS_FILE };

/** What a function does that Deadtime cannot follow: an answer settles all awaits that it hides. */
export interface Question {
  /** `src/rates.ts#Rates.latest`, with a path relative to the repository, or `rates-sdk#createClient.latest`. */
  readonly id: string;
  readonly subject: SubjectPlace;
  /** How many awaits it hides. */
  readonly awaits: number;
}

/** Those that hide most come first; of as many, the names decide. */
export function questionsOf(files: readonly CoveredFile[], root: string): readonly Question[] {
  const questions = new Map<string, Question>();
  for (const { subject } of files.flatMap((it) => it.hidden)) {
    if (!subject) continue;
    const id = `${moduleName(subject, root)}#${subject.name}`;
    const awaits = (questions.get(id)?.awaits ?? 0) + 1;
    questions.set(id, { subject, ...questions.get(id), id, awaits });
  }
  return [...questions.values()].sort((a, b) => b.awaits - a.awaits || (a.id < b.id ? -1 : 1));
}

function moduleName({ module, path }: SubjectPlace, root: string): string {
  return module === path ? relative(root, path).split(sep).join('/') : module;
}

/** The environment variable that names the session of an agent; a server sets it for the commands that it runs. */
export const SESSION_VARIABLE = 'DEADTIME_SESSION';

/** The facts file has mistakes; the message states which. */
export class FactsError extends Error {}

/** The facts file of a repository. */
export function factsPath(root: string): string {
  return join(root, FACTS_FILE);
}

/** The recorded facts of a repository; none where it has no such file. Throws where the file has mistakes: none may be lost. */
export function recordedFactsIn(root: string): RecordedFacts {
  const path = factsPath(root);
  if (!existsSync(path)) return new Map();
  const { facts, mistakes } = recordedFactsFrom(regularText(path));
  const [first] = mistakes;
  if (first) throw new FactsError(`${path}: ${first.text} Fix it, or remove the file.`);
  return facts;
}

/** What became of an answer. */
export type Outcome =
  | { readonly kind: 'confirmed' | 'recorded' | 'disputed'; readonly fact: RecordedFact }
  | { readonly kind: 'refused'; readonly reason: string };

/** The fact with one more answer. An answer that the body of the function contradicts is refused; a later one of a session replaces its first. */
export function answered(
  { id, subject }: Question,
  answer: RecordedAnswer,
  known: RecordedFact | undefined,
): Outcome {
  const reason = subject.contradiction(answer.said);
  if (reason !== undefined) return { kind: 'refused', reason };
  const of = functionNamed(id)?.isOfFile
    ? { hash: hashOfFunction(subject.text) }
    : { version: subject.version ?? '' };
  // Answers about another text or another version are no longer of use.
  const isSame = known?.hash === of.hash && known?.version === of.version;
  const others = (isSame ? known!.answers : []).filter(
    ({ by, session }) => by !== answer.by || session !== answer.session,
  );
  const fact: RecordedFact = { ...of, answers: [...others, answer] };
  const standing = standingOf(fact);
  if (!standing) return { kind: 'disputed', fact };
  return { kind: standing.isConfirmed ? 'confirmed' : 'recorded', fact };
}

/** What `src/rates.ts#latest=http.read`, `…=none`, `…=acquires:pg.PoolClient` or `…=releases:client` states. */
export interface WrittenAnswer {
  readonly id: string;
  readonly said: DeclaredFunction;
}

/** Throws a `FactsError` that states what to write instead. */
export function writtenAnswer(text: string): WrittenAnswer {
  const at = text.lastIndexOf('=');
  const [id, content] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || !functionNamed(id)) {
    throw new FactsError(
      `${JSON.stringify(text)} is no answer. Write one such as "src/rates.ts#latest=http.read".`,
    );
  }
  const [verb, what] = content.split(':', 2);
  const json: Json = what === undefined ? { effect: content } : { [verb!]: what };
  const mistakes: Mistake[] = [];
  const said = functionFrom(json, { at: [], place: id }, mistakes);
  const [first] = mistakes;
  if (first) throw new FactsError(first.text);
  return { id, said };
}
