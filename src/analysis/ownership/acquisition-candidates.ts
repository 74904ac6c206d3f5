import type { TSESTree } from '@typescript-eslint/utils';
import { collect } from '../../engine/regions.ts';
import { query } from '../../engine/query.ts';
import { bare, calledName, functionAround, type Node, propertyName, walk } from '../syntax/ast.ts';
import { type Call, calleeOf } from '../syntax/calls.ts';
import { callsNamedLikeConnectionsIn } from '../provenance/connection-names.ts';
import type { FileFacts } from '../file/file.ts';
import type { Region } from '../../engine/regions.ts';
import { acquiringNames, ownedMembers, releasingMembers, respondingNames } from '../model/names.ts';
import { nameOfFunction } from '../syntax/function-names.ts';

/**
 * The calls of a file that can be an acquisition by their spelling: of a modelled name (`connect`, `new Client`); or named like
 * a connection or like a function around such a call, with a result that is kept and then used as only a connection is, or
 * passed on; or of any name, with a result that is released. All other calls need no resolution.
 */
export function acquisitionCandidates(
  file: FileFacts,
  { bodies } = { bodies: false },
): readonly Call[] {
  return candidatesIn(file, file.ast, bodies);
}

const spelledAcquisitions = collect('spelled acquisitions', (file: FileFacts, region) => [
  spelledIn(file, region),
]);

const candidatesIn = query(
  'acquisition candidates',
  (file: FileFacts, _: TSESTree.Program, bodies: boolean): readonly Call[] => {
    const shares = spelledAcquisitions(file);
    const makers = new Set(shares.flatMap((it) => it.makers));
    const released = new Set(shares.flatMap((it) => it.released));
    let looks = 0;
    let used: ReadonlySet<string> | undefined;
    const isUsed = (name: string) => {
      // Most files are asked about few names: to gather all takes longer.
      if (++looks <= FEW_LOOKS) return shares.some((it) => it.used.has(name));
      used ??= new Set(shares.flatMap((it) => [...it.used]));
      return used.has(name);
    };
    const isCandidate = ({ isAcquiring, isNamed, name, holding }: SpelledCall) =>
      isAcquiring ||
      (bodies && respondingNames.has(name)) ||
      (released.size > 0 && holding.some((it) => released.has(it))) ||
      ((isNamed || makers.has(name)) && holding.some(isUsed));
    return shares.flatMap((it) => it.calls.filter(isCandidate).map(({ call }) => call));
  },
  { whileCyclic: [] },
);

const FEW_LOOKS = 50;

/** What the code says of what it takes, uses and gives back. */
interface Spelled {
  readonly calls: readonly SpelledCall[];
  /** The functions around what takes a connection, and the names that hold what is named like a connection. */
  readonly makers: readonly string[];
  /** `x` in `x.query()`, `x.release()` and in `save(x)`. */
  readonly used: ReadonlySet<string>;
  /** `x` in `x.release()`. */
  readonly released: readonly string[];
}

interface SpelledCall {
  readonly call: Call;
  readonly name: string;
  readonly isAcquiring: boolean;
  /** It is named like a connection. */
  readonly isNamed: boolean;
  /** The names that hold the result. */
  readonly holding: readonly string[];
}

function spelledIn(file: FileFacts, unit: Region): Spelled {
  const { all } = unit;
  const named = new Set(callsNamedLikeConnectionsIn(file, unit));
  const calls = all('CallExpression', 'NewExpression', 'TaggedTemplateExpression')
    .map((call): SpelledCall => {
      const name = calledName(calleeOf(call)) ?? '';
      const isAcquiring = acquiringNames.has(name);
      return { call, name, isAcquiring, isNamed: named.has(call), holding: namesHolding(call) };
    })
    .filter((it) => it.holding.length > 0 || it.isAcquiring || respondingNames.has(it.name));
  const used = new Set<string>();
  const released = new Set<string>();
  for (const node of all('MemberExpression')) {
    const object = bare(node.object);
    const name = propertyName(node);
    if (object.type !== 'Identifier' || !name) continue;
    if (ownedMembers.has(name)) used.add(object.name);
    if (releasingMembers.has(name)) released.add(object.name);
  }
  for (const call of all('CallExpression', 'NewExpression')) {
    for (const it of call.arguments) addPassed(it, used);
  }
  return { calls, makers: namesOfMakers(calls), used, released: [...released] };
}

function namesOfMakers(calls: readonly SpelledCall[]): readonly string[] {
  const names = new Set<string>();
  for (const { call, isAcquiring, isNamed, holding } of calls) {
    if (isNamed) for (const it of holding) names.add(it);
    // no veto: spares the functions that take nothing.
    if (!isAcquiring) continue;
    for (let it = functionAround(call); it; it = functionAround(it)) names.add(nameOfFunction(it));
  }
  names.delete('');
  return [...names];
}

function addPassed(argument: Node, names: Set<string>): void {
  const passed = bare(argument);
  if (passed.type === 'Identifier') names.add(passed.name);
  // `{ client }`, `{ ...context, client }`: passed on inside an object.
  // no veto: spares the walk; a name more is only asked about.
  if (passed.type !== 'ObjectExpression') return;
  walk(passed, (it) => {
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
