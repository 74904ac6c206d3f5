// vetoes of no-sequential-independent-awaits
import { walk } from './ast.ts';
import { argumentsOf, isCall } from './calls.ts';
import { optionOf } from './pool-limits.ts';
import type { LibraryValue } from './value.ts';

const ENGINE = /sqlite|^sqljs$/i;

/**
 * Whether a mapper or query builder is seen to be made for SQLite, which has no server: its statements run in this process,
 * without a round trip, and mostly one after another, whoever has begun them.
 */
export function isEmbedded(source: LibraryValue): boolean {
  const { origin, type } = source;
  // no veto: spares the question, and narrows the type.
  if (!origin || type.role !== 'orm' || !isCall(origin.node)) return false;
  const { file, node } = origin;
  return file.remember<boolean>(
    file.keyFor(node, '=embedded'),
    () => {
      const option = type.pool?.engineOption;
      const engine = option && optionOf(source, option)?.value;
      return (
        (typeof engine === 'string' && ENGINE.test(engine)) ||
        isGivenSqlite(source) ||
        isPrismaForSqlite(source)
      );
    },
    false,
  );
}

/** `new Sequelize('sqlite::memory:')`, `new Kysely({ dialect: new SqliteDialect({ database }) })`. */
function isGivenSqlite({ origin }: LibraryValue): boolean {
  // no veto: the caller has looked.
  if (!origin || !isCall(origin.node)) return false;
  let isGiven = false;
  for (const argument of argumentsOf(origin.node)) {
    walk(argument, (it) => {
      if (it.type === 'Literal') isGiven ||= /^sqlite:/.test(String(it.value));
      else if (/^(?:Identifier|MemberExpression|NewExpression|CallExpression)$/.test(it.type)) {
        const value = origin.file.valueOf(it);
        isGiven ||= value.kind === 'library' && /sqlite/.test(value.library.name);
      }
      return !isGiven;
    });
  }
  return isGiven;
}

/** `new PrismaClient()` beside a schema for SQLite. Its adapters may lead to servers: those of D1 and Turso do. */
function isPrismaForSqlite({ library, origin }: LibraryValue): boolean {
  // no veto: the caller has looked.
  if (!origin || library.name !== '@prisma/client') return false;
  const { file, node } = origin;
  const isAdapted = /\badapter\b/.test(file.textOf(node));
  return !isAdapted && file.source.modules?.deploymentOf(file.path).prisma === 'sqlite';
}
