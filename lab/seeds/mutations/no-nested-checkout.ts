import { heldIn, queriesIn } from '../held.ts';
import { type Mutations, type RuleMutations, removed, replaced, seedAt } from '../seed.ts';
import { callsOf, mentionsOf, propertyOf } from '../syntax.ts';
import { endsAt } from '../../../src/analysis/syntax/places.ts';

const mutations: Mutations = {
  *'lets the pool run a query of the connection that it holds'(file) {
    for (const held of heldIn(file)) {
      if (!held.guard) continue;
      for (const statement of queriesIn(file, held)) {
        const [handle] = mentionsOf(statement, held.handle);
        if (handle) yield seedAt(statement, replaced(handle, held.outer));
      }
    }
  },

  *'passes by the transaction'(file) {
    for (const held of heldIn(file)) {
      if (held.guard) continue;
      for (const statement of queriesIn(file, held)) {
        const [handle] = mentionsOf(statement, held.handle);
        const isOption = handle?.parent.type === 'Property';
        if (handle && !isOption) yield seedAt(statement, replaced(handle, held.outer));
      }
    }
  },

  *'leaves the transaction out of the options'(file) {
    for (const call of callsOf(file, 'create', 'bulkCreate', 'findByPk', 'update')) {
      const options = call.arguments.at(-1);
      if (!options || !propertyOf(options, 'transaction') || call.arguments.length < 2) continue;
      const before = call.arguments.at(-2)!;
      yield seedAt(call, removed({ range: [endsAt(before), endsAt(options)] }));
    }
  },
};

export default { mutations } satisfies RuleMutations;
