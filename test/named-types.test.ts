import assert from 'node:assert/strict';
import { typesNamedIn } from '../src/project/named-types.ts';

/** Each makes something of Ships. */
const making = [
  'class A implements Ships {',
  'class A<T extends object> extends Base<T> implements Other, Ships<T> {',
  'export abstract class A extends fleet.Ships {',
  'interface A extends Ships {',
  'type A = Ships & { port: string }',
  'type A<T> = B | Ships<T>',
  'const a: Ships = {',
  'const a: fleet.Ships<Row> = {',
  'const make = (): Ships => ({',
  'const make = async (): Promise<Ships> => ({',
  'function make(pool: Pool): Ships {',
  'const a = {} as Ships',
  'const a = {} satisfies Ships',
  "import { Ships as Boats } from './ships'",
  'new Ships(tx)',
  'new fleet.Ships(tx)',
];
/** None does. */
const asking = [
  'function f(ships: Ships, x: number)',
  "import { Ships } from './ships'",
  'Ships.of()',
];

describe('the types that a text names', () => {
  for (const text of making) {
    it(text, () => assert.ok(typesNamedIn(text).has('Ships')));
  }
  for (const text of asking) {
    it(`not: ${text}`, () => assert.ok(!typesNamedIn(text).has('Ships')));
  }
});
