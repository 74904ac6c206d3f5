import { type DatabaseKind, type Loan, MissingComponent } from '../../case.ts';
import { oneConnection } from '../one-connection.ts';
import { sessionsAtWork, surveyOf } from './survey.ts';

/** The result of a keeper's preparation; plain data, for the process that runs a benchmark. */
export interface LoanTerms {
  /** The name of the schema, the role and the sessions. */
  readonly name: string;
  /** The rights that this user lacks for a schema. */
  readonly lacks?: string;
}

/** Connections that do not measure: the keeper's, and that of the survey. */
const OURS = 2;

/** The server's errors when it has no connection left: for all users, for this user, for this database. */
const limitCodes: ReadonlySet<unknown> = new Set([
  '53300',
  'ER_CON_COUNT_ERROR',
  'ER_TOO_MANY_USER_CONNECTIONS',
  'ER_USER_LIMIT_REACHED',
]);

/** One run's part of a server of the user's. */
export function loanAt(
  { kind, url }: { readonly kind: DatabaseKind; readonly url: string },
  { name, lacks }: LoanTerms,
): Loan {
  let most: Promise<number> | undefined;
  let allowed = 0;
  let taken = 0;
  let refusal: string | undefined;

  const assertQuiet = () => assertNobodyAtWork(kind, url);
  const refuse = (why: string): never => {
    refusal ??= why;
    throw new MissingComponent([{ what: refusal }]);
  };

  return {
    name,
    schema() {
      if (lacks === undefined) return name;
      throw new MissingComponent([{ what: `the right to create a schema there: ${lacks}` }]);
    },
    async begin() {
      most ??= assertQuiet().then(async () => (await surveyed(kind, url)).most - OURS);
      allowed = await most;
    },
    take(many) {
      if (taken + many > allowed) {
        refuse(`more than ${Math.max(0, allowed)} connections, the limit: half of the free ones`);
      }
      taken += many;
    },
    giveBack(many) {
      taken -= many;
    },
    note(error) {
      const { code, message } = error as { code?: unknown; message?: string };
      if (limitCodes.has(code)) {
        refusal ??= `more connections than the server had left: it refused one ("${message}"), so the measurement is not valid`;
      }
    },
    assertKept() {
      if (refusal !== undefined) refuse(refusal);
    },
    assertQuiet,
  };
}

async function surveyed(kind: DatabaseKind, url: string) {
  try {
    return await oneConnection(kind, url, (query) => surveyOf(kind, query));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new MissingComponent([
      { what: `a server that reports how many connections are free: ${why}` },
    ]);
  }
}

async function assertNobodyAtWork(kind: DatabaseKind, url: string): Promise<void> {
  const many = await oneConnection(kind, url, (query) => sessionsAtWork(kind, query));
  if (many < 1) return;
  const active =
    Math.round(many) === 1
      ? '1 session of other users is'
      : `${Math.round(many)} sessions of other users are`;
  const what = `a quiet server: ${active} active, so its times are not valid`;
  throw new MissingComponent([{ what }]);
}
