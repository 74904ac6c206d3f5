import type { TSESTree } from '@typescript-eslint/utils';
import type { Node } from '../../../src/analysis/syntax/ast.ts';
import type { FileFacts } from '../../../src/analysis/file/file.ts';
import { endsAt, rangeOf, startsAt } from '../../../src/analysis/syntax/places.ts';
import { guardedIn } from '../held.ts';
import {
  insertedAfter,
  insertedBefore,
  type Mutations,
  type RuleMutations,
  removed,
  replaced,
  seedAt,
} from '../seed.ts';
import {
  awaitedDeclaration,
  callsOf,
  endedText,
  receiverName,
  statementAround,
} from '../syntax.ts';

const mutations: Mutations = {
  *'drops the release'(file) {
    for (const { statement, release } of guardedIn(file)) yield seedAt(statement, removed(release));
    for (const { acquire, release } of callbackReleases(file)) {
      yield seedAt(acquire, removed(release));
    }
  },

  *'moves the release out of finally'(file) {
    for (const { statement, release } of guardedIn(file)) {
      const { block, handler } = statement;
      const last = block.body.at(-1)!;
      const text = endedText(file, release);
      const returned: Node | null = last.type === 'ReturnStatement' ? last.argument : null;
      yield seedAt(
        statement,
        returned
          ? replaced(last, `const result = ${file.textOf(returned)}; ${text} return result;`)
          : insertedAfter(last, `\n${text}`),
        // Without `catch`, nothing is left that a `try` could be for.
        ...(handler ? [] : [replaced(headOf(statement), '{')]),
        removed(finallyOf(file, statement)),
      );
    }
  },

  *'leaves early before the try'(file) {
    for (const { statement, acquire } of guardedIn(file)) {
      // What connects with its first query holds nothing before that.
      const before = file.text.slice(startsAt(acquire), startsAt(statement));
      if (!/\bawait\b|startSession/.test(before)) continue;
      const guard = 'if (!process.env.ENABLED) return;';
      yield seedAt(statement, insertedBefore(statement, `${guard} `));
    }
  },

  *'works before the try'(file) {
    for (const { statement } of guardedIn(file)) {
      const [first, ...rest] = statement.block.body;
      if (!first || rest.length === 0 || !/^(?:await|const .* = await) /.test(file.textOf(first)))
        continue;
      const moved = insertedBefore(statement, `${endedText(file, first)} `);
      yield seedAt(statement, moved, removed(first));
    }
  },

  *'releases twice'(file) {
    for (const { acquire, statement, release } of guardedIn(file)) {
      // Only a client of pg throws when it comes back twice; the others allow it.
      const last = statement.block.body.at(-1);
      if (!isPgClient(file, acquire) || !last || last.type === 'ReturnStatement') continue;
      yield seedAt(statement, insertedAfter(last, `\n${endedText(file, release)}`));
    }
  },

  *'queries after the release'(file) {
    for (const { statement, handle } of guardedIn(file)) {
      const { body } = statement.block;
      // After a `try` that always leaves, nothing runs.
      if (body.at(-1)?.type === 'ReturnStatement') continue;
      const query = body.find((it) => isQueryOn(file, it, handle));
      if (query) yield seedAt(statement, insertedAfter(statement, `\n${endedText(file, query)}`));
    }
  },

  *'closes what it has to give back'(file) {
    for (const { acquire, statement, release, handle } of guardedIn(file)) {
      if (!isPgClient(file, acquire)) continue;
      yield seedAt(statement, replaced(release, `await ${handle}.end();`));
    }
  },

  *'loses the connection when a query fails'(file) {
    for (const { acquire, release, test } of callbackReleases(file)) {
      if (!test) continue;
      yield seedAt(acquire, removed(release), insertedAfter(test, `\n${endedText(file, release)}`));
    }
  },

  *'leaves the rollback out'(file) {
    for (const call of callsOf(file, 'rollback')) {
      const statement = statementAround(call);
      const name = receiverName(call);
      if (!statement || !name || statement.parent?.parent?.type !== 'CatchClause') continue;
      // With a `finally`, other code releases the connection.
      const guard = statement.parent.parent.parent as TSESTree.TryStatement;
      if (!guard.finalizer) yield seedAt(call, removed(statement));
    }
  },

  *'leaves a response unread'(file) {
    for (const call of callsOf(file, 'fetch')) {
      const declared = awaitedDeclaration(call);
      if (declared?.id.type !== 'Identifier') continue;
      const { name } = declared.id;
      const read = callsOf(file, 'json').find(
        (it) => receiverName(it) === name && startsAt(it) > startsAt(call),
      );
      if (read?.parent.type === 'AwaitExpression') {
        yield seedAt(call, replaced(read.parent, `{ ok: ${name}.ok } as never`));
      }
    }
  },
};

export default {
  mutations,
  options: { unconsumedBody: true },
  inFixtures: true,
} satisfies RuleMutations;

/** `done();` or `connection.release();` as the first thing in a query's callback, and the test of its error after it. */
function* callbackReleases(file: FileFacts) {
  for (const call of callsOf(file, 'done', 'release')) {
    const release = call.parent;
    if (release.type !== 'ExpressionStatement') continue;
    const block = release.parent;
    if (block.type !== 'BlockStatement' || block.body[0] !== release) continue;
    if (block.parent.type !== 'ArrowFunctionExpression' || block.parent.params.length < 2) continue;
    const acquire = callsOf(file, 'connect', 'getConnection').findLast(
      (it) => startsAt(it) < startsAt(call) && endsAt(call) <= endsAt(it),
    );
    const next = block.body[1];
    const test = next?.type === 'IfStatement' ? next : undefined;
    if (acquire) yield { acquire, release, test };
  }
}

function isQueryOn(file: FileFacts, statement: Node, handle: string): boolean {
  return (
    statement.type === 'ExpressionStatement' &&
    file.textOf(statement).startsWith(`await ${handle}.query(`)
  );
}

/** `await pool.connect()` is how only pg has it here. */
function isPgClient(file: FileFacts, acquire: Node): boolean {
  return file.textOf(acquire).includes('await pool.connect()');
}

/** `finally {…}`: the keyword has no node of its own. */
function finallyOf(file: FileFacts, { finalizer }: TSESTree.TryStatement) {
  const [start, end] = rangeOf(finalizer!);
  return { range: [file.text.lastIndexOf('finally', start), end] } as const;
}

/** `try {`, up to and with the brace. */
function headOf(statement: TSESTree.TryStatement) {
  return { range: [startsAt(statement), startsAt(statement.block) + 1] } as const;
}
