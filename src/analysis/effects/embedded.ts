import type { FileFacts } from '../file/file.ts';
import { valueOf } from '../provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import { walk, type Node } from '../syntax/ast.ts';
import { argumentsOf, isCall } from '../syntax/calls.ts';
import { optionOf } from '../values/pool-limits.ts';
import type { LibraryValue } from '../file/value.ts';

/** As mappers name it, also where it is part of a phone. */
const ENGINE = /sqlite|^(?:sql\.?js|react-native|expo|nativescript|cordova|capacitor)$/i;

/**
 * Whether a mapper or query builder is proved to be created for SQLite, which has no server: its statements run in this
 * process, without a round trip, and mostly one at a time, for all callers. Without proof of its database, the drivers of the
 * package decide: those of the code that creates it, or those of its `user`.
 */
export function isEmbedded(source: LibraryValue, user = source.origin?.file): boolean {
  const { library, origin, type } = source;
  // no veto: spares the questions.
  if (type.role !== 'orm') return false;
  const engine = engineOf(source);
  if (engine !== undefined) return engine === 'sqlite';
  return (
    library.isGivenDriver === true &&
    [origin?.file, user].some((it) => it?.modules?.deploymentOf(it.path).hasOnlySqlite)
  );
}

/** Undefined where only run time knows. */
function engineOf(source: LibraryValue): 'sqlite' | 'other' | undefined {
  const { origin } = source;
  // no veto: it is not made in sight.
  if (!origin || !isCall(origin.node)) return undefined;
  return engineAt(origin.file, origin.node, source);
}

const engineAt = query(
  'database engine',
  (_: FileFacts, __: Node, source: LibraryValue): 'sqlite' | 'other' | undefined => {
    const option = source.type.pool?.engineOption;
    const engine = option ? optionOf(source, option) : undefined;
    const values = engine?.alternatives ?? [engine?.value];
    if (values.every((it) => typeof it === 'string' && ENGINE.test(it))) return 'sqlite';
    if (isGivenSqlite(source) || isSchemaForSqlite(source)) return 'sqlite';
    return values.some((it) => typeof it === 'string') ? 'other' : undefined;
  },
  { whileCyclic: undefined, keyOf: () => '' },
);

/** `new Sequelize('sqlite::memory:')`, `new Kysely({ dialect: new SqliteDialect({ database }) })`. */
function isGivenSqlite({ origin }: LibraryValue): boolean {
  // no veto: the caller has looked.
  if (!origin || !isCall(origin.node)) return false;
  let isGiven = false;
  for (const argument of argumentsOf(origin.node)) {
    walk(argument, (it) => {
      if (it.type === 'Literal') isGiven ||= /^sqlite:/.test(String(it.value));
      else if (/^(?:Identifier|MemberExpression|NewExpression|CallExpression)$/.test(it.type)) {
        const value = valueOf(origin.file, it);
        isGiven ||= value.kind === 'library' && value.library.engine === 'sqlite';
      }
      return !isGiven;
    });
  }
  return isGiven;
}

/** `new PrismaClient()` beside a schema for SQLite. Its adapters may lead to servers: those of D1 and Turso do. */
function isSchemaForSqlite({ library, origin }: LibraryValue): boolean {
  // no veto: the caller has looked.
  if (!origin || !library.hasSchemaFile) return false;
  const { file, node } = origin;
  const isAdapted = /\badapter\b/.test(file.textOf(node));
  return !isAdapted && file.source.modules?.deploymentOf(file.path).prisma === 'sqlite';
}
