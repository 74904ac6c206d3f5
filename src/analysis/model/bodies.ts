import { each } from './members.ts';
import type { Member } from './schema.ts';

/** Further members of a response and its stream that finish it, apart from `json()` and similar ones. */
export const bodyMembers: Readonly<Record<string, Member>> = {
  body: { body: 'part' },
  ...each(
    'cancel getReader pipeTo pipeThrough tee values dump destroy pipe on once resume clone unpipe iterator',
    { body: 'reads' },
  ),
};
