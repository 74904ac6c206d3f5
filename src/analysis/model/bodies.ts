import { each } from './members.ts';
import type { Member } from './schema.ts';

/** What else a response and its stream are done with by, beside `json()` and its like. */
export const bodyMembers: Readonly<Record<string, Member>> = {
  body: { body: 'part' },
  ...each(
    'cancel getReader pipeTo pipeThrough tee values dump destroy pipe on once resume clone unpipe iterator',
    { body: 'reads' },
  ),
};
