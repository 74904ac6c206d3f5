import { valueOf } from '../provenance/value-of.ts';
import { query, queryOfFile } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { calledName, contains, isFunction, type Node, propertyName } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import type { LibraryValue, Value } from '../file/value.ts';

/** A call that makes Sequelize run what a managed transaction leads to on that; not one that is commented out. */
const COMMENTED = /^\s*(?:\/\/|\/?\*)/;

export function switchesOnCls(text: string): boolean {
  return text.split('\n').some((it) => it.includes('.useCLS(') && !COMMENTED.test(it));
}

/** Whether calls run in the enclosing open transaction, with or without a name: the calls do not show which code opens one. */
export function isAmbient(file: FileFacts, receiver: LibraryValue): boolean {
  const { ambience } = receiver.library;
  // no veto: spares the questions.
  if (!ambience) return false;
  if (ambience === 'default') return true;
  // What is switched on for the package of a model is on for whoever uses the model.
  const places = [file, receiver.origin?.file].filter((it) => it !== undefined);
  return places.some((it) => isEnabled(it, it.ast, ambience));
}

const isEnabled = query(
  'ambient transactions',
  (file: FileFacts, _: TSESTree.Program, ambience: 'cls' | readonly string[]): boolean => {
    const { path, modules } = file;
    return ambience === 'cls'
      ? switchesOnCls(file.text) || modules?.deploymentOf(path).usesCls === true
      : ambience.some((it) => modules?.versionOf(it, path) !== undefined);
  },
  { whileCyclic: false },
);

/**
 * Whether a call is one of a document next to code that names a session: the calls do not show which documents belong to it.
 */
export function mayBeOfSession(self: Value | undefined, file: FileFacts, call: Node): boolean {
  if (self?.kind !== 'library' || self.type.keepsSession !== true) return false;
  let outermost: Node | undefined;
  for (let it = call.parent; it; it = it.parent) if (isFunction(it)) outermost = it;
  return outermost !== undefined && sessionsTold(file).some((it) => contains(outermost, it));
}

/** The places where something is told the session that it belongs to. */
const sessionsTold = queryOfFile(
  'told sessions',
  (file: FileFacts): readonly Node[] => [
    ...file.nodes.all('CallExpression').filter((it) => tellsSession(file, it)),
    ...file.nodes.all('ObjectExpression').filter(namesSession),
  ],
  { whileCyclic: [] },
);

/** `query.session(it)`, `document.$session(it)`, `load(numbers, session)` */
function tellsSession(file: FileFacts, call: TSESTree.CallExpression): boolean {
  const [first] = call.arguments;
  if (first && /^\$?session$/.test(calledName(call.callee) ?? '')) return true;
  return call.arguments.some((it) => {
    if (it.type !== 'Identifier') return false;
    const value = valueOf(file, it);
    if (value.kind === 'library') return value.type.role === 'session';
    return it.name === 'session' && file.variableOf(it)?.defs[0]?.type === 'Parameter';
  });
}

/** `{ session }` */
function namesSession({ properties }: TSESTree.ObjectExpression): boolean {
  return properties.some((it) => it.type === 'Property' && propertyName(it) === 'session');
}
