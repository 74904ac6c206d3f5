import type { TSESTree } from '@typescript-eslint/utils';
import type { Node } from '../../src/analysis/syntax/ast.ts';
import { isFunction } from '../../src/analysis/syntax/ast.ts';
import type { FileFacts } from '../../src/analysis/file/file.ts';
import { callsOf, receiverOf, siblingsOf, statementAround } from './syntax.ts';

/** Statements that run while a connection is out, or a transaction open. */
export interface Held {
  readonly block: TSESTree.BlockStatement;
  /** What the connection is called there. */
  readonly handle: string;
  /** The pool, or another object that runs queries on its own connection, as written. */
  readonly outer: string;
  /** Undefined where the block is the callback of a transaction. */
  readonly guard: Guarded | undefined;
}

/** `const client = await pool.connect(); try { … } finally { client.release(); }`. */
export interface Guarded {
  readonly acquire: TSESTree.VariableDeclaration;
  readonly statement: TSESTree.TryStatement;
  readonly release: TSESTree.Statement;
  /** What is released, as written. */
  readonly handle: string;
}

/** Tries whose `finally` releases the connection declared before them. */
export function* guardedIn(file: FileFacts): Generator<Guarded> {
  for (const statement of file.nodes.all('TryStatement')) {
    const release = statement.finalizer?.body.find((it) =>
      /\.(?:release|done|endSession)\(/.test(file.textOf(it)),
    );
    if (!release) continue;
    const call = callsOf(file, 'release', 'done', 'endSession').find(
      (it) => statementAround(it) === release,
    );
    // `pool.release(socket)` names what comes back as its argument.
    const given: Node | undefined = call?.arguments[0] ?? (call && receiverOf(call));
    const siblings = siblingsOf(statement);
    const acquire = siblings
      .slice(0, siblings.indexOf(statement))
      .findLast(
        (it) =>
          it.type === 'VariableDeclaration' &&
          it.declarations.some(({ id }) => given && file.textOf(id) === file.textOf(given)),
      );
    // A session that holds a lock is kept on purpose.
    const isHeldOnPurpose = /advisory/.test(file.textOf(statement));
    if (!given || acquire?.type !== 'VariableDeclaration' || isHeldOnPurpose) continue;
    yield { acquire, statement, release, handle: file.textOf(given) };
  }
}

const scopes = ['$transaction', 'transaction', 'begin', 'tx', 'execute'];

/** Guarded connections, and callbacks of transactions. */
export function* heldIn(file: FileFacts): Generator<Held> {
  for (const guard of guardedIn(file)) {
    const taken = /await (\w+(?:\.\w+)*)\.(?:connect|getConnection)\(\)/.exec(
      file.textOf(guard.acquire),
    );
    const { block } = guard.statement;
    if (taken) yield { block, handle: guard.handle, outer: taken[1]!, guard };
  }
  for (const call of callsOf(file, ...scopes)) {
    const callback = call.arguments.find((it) => isFunction(it));
    const [handle] = callback?.params ?? [];
    const receiver = receiverOf(call);
    if (!callback?.async || callback.body.type !== 'BlockStatement' || !handle || !receiver)
      continue;
    // Kysely's `db.transaction().execute(…)`.
    const pool = file.textOf(receiver).replace(/\.transaction\(\)$/, '');
    // TypeORM's data source has a manager of its own.
    const outer = file.textOf(handle) === 'manager' ? `${pool}.manager` : pool;
    yield { block: callback.body, handle: file.textOf(handle), outer, guard: undefined };
  }
}

/** The statements of a block that wait for a query on the connection, other than those that begin and end a transaction. */
export function queriesIn(file: FileFacts, { block, handle }: Held): readonly TSESTree.Statement[] {
  return block.body.filter((it) => {
    const text = file.textOf(it);
    const isOnHandle = new RegExp(`await (?:${handle}\\b|.*\\{ ${handle} \\})`, 's').test(text);
    return (
      isOnHandle && !/['"`](?:begin|commit|set |create temp)|Transaction\(\)|\.commit\(/i.test(text)
    );
  });
}
