import type { CheckedType } from '../../analysis/file/source.ts';
import { MAXIMUM_DEPTH } from '../checked-type.ts';
import type { TypeReply } from './messages.ts';

export function lineOf(reply: TypeReply): string {
  return JSON.stringify(reply);
}

/**
 * A reply by its line. The process that wrote it has run code of the project, which can write to the same pipe: undefined for
 * anything but a reply, so that only types reach the rules.
 */
export function replyFrom(line: string): TypeReply | undefined {
  const reply = objectIn(line);
  if (!reply) return undefined;
  const { id, answers, failures } = reply;
  if (typeof id !== 'number' || !Array.isArray(answers) || !areTexts(failures)) return undefined;
  const types: unknown[][] = [];
  for (const of of answers as readonly unknown[]) {
    if (!Array.isArray(of) || !of.every((it) => it === null || isType(it, 0))) return undefined;
    types.push(of);
  }
  // JSON has null for the types that are unknown.
  const known = types.map((of) => of.map((it) => (it ?? undefined) as CheckedType | undefined));
  return { id, answers: known, failures };
}

function objectIn(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isType(value: unknown, depth: number): boolean {
  if (!isObject(value) || depth > MAXIMUM_DEPTH) return false;
  const { kind, of, modules, name } = value;
  switch (kind) {
    case 'object':
      return areTexts(modules) && typeof name === 'string';
    case 'promise':
    case 'array':
      return isType(of, depth + 1);
    case 'union':
      return Array.isArray(of) && of.every((it) => isType(it, depth + 1));
    default:
      return false;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((it) => typeof it === 'string');
}
