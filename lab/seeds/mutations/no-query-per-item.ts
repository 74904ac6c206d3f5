import { batchedBy } from '../batched.ts';
import { type Mutation, type Mutations, type RuleMutations, replaced, seedAt } from '../seed.ts';

const mutations: Mutations = {
  'asks SQL for each element concurrently': concurrently('sql'),
  'asks by a query builder for each element concurrently': concurrently('builder'),
  'asks a repository or model for each element concurrently': concurrently('model'),
  'asks MongoDB for each element concurrently': concurrently('mongo'),
};

export default { mutations } satisfies RuleMutations;

/** One query for all elements becomes one for each of them; rows of which an element has several are put into one list again. */
function concurrently(asked: keyof typeof batchedBy): Mutation {
  return function* (file) {
    for (const { declaration, result, list, element, one, rows } of batchedBy[asked](file)) {
      const all = `await Promise.all(${file.textOf(list)}.map((${element}) => ${one}))`;
      const whole = rows === undefined ? all : `(${all}).flatMap((it) => it${rows})`;
      yield seedAt(declaration, replaced(declaration, `const ${result} = ${whole};`));
    }
  };
}
