import { strictEqual } from 'node:assert/strict';
import type { Node } from '../../src/analysis/syntax/ast.ts';
import type { CheckedType } from '../../src/analysis/file/source.ts';
import { createTypeMemory } from '../../src/project/type-memory.ts';

const pool: CheckedType = { kind: 'object', modules: ['pg'], name: 'Pool' };

describe('what is remembered of types', () => {
  it('is presumed of no function that one of several edits has touched', () => {
    const memory = createTypeMemory();
    const first = 'function f() { pool; a } function g() { a } function h() { a }';
    // Over the end of f and the start of g, then in h, then from g into h.
    const second = 'function f() { pool; b } function g() { b } function h() { a }';
    const third = 'function f() { pool; b } function g() { b } function h() { b }';
    const fourth = 'function f() { pool; b } function g() { c } function h() { c }';
    const typeIn = (text: string) => memory.typesOf('/a.ts', text)!.typeOf(poolIn(text));
    typeIn(first);
    const questions = memory.questions(memory.asked());
    memory.learn(questions, [[pool]]);
    strictEqual(typeIn(first), pool);
    for (const text of [second, third, fourth]) strictEqual(typeIn(text), undefined);
  });
});

/** `pool` in `f`, with its parent alone. */
function poolIn(text: string): Node {
  const start = text.indexOf('pool');
  const fn = { type: 'FunctionDeclaration', range: [0, text.indexOf('}') + 1] };
  return { type: 'Identifier', range: [start, start + 4], parent: fn } as unknown as Node;
}
