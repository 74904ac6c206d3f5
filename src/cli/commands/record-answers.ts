import { type Answerer, textOfFacts } from '../../project/recorded-facts.ts';
import type { NamedOutcome } from '../../report/questions.ts';
import {
  answered,
  FactsError,
  factsPath,
  type Question,
  recordedFactsIn,
  SESSION_VARIABLE,
  type WrittenAnswer,
  writtenAnswer,
} from '../../scan/questions.ts';
import { isAgentReading } from '../agent.ts';
import { UsageError } from '../failure.ts';
import { assertInside, writeFiles } from '../write-files.ts';

/** Throws a `UsageError` for what is no answer. */
export function parsedAnswer(text: string): WrittenAnswer {
  return orUsageError(() => writtenAnswer(text));
}

/**
 * Records the answers in the facts of the repository, with their origin: an agent where one runs the command, and else a person.
 * All agents on a command line are one opinion, because nothing distinguishes their sessions.
 */
export function recordAnswers(
  answers: readonly WrittenAnswer[],
  questions: readonly Question[],
  root: string,
): readonly NamedOutcome[] {
  const path = factsPath(root);
  assertInside(path, root);
  const facts = new Map(orUsageError(() => recordedFactsIn(root)));
  const session = process.env[SESSION_VARIABLE] ?? (isAgentReading() ? 'command-line' : undefined);
  const by: Answerer = session === undefined ? 'person' : 'agent';
  const date = new Date().toISOString().slice(0, 10);
  const outcomes = answers.map(({ id, said }): NamedOutcome => {
    const question = questions.find((it) => it.id === id);
    if (!question) {
      const reason = 'it hides no await here: ask for the questions, and name one of them';
      return { id, kind: 'refused', reason };
    }
    const origin = { by, date, ...(session !== undefined && { session }) };
    const outcome = answered(question, { said, ...origin }, facts.get(id));
    if (outcome.kind !== 'refused') facts.set(id, outcome.fact);
    return { id, ...outcome };
  });
  if (outcomes.some(({ kind }) => kind !== 'refused'))
    writeFiles([{ path, text: textOfFacts(facts), within: root }]);
  return outcomes;
}

function orUsageError<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof FactsError) throw new UsageError(error.message);
    throw error;
  }
}
