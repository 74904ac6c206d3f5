import { imported, type Mutations, type RuleMutations, replaced, seedAt } from '../seed.ts';
import { callsOf } from '../syntax.ts';

const mutations: Mutations = {
  *'hashes on the thread of the requests'(file) {
    for (const call of callsOf(file, 'scryptAsync')) {
      const awaiting = call.parent;
      if (awaiting.type !== 'AwaitExpression') continue;
      const given = call.arguments.map((it) => file.textOf(it)).join(', ');
      const load = imported(file, "import { scryptSync } from 'node:crypto';");
      yield seedAt(call, load, replaced(awaiting, `scryptSync(${given})`));
    }
  },
};

export default { mutations } satisfies RuleMutations;
