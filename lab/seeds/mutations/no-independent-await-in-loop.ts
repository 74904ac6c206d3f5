import { batchedBy } from '../batched.ts';
import { type Mutation, type Mutations, type RuleMutations, replaced, seedAt } from '../seed.ts';

const mutations: Mutations = {
  'asks SQL once per element': oneByOne('sql'),
  'asks Prisma once per element': oneByOne('prisma'),
  'asks by a query builder once per element': oneByOne('builder'),
  'asks a repository or model once per element': oneByOne('model'),
  'asks MongoDB once per element': oneByOne('mongo'),
  'asks Redis once per element': oneByOne('redis'),
  'awaits one after the other what ran at once': oneByOne('mapped'),
};

export default { mutations } satisfies RuleMutations;

function oneByOne(asked: keyof typeof batchedBy): Mutation {
  return function* (file) {
    for (const { declaration, result, list, element, one, rows } of batchedBy[asked](file)) {
      const added = rows === undefined ? `await ${one}` : `...(await ${one})${rows}`;
      const loop = `for (const ${element} of ${file.textOf(list)}) ${result}.push(${added});`;
      yield seedAt(declaration, replaced(declaration, `const ${result} = []; ${loop}`));
    }
  };
}
