import { query } from '../../engine/query.ts';
import { bare, isFunction, type Node, propertyName } from '../syntax/ast.ts';
import { type Call, calleeOf } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import type { Region } from '../../engine/regions.ts';

/** What is a connection, lends one or runs on one. */
const THINGS =
  'amqp|channel|client|conn|database|\\bdb|db\\b|driver|knex|mikro|mongo|\\bpg|pg\\b|pool|postgres|prisma|redis|runner|' +
  'sequelize|session|source|transaction|trx';

/** What code that deals with connections says in the names of its functions and objects. */
const WORDS =
  `${THINGS}|acquire|atomic|begin|checkout|\\bem\\b|lease|manager|\\bopen|\\borm|prepare|reserve|sql|\\bunit(?:\\b|of)|\\buow|` +
  // `withTx`, but not `ctx`
  '\\btx|[^\\Wc]txn?\\b';

const named = new RegExp(WORDS, 'i');

/**
 * The calls of a unit whose names are those of connections: `pool.connect()`, `this.db.open()`, `new Client()`. A function that
 * returns or creates a connection contains one; resolving all other calls would read half the project.
 */
export function callsNamedLikeConnectionsIn(file: FileFacts, unit: Region): readonly Call[] {
  return callsNamedSo(file, unit.node, unit);
}

const callsNamedSo = query(
  'calls named like connections',
  (_: FileFacts, __: Node, { all }: Region): readonly Call[] => {
    const answers = new Map<string, boolean>();
    const known = new Map<Node, boolean>();
    const isNamed = (call: Call): boolean => {
      const { names, before } = namesOf(call, known);
      let answer = answers.get(names);
      if (answer === undefined) answers.set(names, (answer = named.test(names)));
      answer ||= before !== undefined && known.get(before)!;
      known.set(call, answer);
      return answer || isNamedLikeQueue(call) || isGivenUser(call);
    };
    const calls = all('CallExpression', 'NewExpression', 'TaggedTemplateExpression');
    // From the inner ones outwards: each link of a chain says what those before it say, and more.
    return calls.toReversed().filter(isNamed).reverse();
  },
  { whileCyclic: [], keyOf: () => '' },
);

/** Whether the name of a call shows it. */
export function isNamedLikeConnection(call: Call): boolean {
  return named.test(namesOf(call, new Map()).names) || isNamedLikeQueue(call) || isGivenUser(call);
}

/** `new Queue('mails', …)`, `queueFor('mails')`: what makes one, and not each call of its methods. */
function isNamedLikeQueue(call: Call): boolean {
  const callee = bare(calleeOf(call));
  return callee.type === 'Identifier' && QUEUE.test(callee.name);
}

const QUEUE = /queue|producer/i;

/** `work.run(async (client) => …)`, `claims.withLocked(id, async (claim, manager) => …)`: the function that is passed says what it is to be given. */
function isGivenUser(call: Call): boolean {
  if (call.type === 'TaggedTemplateExpression') return false;
  return call.arguments.some(
    (it) =>
      isFunction(it) &&
      it.params.some((parameter) => parameter.type === 'Identifier' && named.test(parameter.name)),
  );
}

/** What a call says beyond the call before it in the chain, where that one is known. */
function namesOf(
  call: Call,
  known: ReadonlyMap<Node, boolean>,
): { readonly names: string; readonly before: Node | undefined } {
  const names: string[] = [];
  let it: Node | undefined = calleeOf(call);
  while (it && !known.has(it)) it = namedBefore(it, names);
  return { names: names.join('.'), before: it };
}

/** The object of a member, the callee of a call; their own names go to `names`. */
function namedBefore(node: Node, names: string[]): Node | undefined {
  const it = bare(node);
  switch (it.type) {
    case 'Identifier':
      names.push(it.name);
      return undefined;
    case 'MemberExpression':
      names.push(propertyName(it) ?? '');
      return it.object;
    case 'CallExpression':
    case 'NewExpression':
      return it.callee;
    case 'AwaitExpression':
      return it.argument;
    default:
      return undefined;
  }
}

/** Every text with a call named like a connection matches it. */
export const connectionCall = new RegExp(
  `(?:${WORDS})[\\w$]*` + // `pool`
    `(?:\\s*[!?]*\\.\\s*[#\\w$]+){0,9}` + // `.primary!.writer`
    `\\s*(?:\\?\\.\\s*)?(?:<[^;()]{0,200}>\\s*)?\\(`, // `<Rows>(`
  'i',
);

/** `sql` within a word is mostly about statements. */
const MADE = `${THINGS}|cluster|kysely|neon|orm\\b|sql\\b`;

/** May make a connection or a pool: `new Pool()`, `createConnection()`, `connect()`, `knex(config)`, `database({ … })`. */
export const connectionMaker = new RegExp(
  `\\b(?:new\\s+|create|init|make|open|setup|start)[\\w$.]{0,60}(?:${MADE})` +
    `|\\b(?:connect|open|acquire|reserve)\\s*\\(` +
    `|\\b(?:drizzle|knex|mongo|mysql|neon|pg|postgres|sequelize|sql)\\w*\\s*\\(` +
    `|\\b(?:${MADE})[\\w$]*\\(\\s*(?:[{'"\`]|process\\.env)`,
  'i',
);
