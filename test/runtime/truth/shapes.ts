import { flow } from './shapes-flow.ts';
import { functions } from './shapes-functions.ts';
import { waits } from './shapes-waits.ts';
import type { Writer } from './writer.ts';

/** Writes statements of a function that has the parameter `request`. */
export type Shape = (writer: Writer) => readonly string[];

/** By what they show. */
export const shapes: Readonly<Record<string, Shape>> = { ...waits, ...flow, ...functions };
