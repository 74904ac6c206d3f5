import { contains, functionAround } from '../../../src/analysis/syntax/ast.ts';
import { type Mutations, type RuleMutations, replaced, seedAt } from '../seed.ts';
import { callbackOf, callsOf, receiverOf } from '../syntax.ts';

const mutations: Mutations = {
  *'takes the limit out'(file) {
    for (const call of callsOf(file, 'pMap', 'mapLimit')) {
      const list = call.arguments[0]!;
      const work = callbackOf(call, 1) ?? callbackOf(call, 2);
      // Requests to others take no thread.
      if (!work || !/hash|scrypt|gzip/.test(file.textOf(work))) continue;
      const all = `Promise.all(${file.textOf(list)}.map(${file.textOf(work)}))`;
      yield seedAt(call, replaced(call, all));
    }
    for (const call of callsOf(file, 'limit')) {
      const work = callbackOf(call);
      const each = functionAround(call);
      if (!work || each?.body !== call) continue;
      const params = each.params.map((it) => file.textOf(it)).join(', ');
      const text = `${work.async ? 'async ' : ''}(${params}) => ${file.textOf(work.body)}`;
      yield seedAt(each, replaced(each, text));
    }
  },

  *'takes the chunks out'(file) {
    for (const loop of file.nodes.all('ForOfStatement')) {
      const map = callsOf(file, 'map').find((it) => contains(loop.body, it));
      const receiver = map && receiverOf(map);
      if (loop.right.type !== 'CallExpression' || receiver?.type !== 'Identifier') continue;
      if (loop.body.type !== 'BlockStatement' || loop.right.arguments.length !== 2) continue;
      const all = file.textOf(loop.right.arguments[0]!);
      const body = file.textOf(loop.body).replace(`${receiver.name}.map`, `${all}.map`);
      yield seedAt(loop, replaced(loop, body));
    }
  },
};

export default { mutations } satisfies RuleMutations;
