import { typeAnswering } from './answers.ts';
import type { TypeOrder } from './messages.ts';

const { replyTo, end } = typeAnswering();
process.on('message', (order: TypeOrder) => process.send?.(replyTo(order)));
// Whoever asks has ended, perhaps not by its own will.
process.on('disconnect', () => {
  end();
  process.exit();
});
