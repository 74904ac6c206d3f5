import { FACTS_FILE, type Outcome, type Question } from '../scan/questions.ts';
import { counted } from './counts.ts';
import { shownPath } from './path.ts';
import { visible, visibleLines } from './visible.ts';

/** What became of the answer about a function. */
export type NamedOutcome = { readonly id: string } & Outcome;

/** So many questions are asked at a time, and of each function so many lines are shown. */
const MOST_QUESTIONS = 20;
const MOST_LINES = 40;

const howToAnswer = [
  'State what a call waits for, as WHAT.HOW: db, redis, http, dns, fs, queue, email, proc, cpu, timer or lock; read or write.',
  '`none`: it waits for nothing outside the process. `acquires:pg.PoolClient`: its caller must release the result.',
  'Answer only what the code or the documentation of the package shows. A wrong answer misleads, an open question does no harm.',
];

/** For an agent or a person: the functions that cannot be followed, with their texts, and how to answer. */
export function questionsText(questions: readonly Question[], cwd: string): string {
  const shown = questions.slice(0, MOST_QUESTIONS);
  const rest = questions.length - shown.length;
  if (shown.length === 0) return 'There is no function that an answer could settle.\n';
  const awaits = questions.reduce((sum, it) => sum + it.awaits, 0);
  return `${[
    `${counted(questions.length, 'function')} that Deadtime cannot follow hide ${counted(awaits, 'await')}.`,
    ...howToAnswer,
    "Record answers with: deadtime coverage --answer 'ID=http.read'",
    ...shown.flatMap(({ id, awaits: count, subject }) => [
      '',
      `## ${visible(id)}`,
      `hides ${counted(count, 'await')}; ${visible(shownPath(subject.path, cwd))}:${subject.at.line}`,
      '```ts',
      excerptOf(subject.text),
      '```',
    ]),
    ...(rest > 0 ? ['', `${counted(rest, 'more function')}: answer these first.`] : []),
  ].join('\n')}\n`;
}

function excerptOf(text: string): string {
  const lines = visibleLines(text).split('\n');
  return lines.length <= MOST_LINES
    ? lines.join('\n')
    : [...lines.slice(0, MOST_LINES), '…'].join('\n');
}

/** The same as JSON. */
export function questionsJson(questions: readonly Question[], cwd: string): string {
  const report = {
    version: 1,
    howToAnswer,
    total: questions.length,
    questions: questions.slice(0, MOST_QUESTIONS).map(({ id, awaits, subject }) => ({
      ...{ id, awaits, file: shownPath(subject.path, cwd), line: subject.at.line },
      text: excerptOf(subject.text),
    })),
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/** A line for each answer. */
export function outcomesText(outcomes: readonly NamedOutcome[]): string {
  return outcomes.map((it) => `${visible(it.id)}: ${sentenceOf(it)}\n`).join('');
}

function sentenceOf(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'confirmed':
      return `recorded in ${FACTS_FILE}; it applies in each profile.`;
    case 'recorded':
      return `recorded in ${FACTS_FILE}; until a second session or a person confirms it, only the profiles strict and audit use it.`;
    case 'disputed':
      return `recorded in ${FACTS_FILE}; it differs from an earlier answer, so that neither applies until a person decides.`;
    case 'refused':
      return `not recorded: ${outcome.reason}.`;
  }
}

export function outcomesJson(outcomes: readonly NamedOutcome[]): string {
  const answers = outcomes.map((it) => ({
    id: it.id,
    outcome: it.kind,
    message: sentenceOf(it),
  }));
  return `${JSON.stringify({ version: 1, answers }, undefined, 2)}\n`;
}
