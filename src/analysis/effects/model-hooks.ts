import { valueOf } from '../provenance/value-of.ts';
import { isClass } from '../syntax/ast.ts';
import { isCall, receiverOf } from '../syntax/calls.ts';
import { libraryNamed } from '../model/index.ts';
import type { Effect } from './effects.ts';
import { alternativesOf, equipmentOf, type Value } from '../file/value.ts';

/** `@BeforeDestroy`, `User.beforeCreate(…)`, `addHook(…)`, `{ hooks: { … } }`. */
const HOOKS =
  /@(?:Before|After)[A-Z]|\.addHook\(|\.(?:before|after)(?:Bulk)?(?:Create|Destroy|Save|Update|Upsert|Validate)\(|\bhooks\s*:/;

/** Whether functions of the model itself may run with the write: its call does not show what those wait for. */
export function mayRunHooks({ at, op, library }: Effect): boolean {
  // no veto: other libraries have none, and a read runs none that waits
  if (!libraryNamed(library)?.runsHooks || op === 'read') return false;
  const model = isCall(at.node) ? receiverOf(at.node) : undefined;
  return (
    !model || alternativesOf(valueOf(at.file, model)).some((it) => hasHooks(it, HOOKS) ?? true)
  );
}

const AFTER = {
  insert: after('Create|Save|Upsert'),
  update: after('Update|Save'),
  delete: after('Destroy'),
} as const;

function after(names: string): RegExp {
  return new RegExp(`@After(?:${names})\\b|\\bafter(?:${names})['"]?\\s*[(:,]`);
}

/**
 * Whether each row that is written sets off something of its own: mails, counts, the row's history. One statement for
 * all rows would leave that out, and one transaction would do it for rows that it then takes back.
 */
export function setsOffMore({ at, library }: Effect, kind: keyof typeof AFTER): boolean {
  // no veto: other libraries have none.
  if (!libraryNamed(library)?.runsHooks) return false;
  const model = isCall(at.node) ? receiverOf(at.node) : undefined;
  return (
    model !== undefined &&
    alternativesOf(valueOf(at.file, model)).some((it) => hasHooks(it, AFTER[kind]))
  );
}

/**
 * By the files of a class and of those that it extends, or of the call that has defined the model; undefined where the
 * model is not known.
 */
function hasHooks(model: Value, hooks: RegExp): boolean | undefined {
  switch (model.kind) {
    case 'class':
    case 'instance': {
      const { file, node } = model;
      if (file.says(hooks)) return true;
      const parent = node.superClass ? valueOf(file, node.superClass) : undefined;
      return parent?.kind === 'class' && hasHooks(parent, hooks);
    }
    case 'library': {
      const { file, node } = equipmentOf(model) ?? model.origin ?? {};
      if (file && isClass(node)) return hasHooks({ kind: 'class', file, node }, hooks);
      return file?.says(hooks);
    }
    default:
      return undefined;
  }
}
