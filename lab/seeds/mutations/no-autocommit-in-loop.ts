import type { TSESTree } from '@typescript-eslint/utils';
import type { Node } from '../../../src/analysis/syntax/ast.ts';
import type { FileFacts } from '../../../src/analysis/file/file.ts';
import { type Mutations, type RuleMutations, replaced, seedAt } from '../seed.ts';
import {
  awaitedStatement,
  callbackOf,
  callsOf,
  propertyOf,
  quotedText,
  receiverOf,
} from '../syntax.ts';

const mutations: Mutations = {
  *'inserts one row at a time'(file) {
    for (const call of callsOf(file, 'createMany')) {
      const data = propertyOf(call.arguments[0], 'data')?.value;
      yield* perRow(file, call, data, `${receiverText(file, call)}.create({ data: row })`);
    }
    for (const [many, one] of [
      ['insertMany', 'insertOne'],
      ['insert', 'insert'],
    ] as const) {
      for (const call of callsOf(file, many)) {
        const [rows, more] = call.arguments;
        // An entity manager needs the entity as its first argument.
        const isManager = one === 'insert' && more !== undefined;
        const isList = rows?.type === 'Identifier' || rows?.type === 'CallExpression';
        if (!isManager && isList)
          yield* perRow(file, call, rows, `${receiverText(file, call)}.${one}(row)`);
      }
    }
    for (const call of callsOf(file, 'values')) {
      const chain = call.parent.type === 'MemberExpression' ? call.parent.parent : call;
      const [rows] = call.arguments;
      const list = rows?.type === 'TSAsExpression' ? rows.expression : rows;
      if (list?.type !== 'Identifier') continue;
      const end = chain === call ? '' : '.execute()';
      yield* perRow(file, chain, list, `${receiverText(file, call)}.values(row)${end}`);
    }
    for (const { call, sql, columns, list } of unnested(file)) {
      const one = `${file.textOf(call.callee)}(\`${sql}\`, [${columns.join(', ')}])`;
      yield* perRow(file, call, list, one);
    }
  },

  *'deletes one row at a time'(file) {
    for (const call of callsOf(file, 'deleteMany')) {
      const where = propertyOf(call.arguments[0], 'where')?.value;
      const list = propertyOf(propertyOf(where, 'id')?.value, 'in')?.value;
      yield* perRow(file, call, list, `${receiverText(file, call)}.delete({ where: { id: row } })`);
    }
    for (const call of callsOf(file, 'query')) {
      const [text, values] = call.arguments;
      const sql = quotedText(file, text);
      const list = values?.type === 'ArrayExpression' ? values.elements.at(-1) : undefined;
      if (!sql || !/^delete\b.*= any\(\$1\)/.test(sql)) continue;
      const one = `${file.textOf(call.callee)}('${sql.replace('any($1)', '$1')}', [row])`;
      yield* perRow(file, call, list ?? undefined, one);
    }
  },

  *'adds one job at a time'(file) {
    for (const call of callsOf(file, 'addBulk')) {
      const map = call.arguments[0];
      const job = map?.type === 'CallExpression' ? callbackOf(map) : undefined;
      if (map?.type !== 'CallExpression' || !job || !receiverOf(map)) continue;
      const [name, data] = ['name', 'data'].map((it) => propertyOf(job.body, it)?.value);
      if (!name || !data) continue;
      const one = `${receiverText(file, call)}.add(${file.textOf(name)}, ${file.textOf(data)})`;
      yield* perRow(file, call, receiverOf(map), one, file.textOf(job.params[0]!));
    }
  },

  *'leaves the transaction of a synchronous driver out'(file) {
    for (const call of callsOf(file, 'transaction')) {
      const work = callbackOf(call);
      if (work && !work.async && /\.run\(/.test(file.textOf(work))) {
        yield { edits: [replaced(call, file.textOf(work))], within: statementOf(call) };
      }
    }
  },
};

export default { mutations } satisfies RuleMutations;

function* perRow(
  file: FileFacts,
  call: Node,
  list: Node | null | undefined,
  one: string,
  name = 'row',
) {
  const statement = awaitedStatement(call);
  if (!statement || !list) return;
  const loop = `for (const ${name} of ${file.textOf(list)}) await ${one};`;
  yield seedAt(statement, replaced(statement, loop));
}

/** `insert … select * from unnest($1::text[], $2::int[])`, as an insert of the values of one row. */
function* unnested(file: FileFacts) {
  for (const call of callsOf(file, 'query')) {
    const [text, values] = call.arguments;
    const sql = quotedText(file, text);
    const from = sql && /select (\$1, )?\* from unnest\(.*?\)(?=\s|$)/s.exec(sql);
    if (!from || values?.type !== 'ArrayExpression') continue;
    let list: Node | undefined;
    const columns = values.elements.map((it) => {
      if (it?.type !== 'CallExpression') return file.textOf(it!);
      list = receiverOf(it);
      return file.textOf(callbackOf(it)!.body).replace(/^it\b/, 'row');
    });
    const holes = columns.map((_, i) => `$${i + 1}`).join(', ');
    yield { call, sql: sql.replace(from[0], `values (${holes})`), columns, list };
  }
}

function receiverText(file: FileFacts, call: TSESTree.CallExpression): string {
  const receiver = receiverOf(call);
  return receiver ? file.textOf(receiver) : '';
}

function statementOf(node: Node): Node {
  for (let it = node; it.parent; it = it.parent) if (it.parent.type === 'Program') return it;
  return node;
}
