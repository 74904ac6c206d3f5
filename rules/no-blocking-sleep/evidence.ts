import { dottedName } from '../../src/analysis/syntax/ast.ts';
import type { BlockingSleep } from '../../src/patterns/pauses/blocking-sleeps.ts';
import { contextOf } from '../../src/analysis/contexts/contexts.ts';
import type { FileFacts } from '../../src/analysis/file/file.ts';
import type { Evidence } from '../define-rule.ts';

export function messageOf({ how }: BlockingSleep) {
  if (how === 'busy loop') return 'spins';
  return how === 'execSync' ? 'startsProcess' : 'blocks';
}

export function evidenceOf(file: FileFacts, { node, how, ms }: BlockingSleep): Evidence {
  const name = node.type === 'CallExpression' ? (dottedName(node.callee) ?? how) : undefined;
  return {
    how,
    ...(name === undefined ? {} : { call: `${name}()` }),
    time: ms === undefined ? '' : ` for ${ms} ms`,
    ...(ms === undefined ? {} : { sleepMs: ms }),
    context: contextOf(file, node),
  };
}
