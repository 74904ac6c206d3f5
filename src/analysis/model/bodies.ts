import { each } from './members.ts';
import type { Member } from './schema.ts';

/**
 * What a server is sent is on its way, and arrives as fast as its sender is: no other request shortens that wait.
 */
export const receivedBody: Readonly<Record<string, Member>> = each(
  'json text arrayBuffer blob formData',
  { returns: 'Promise<any>', effect: { env: 'http', op: 'sync', memo: true } },
);

/** Further members of a response and its stream that finish it, apart from `json()` and similar ones. */
export const bodyMembers: Readonly<Record<string, Member>> = {
  body: { body: 'part' },
  ...each(
    'cancel getReader pipeTo pipeThrough tee values dump destroy pipe on once resume clone unpipe iterator',
    { body: 'reads' },
  ),
};
