import type { TSESTree } from '@typescript-eslint/utils';
import { contains, isFunction, isLoop, type Node } from '../../../src/analysis/syntax/ast.ts';
import type { FileFacts } from '../../../src/analysis/file/file.ts';
import { startsAt } from '../../../src/analysis/syntax/places.ts';
import {
  imported,
  insertedAfter,
  insertedBefore,
  type Mutations,
  type RuleMutations,
  removed,
  replaced,
  seedAt,
} from '../seed.ts';
import {
  awaitedStatement,
  callsOf,
  endedText,
  ownNodes,
  quotedText,
  receiverName,
  receiverOf,
  routesIn,
  siblingsOf,
  statementAround,
} from '../syntax.ts';

const mutations: Mutations = {
  *'takes the connection inside the loop'(file) {
    for (const { statement, acquire, loop } of loopsOnOneConnection(file)) {
      const body = file.textOf(loop.body).slice(1, -1);
      const release = file.textOf(statement.finalizer!);
      const round = `${endedText(file, acquire)} try { ${body} } finally ${release}`;
      yield seedAt(statement, removed(acquire), replaced(statement, withBody(file, loop, round)));
    }
  },

  *'lets the pool run the queries of a loop'(file) {
    for (const { statement, acquire, loop, pool, handle } of loopsOnOneConnection(file)) {
      if (pool !== 'pool') continue;
      const body = file.textOf(loop.body).slice(1, -1).replaceAll(`${handle}.`, `${pool}.`);
      yield seedAt(statement, removed(acquire), replaced(statement, withBody(file, loop, body)));
    }
  },

  *'opens a connection of its own for a request'(file) {
    const clients = [
      {
        of: /import pg from 'pg'|from '\.\.\/db\.ts'/,
        receiver: 'pool',
        method: 'query',
        statement: "import { Client } from 'pg';",
        opened: 'const own = new Client(process.env.DATABASE_URL); await own.connect();',
        closed: 'await own.end();',
      },
      {
        of: /from '\.\.\/cache\.ts'/,
        receiver: 'cache',
        method: 'hGetAll',
        statement: "import { createClient } from 'redis';",
        opened: 'const own = createClient(); await own.connect();',
        closed: 'await own.close();',
      },
      {
        of: /from '\.\/db\.js'/,
        receiver: 'pool',
        method: 'query',
        statement: "import mysql from 'mysql2/promise';",
        opened: 'const own = await mysql.createConnection(process.env.DATABASE_URL);',
        closed: 'await own.end();',
      },
    ];
    for (const { of, receiver, method, statement, opened, closed } of clients) {
      if (!of.test(file.text)) continue;
      for (const call of callsOf(file, method)) {
        if (receiverName(call) !== receiver || !routesIn(file).some((it) => contains(it, call)))
          continue;
        const around = statementAround(call);
        if (!around || around.type === 'ReturnStatement') continue;
        yield seedAt(
          call,
          imported(file, statement),
          insertedBefore(around, `${opened} `),
          replaced(receiverOf(call)!, 'own'),
          insertedAfter(around, `\n${closed}`),
        );
      }
    }
  },

  *'learns of duplicates by an error'(file) {
    for (const call of callsOf(file, 'query')) {
      const [text] = call.arguments;
      const sql = quotedText(file, text);
      const statement = awaitedStatement(call);
      if (!sql?.includes(' on conflict do nothing') || !statement || receiverName(call) !== 'pool')
        continue;
      const query = endedText(file, statement).replace(' on conflict do nothing', '');
      const caught =
        "catch (error) { if ((error as { code?: string }).code !== '23505') throw error; }";
      yield seedAt(call, replaced(statement, `try { ${query} } ${caught}`));
    }
  },

  *'takes a connection for one query'(file) {
    for (const call of callsOf(file, 'query')) {
      if (receiverName(call) !== 'pool' || isInLoop(call)) continue;
      const around = statementAround(call);
      // The names that a declaration makes are needed after the `try`, too.
      if (around?.type !== 'ExpressionStatement') continue;
      const acquire = /getConnection/.test(file.text) ? 'getConnection' : 'connect';
      const query = endedText(file, around).replace('pool.', 'one.');
      yield seedAt(
        call,
        replaced(
          around,
          `const one = await pool.${acquire}(); try { ${query} } finally { one.release(); }`,
        ),
      );
    }
  },
};

export default { mutations } satisfies RuleMutations;

/** `const c = await pool.connect(); try { for (…) { await c.query(…); } } finally { c.release(); }`. */
function* loopsOnOneConnection(file: FileFacts) {
  for (const statement of file.nodes.all('TryStatement')) {
    const [loop] = statement.block.body;
    if (loop?.type !== 'ForOfStatement' || !statement.finalizer) continue;
    const siblings = siblingsOf(statement);
    const acquire = siblings[siblings.indexOf(statement) - 1];
    if (acquire?.type !== 'VariableDeclaration') continue;
    const [call] = ownNodes(acquire, 'CallExpression');
    const pool = call && receiverName(call);
    if (pool)
      yield { statement, acquire, loop, pool, handle: file.textOf(acquire.declarations[0]!.id) };
  }
}

function withBody(file: FileFacts, loop: TSESTree.ForOfStatement, body: string): string {
  return `${file.text.slice(startsAt(loop), startsAt(loop.body))}{ ${body} }`;
}

function isInLoop(node: Node): boolean {
  for (let it = node.parent; it && !isFunction(it); it = it.parent) if (isLoop(it)) return true;
  return false;
}
