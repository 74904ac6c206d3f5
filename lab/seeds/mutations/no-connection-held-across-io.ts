import { heldIn } from '../held.ts';
import {
  insertedBefore,
  type Mutation,
  type Mutations,
  type RuleMutations,
  seedAt,
} from '../seed.ts';

const mutations: Mutations = {
  'asks another service while it holds a connection': whileHeld(
    "await fetch('https://audit.example/entries', { method: 'POST' });",
  ),
  'reads from another service while it holds a connection': whileHeld(
    "const rates = await (await fetch('https://rates.example/today')).json(); console.log(rates);",
  ),
  'sleeps while it holds a connection': whileHeld(
    'await new Promise((resolve) => setTimeout(resolve, 500));',
  ),

  *'mails while it holds a connection'(file) {
    if (!/import \{ sendConfirmation \}/.test(file.text)) return;
    yield* whileHeld("await sendConfirmation('desk@clinic.example', new Date());")(file);
  },
};

export default { mutations } satisfies RuleMutations;

/** Before the last statement: by then the connection is out, and still needed. */
function whileHeld(statement: string): Mutation {
  return function* (file) {
    for (const { block } of heldIn(file)) {
      const last = block.body.at(-1);
      if (last) yield seedAt(last, insertedBefore(last, `${statement}\n`));
    }
  };
}
