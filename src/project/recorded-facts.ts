import type { DeclaredFunction } from '../analysis/file/declared.ts';
import { functionFrom, functionNamed } from './declared-functions.ts';
import { hashOf } from './file-state.ts';
import { entriesOf, field, type Json, jsonOf, stringField } from './json.ts';
import type { Mistake } from './mistake.ts';

/** In the root of a repository: what agents, people and runs have answered about functions that Deadtime cannot follow. */
export const FACTS_FILE = 'deadtime.facts.json';

/** What one function does. */
export interface RecordedFact {
  /** Of the text of a function of the project, as `hashOfFunction` computes it. */
  readonly hash?: string;
  /** Of the package whose function it is. */
  readonly version?: string;
  /** In the order in which they were given. */
  readonly answers: readonly RecordedAnswer[];
}

const answerers = ['agent', 'person', 'run'] as const;
export type Answerer = (typeof answerers)[number];

export interface RecordedAnswer {
  readonly said: DeclaredFunction;
  readonly by: Answerer;
  /** Answers of agents in one session are one opinion. */
  readonly session?: string;
  /** `2026-11-29` */
  readonly date: string;
}

/** By `src/rates.ts#Rates.latest`, with a path relative to the root, or `rates-sdk#createClient.latest`. */
export type RecordedFacts = ReadonlyMap<string, RecordedFact>;

/** White space does not count, so that a formatter changes no fact. */
export function hashOfFunction(text: string): string {
  return hashOf(text.replace(/\s+/g, ''));
}

export interface Standing {
  readonly said: DeclaredFunction;
  /** A person, a run or a second session gives this answer. */
  readonly isConfirmed: boolean;
}

/** The answer that applies: the last one of a person. Undefined where those of agents and runs differ. */
export function standingOf({ answers }: RecordedFact): Standing | undefined {
  const ofPerson = answers.findLast((it) => it.by === 'person');
  if (ofPerson) return { said: ofPerson.said, isConfirmed: true };
  const [first, ...others] = answers;
  if (!first || others.some((it) => contentOf(it.said) !== contentOf(first.said))) return undefined;
  const sessions = new Set(answers.map(({ session }) => session));
  const isConfirmed = sessions.size > 1 || answers.some(({ by }) => by === 'run');
  return { said: first.said, isConfirmed };
}

/** The content of an answer, as JSON has it. */
function contentOf({ effect, acquires, releases }: DeclaredFunction): string {
  const written = typeof effect === 'object' ? `${effect.env}.${effect.op}` : effect;
  return JSON.stringify({ effect: written, acquires, releases });
}

/** The facts in the text of a file; `mistakes` are its invalid parts, each with what to write instead. */
export function recordedFactsFrom(text: string): {
  readonly facts: RecordedFacts;
  readonly mistakes: readonly Mistake[];
} {
  const json = jsonOf(text);
  const facts = new Map<string, RecordedFact>();
  const mistakes: Mistake[] = [];
  if (json === undefined) mistakes.push({ at: [], text: 'it is no JSON.' });
  for (const [id, it] of entriesOf(field(json, 'facts'))) {
    const fact = factFrom(it, id, mistakes);
    if (fact) facts.set(id, fact);
  }
  return { facts, mistakes };
}

function factFrom(json: Json, id: string, mistakes: Mistake[]): RecordedFact | undefined {
  const key = functionNamed(id)?.isOfFile ? 'hash' : 'version';
  const of = stringField(json, key);
  const given = field(json, 'answers');
  const answers = (Array.isArray(given) ? given : []).flatMap(
    (it) => answerFrom(it, id, mistakes) ?? [],
  );
  if (of !== undefined && answers.length > 0) return { [key]: of, answers };
  const text = `${JSON.stringify(id)} needs "${key}" and at least one of "answers".`;
  mistakes.push({ at: ['facts', id], text });
  return undefined;
}

function answerFrom(json: Json, id: string, mistakes: Mistake[]): RecordedAnswer | undefined {
  const { by, session, date, ...content } = Object.fromEntries(entriesOf(json));
  const origin = answerers.find((it) => it === by);
  const said = functionFrom(content, { at: ['facts', id], place: id }, mistakes);
  if (!origin || Object.keys(said).length === 0) return undefined;
  return {
    ...{ said, by: origin, date: typeof date === 'string' ? date : '' },
    ...(typeof session === 'string' && { session }),
  };
}

/** The text of a file with these facts, in the order of their names. */
export function textOfFacts(facts: RecordedFacts): string {
  const byName = [...facts].sort(([a], [b]) => (a < b ? -1 : 1));
  const written = byName.map(([id, { answers, ...of }]) => [
    id,
    {
      ...of,
      answers: answers.map(({ said, ...origin }) => ({
        ...(JSON.parse(contentOf(said)) as object),
        ...origin,
      })),
    },
  ]);
  return `${JSON.stringify({ version: 1, facts: Object.fromEntries(written) }, undefined, 2)}\n`;
}
