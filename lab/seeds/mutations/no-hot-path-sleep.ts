import type { TSESTree } from '@typescript-eslint/utils';
import { targetsIn } from '../../../src/analysis/syntax/ast.ts';
import { insertedIn, type Mutations, type RuleMutations, replaced, seedAt } from '../seed.ts';
import {
  callsOf,
  loopsIn,
  mentionsOf,
  ownNodes,
  receiverName,
  statementAfter,
  statementAround,
} from '../syntax.ts';

const pause = 'await new Promise((resolve) => setTimeout(resolve, 100));';

const mutations: Mutations = {
  *'sleeps after each item'(file) {
    for (const loop of loopsIn(file)) {
      if (loop.type !== 'ForOfStatement' || !worksOnElements(loop)) continue;
      yield { edits: [insertedIn(loop.body, 'end', pause)], within: loop };
    }
  },

  *'sleeps after each round of a worker'(file) {
    for (const loop of loopsIn(file)) {
      if (loop.type !== 'WhileStatement') continue;
      const idles = ownNodes(loop.body, 'AwaitExpression').some((it) =>
        /\bsleep\(/.test(file.textOf(it)),
      );
      if (!idles) yield { edits: [insertedIn(loop.body, 'end', pause)], within: loop };
    }
  },

  *'sleeps after a full batch, too'(file) {
    for (const loop of loopsIn(file)) {
      for (const branch of ownNodes(loop.body, 'IfStatement')) {
        const { test, consequent } = branch;
        const isShort = test.type === 'BinaryExpression' && test.operator === '<';
        if (!isShort || !/^await \w*sleep\(/i.test(file.textOf(consequent))) continue;
        yield { edits: [replaced(branch, file.textOf(consequent))], within: loop };
      }
    }
  },

  *'sleeps in a request'(file) {
    for (const call of callsOf(file, 'get', 'post', 'put', 'delete')) {
      const handler = call.arguments.at(-1);
      const isHandler = handler?.type === 'ArrowFunctionExpression' && handler.async;
      if (!isHandler || handler.body.type !== 'BlockStatement') continue;
      // Elsewhere, another server or a page is asked.
      if (!/^(?:app|router|server|fastify)$/.test(receiverName(call) ?? '')) continue;
      yield { edits: [insertedIn(handler.body, 'start', pause)], within: handler };
    }
  },

  *'sleeps before it skips an item'(file) {
    for (const loop of loopsIn(file)) {
      for (const { test, consequent } of ownNodes(loop.body, 'IfStatement')) {
        if (loop.type !== 'ForOfStatement' || consequent.type !== 'ContinueStatement') continue;
        if (test.type === 'BinaryExpression') continue;
        yield { edits: [replaced(consequent, `{ ${pause} continue; }`)], within: loop };
      }
    }
  },

  *'naps where it waited for an entry'(file) {
    for (const call of callsOf(file, 'brpop')) {
      const [key] = call.arguments;
      const guard = statementAfter(statementAround(call)!);
      const loop = loopsIn(file).find((it) => it.body === guard?.parent);
      if (!loop || !key || guard?.type !== 'IfStatement') continue;
      yield {
        edits: [
          replaced(call, `${receiverName(call)}.rpop(${file.textOf(key)})`),
          replaced(guard.consequent, `{ ${pause} continue; }`),
        ],
        within: loop,
      };
    }
  },

  *'comes back late although there is work'(file) {
    for (const call of callsOf(file, 'setTimeout')) {
      const [, delay] = call.arguments;
      if (delay?.type === 'ConditionalExpression') {
        yield seedAt(call, replaced(delay, file.textOf(delay.alternate)));
      }
    }
  },
};

export default { mutations } satisfies RuleMutations;

/** An await that needs the element; a turn of the event loop is no work. */
function worksOnElements(loop: TSESTree.ForOfStatement): boolean {
  const names = targetsIn((loop.left as TSESTree.VariableDeclaration).declarations[0]!.id);
  return ownNodes(loop.body, 'AwaitExpression').some((it) =>
    names.some((name) => name.type === 'Identifier' && mentionsOf(it, name.name).length > 0),
  );
}
