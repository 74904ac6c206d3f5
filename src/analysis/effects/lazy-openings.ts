import type { TSESTree } from '@typescript-eslint/utils';
import { bare, contains, functionAround, type Node, walkOwn } from '../syntax/ast.ts';
import type { LibraryCall } from '../provenance/library-calls.ts';
import type { Call } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';

/**
 * `if (!this.isOpen) { this.isOpen = true; await this.client.connect(); }`: the first call opens it, and concurrent calls
 * immediately see the flag. The client queues their commands until it is open.
 */
export function isOpenedFirst(file: FileFacts, call: Call, { callee, signature }: LibraryCall) {
  const { queuesUnless } = signature;
  // veto: the driver rejects commands until its connection is open, so each call waits for it
  if (!queuesUnless) return false;
  // veto: an option makes the client reject commands until its connection is open
  if ((callee.receiver?.origin?.file ?? file).says(queuesUnless)) return false;
  const fn = functionAround(call);
  for (let it: Node | undefined = call; it && it !== fn; it = it.parent) {
    const { parent } = it as { parent: Node | undefined };
    if (parent?.type !== 'IfStatement' || parent.consequent !== it) continue;
    const flag = flagOf(parent.test);
    // veto: only the first call opens the client, because it sets a flag before it waits
    if (flag && isKept(file, flag, fn) && isRaised(file, it, file.textOf(flag))) return true;
  }
  return false;
}

/** `!this.isOpen`: a field, or a variable. */
function flagOf(test: TSESTree.Expression): Node | undefined {
  const it = bare(test);
  if (it.type !== 'UnaryExpression' || it.operator !== '!') return undefined;
  const flag = bare(it.argument);
  return flag.type === 'MemberExpression' || flag.type === 'Identifier' ? flag : undefined;
}

/** It outlives the call. */
function isKept(file: FileFacts, flag: Node, fn: Node | undefined): boolean {
  if (flag.type !== 'Identifier')
    return flag.type === 'MemberExpression' && flag.object.type === 'ThisExpression';
  const [definition] = file.variableOf(flag)?.defs ?? [];
  return !!definition && !!fn && !contains(fn, definition.name);
}

/** Set to true in the branch, with no await on the way to it. */
function isRaised(file: FileFacts, branch: Node, flag: string): boolean {
  let raised = false;
  let isLate = false;
  walkOwn(branch, (it) => {
    isLate ||= it.type === 'AwaitExpression';
    raised ||=
      !isLate &&
      it.type === 'AssignmentExpression' &&
      file.textOf(it.left) === flag &&
      it.right.type === 'Literal' &&
      it.right.value === true;
  });
  return raised;
}
