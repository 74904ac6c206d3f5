import { createInterface } from 'node:readline/promises';
import { once } from 'node:events';
import type { Making, Needs } from '../proof/case.ts';
import type { Lending } from '../proof/servers/database.ts';
import { labelOf } from '../proof/servers/label.ts';
import { newName } from '../proof/servers/lent/names.ts';
import { type Survey, surveyOf } from '../proof/servers/lent/survey.ts';
import { oneConnection } from '../proof/servers/one-connection.ts';
import { kindOfUrl, withoutPassword } from '../proof/servers/url.ts';
import { visibleLines } from '../report/visible.ts';
import { UsageError } from './failure.ts';

/**
 * What the cases create in the database that the user has named: prints it, and asks, unless `yes` is set. Throws a
 * `UsageError` where the answer is no, or there is no terminal for the question. Undefined where no case uses a database, or
 * the server does not answer: then the results contain the reason.
 */
export async function lendingOf(
  text: string | undefined,
  needs: readonly Needs[],
  { yes = false }: { readonly yes?: boolean | undefined },
): Promise<Lending | undefined> {
  const named = namedDatabase(text);
  if (named === undefined) return undefined;
  const { kind, url } = named;
  const asking = needs.filter((it) => it.databases?.includes(kind));
  if (asking.length === 0) return undefined;
  const makes = [...new Set(asking.flatMap((it) => it.makes ?? []))];
  const lending = { name: newName(), makes };
  let server: { readonly label: string; readonly survey: Survey };
  try {
    const label = await labelOf(kind, url.href);
    server = { label, survey: await oneConnection(kind, url.href, (it) => surveyOf(kind, it)) };
  } catch {
    return lending;
  }
  process.stderr.write(`${visibleLines(textOf(url, server, lending))}\n`);
  if (!yes && !(await isWanted())) throw new UsageError('Nothing was measured.');
  return lending;
}

/** Throws a `UsageError` where `text` names no database. */
export function namedDatabase(text: string | undefined) {
  const named = text === undefined ? undefined : kindOfUrl(text);
  if (named && 'message' in named) throw new UsageError(`--database-url: ${named.message}.`);
  return named;
}

function textOf(
  url: URL,
  { label, survey }: { readonly label: string; readonly survey: Survey },
  { name, makes }: Lending,
): string {
  const { free, most, sessions } = survey;
  const others = sessions === 1 ? '1 other session' : `${sessions} other sessions`;
  const database = decodeURIComponent(url.pathname.slice(1)) || "the user's own";
  return [
    `deadtime: ${withoutPassword(url)}`,
    `  is ${label} on ${url.host}, database ${database}, with ${others}.`,
    `  Deadtime measures there, with at most ${most} of ${free} free connections.`,
    ...makes.map((it) => `  ${madeText[it](name, url.protocol)}`),
    '  Deadtime drops what it created when it ends, also after an interrupt; after a crash, the next proof drops it.',
  ].join('\n');
}

const madeText: Readonly<Record<Making, (name: string, protocol: string) => string>> = {
  tables: (name, protocol) =>
    `Deadtime creates a ${protocol.startsWith('postgres') ? 'schema' : 'database'} ${name} with its own tables.`,
  role: (name) =>
    `Deadtime creates a role ${name}, which may only connect, with a random password that expires after 5 minutes.`,
};

async function isWanted(): Promise<boolean> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) {
    throw new UsageError(
      'Nothing was measured, because there is no terminal for the question. --yes skips the question.',
    );
  }
  const question = createInterface({ input: stdin, output: stderr });
  const answer = await Promise.race([
    // Ctrl-C is an error of the question, and Ctrl-D leaves it without an answer.
    question.question('Go on? [y/N] ').catch(() => ''),
    once(question, 'close').then(() => ''),
  ]);
  question.close();
  return /^y(?:es)?$/i.test(answer.trim());
}
