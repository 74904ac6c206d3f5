// vetoes of no-false-parallelism
import { bare, type Node } from './ast.ts';
import { type Call, calleeOf, isCall } from './calls.ts';
import type { Effect } from './effects.ts';
import { alternativesOf, type Value } from './value.ts';

/** `@BeforeDestroy`, `User.beforeCreate(…)`, `addHook(…)`, `{ hooks: { … } }`. */
const HOOKS =
  /@(?:Before|After)[A-Z]|\.addHook\(|\.(?:before|after)(?:Bulk)?(?:Create|Destroy|Save|Update|Upsert|Validate)\(|\bhooks\s*:/;

/** Whether functions of the model itself may run with the write: what those wait for its call does not say. */
export function mayRunHooks({ at, op, library }: Effect): boolean {
  // no veto: other libraries have none, and a read runs none that waits
  if (!/^(?:sequelize|@sequelize\/core)$/.test(library) || op === 'read') return false;
  const model = isCall(at.node) ? receiverOf(at.node) : undefined;
  return !model || alternativesOf(at.file.valueOf(model)).some(hasHooks);
}

function receiverOf(call: Call): Node | undefined {
  const callee = bare(calleeOf(call));
  return callee.type === 'MemberExpression' ? callee.object : undefined;
}

/** By the files of a class and of those that it extends, or of the call that has defined the model. */
function hasHooks(model: Value): boolean {
  switch (model.kind) {
    case 'class':
    case 'instance': {
      const { file, node } = model;
      if (HOOKS.test(file.text)) return true;
      const parent = node.superClass ? file.valueOf(node.superClass) : undefined;
      return parent?.kind === 'class' && hasHooks(parent);
    }
    case 'library':
      return !model.origin || HOOKS.test(model.origin.file.text);
    default:
      return true;
  }
}
