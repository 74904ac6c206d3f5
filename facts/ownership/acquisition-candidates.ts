import { bare, calledName, functionAround, type Node, propertyName, walk } from '../syntax/ast.ts';
import { type Call, calleeOf } from '../provenance/calls.ts';
import { callsNamedLikeConnections } from '../contexts/connection-names.ts';
import type { FileFacts } from '../file.ts';
import { acquiringNames, ownedMembers, releasingMembers, respondingNames } from '../model/index.ts';
import { nameOfFunction } from '../pauses/pacing.ts';

/**
 * The calls of a file that can be an acquisition by their spelling: of a modelled name (`connect`, `new Client`); or named
 * like a connection or like a function around such a call, with a result that is kept and then used as only a connection
 * is, or passed on; or of any name, with a result that is given back. What the rest are need not be asked.
 */
export function acquisitionCandidates(
  file: FileFacts,
  { bodies } = { bodies: false },
): readonly Call[] {
  return file.remember(
    file.keyFor(file.ast, `=acquisition candidates ${bodies}`),
    () => candidatesIn(file, bodies),
    [],
  );
}

function candidatesIn(file: FileFacts, bodies: boolean): readonly Call[] {
  const calls = file.nodes.all('CallExpression', 'NewExpression', 'TaggedTemplateExpression');
  const named = callsNamedLikeConnections(file);
  const makers = namesOfMakers(calls, named);
  const used = namesUsedAsHandles(file);
  const released = namesAskedFor(file, releasingMembers);
  return calls.filter((call) => {
    const name = nameOf(call);
    if (acquiringNames.has(name) || (bodies && respondingNames.has(name))) return true;
    const isMaker = makers.has(name) || named.has(call);
    return namesHolding(call).some((it) => released.has(it) || (isMaker && used.has(it)));
  });
}

function nameOf(call: Call): string {
  return calledName(calleeOf(call)) ?? '';
}

/** The functions of the file around what takes a connection, and the names that hold what is named like a connection. */
function namesOfMakers(calls: readonly Call[], named: ReadonlySet<Call>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const call of calls) {
    if (named.has(call)) for (const it of namesHolding(call)) names.add(it);
    // no veto: spares the functions that take nothing.
    if (!acquiringNames.has(nameOf(call))) continue;
    for (let it = functionAround(call); it; it = functionAround(it)) names.add(nameOfFunction(it));
  }
  names.delete('');
  return names;
}

/** `x` in `x.query()`, `x.release()` and in `save(x)`. */
function namesUsedAsHandles(file: FileFacts): ReadonlySet<string> {
  const names = namesAskedFor(file, ownedMembers);
  for (const call of file.nodes.all('CallExpression', 'NewExpression')) {
    for (const argument of call.arguments) {
      const it = bare(argument);
      if (it.type === 'Identifier') names.add(it.name);
      // `{ client }`, `{ ...context, client }`: passed on inside an object.
      else if (it.type === 'ObjectExpression') addShorthands(it, names);
    }
  }
  return names;
}

/** `x` in `x.release()`. */
function namesAskedFor(file: FileFacts, members: ReadonlySet<string>): Set<string> {
  const names = new Set<string>();
  for (const node of file.nodes.all('MemberExpression')) {
    const object = bare(node.object);
    const name = propertyName(node);
    if (object.type === 'Identifier' && name && members.has(name)) names.add(object.name);
  }
  return names;
}

function addShorthands(object: Node, names: Set<string>): void {
  walk(object, (it) => {
    if (it.type === 'Property' && it.value.type === 'Identifier') names.add(it.value.name);
  });
}

/** The names that the result of a call is kept under: in a variable, in a field, or as what a promise's callback is given. */
function namesHolding(call: Call): readonly string[] {
  for (let it: Node = call, parent = it.parent; parent; it = parent, parent = it.parent) {
    switch (parent.type) {
      case 'AwaitExpression':
      case 'ChainExpression':
      case 'ConditionalExpression':
      case 'LogicalExpression':
      case 'TSAsExpression':
      case 'TSNonNullExpression':
      case 'TSSatisfiesExpression':
        continue;
      case 'VariableDeclarator':
        return namesIn(parent.id);
      case 'AssignmentExpression':
        return parent.right === it ? namesIn(parent.left) : [];
      case 'MemberExpression': {
        // `acquire().then((connection) => …)`
        const then = parent.parent;
        const callback = then?.type === 'CallExpression' ? then.arguments[0] : undefined;
        const [parameter] = callback && 'params' in callback ? callback.params : [];
        return parameter ? namesIn(parameter) : [];
      }
      default:
        return [];
    }
  }
  return [];
}

function namesIn(pattern: Node): readonly string[] {
  const names: string[] = [];
  walk(pattern, (it) => {
    if (it.type === 'Identifier') names.push(it.name);
  });
  return names;
}
