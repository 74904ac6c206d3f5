// vetoes of no-independent-await-in-loop
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type FunctionNode, type Node, propertyName, walkOwn } from './ast.ts';
import type { FileFacts } from './file.ts';
import { type Iteration, resultsOf } from './iteration-variables.ts';
import { mentions } from './mentions.ts';
import { parameterNamed } from './parameter-calls.ts';
import type { FunctionValue } from './value.ts';

/** A parameter of a function, or a property of it: `{ archive }`. */
type Part = Pick<ReturnType<typeof parameterNamed> & object, 'index' | 'member'>;

/** Whether what an iteration awaits hands its answer on to an object of all iterations, which gets them in turn: `archive.append(body)`. */
export function handsOnInTurn(
  file: FileFacts,
  { own }: Iteration,
  awaits: readonly TSESTree.AwaitExpression[],
): boolean {
  return awaits.some(({ argument }) => {
    const call = bare(argument);
    // no veto: what the loop does itself is looked at there.
    if (call.type !== 'CallExpression') return false;
    const callee = file.valueOf(call.callee);
    if (callee.kind !== 'function') return false;
    return takersOf(callee).some((it) => {
      const given = givenFor(call, it);
      return given?.type === 'Identifier' && !mentions(file, given, own);
    });
  });
}

/** The parameters of a function to whose methods it passes what it has waited for. */
function takersOf({ file, node }: FunctionValue): readonly Part[] {
  return file.remember(
    file.keyFor(node, '=takers'),
    () => {
      const { body } = node;
      const found: Part[] = [];
      if (!body) return found;
      const results = resultsOf(file, { body });
      walkOwn(body, (it) => {
        if (it.type !== 'ExpressionStatement') return;
        const call = bare(it.expression);
        if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return;
        if (!call.arguments.some((each) => mentions(file, each, results))) return;
        const { object } = call.callee;
        // veto: its order does not matter
        if (LOGS.test(propertyName(call.callee) ?? '')) return;
        const part = partNamed(file, object, node);
        if (part) found.push(part);
      });
      return found;
    },
    [],
  );
}

/** Logs say when. */
const LOGS = /^(?:log|trace|debug|info|warn|error)$/;

/** Of a parameter, or of one taken apart in the body: `const { archive } = params`. */
function partNamed(file: FileFacts, name: Node, fn: FunctionNode): Part | undefined {
  const direct = parameterNamed(file, bare(name), fn);
  if (direct) return direct;
  const variable = name.type === 'Identifier' ? file.variableOf(name) : undefined;
  const definition = variable?.defs[0];
  if (definition?.type !== 'Variable' || definition.node.id.type !== 'ObjectPattern') {
    return undefined;
  }
  const { id, init } = definition.node;
  const whole = init ? parameterNamed(file, bare(init), fn) : undefined;
  const property = id.properties.find((it) => it.value === definition.name);
  const member = property?.type === 'Property' ? propertyName(property) : undefined;
  return whole && whole.member === undefined && member !== undefined
    ? { index: whole.index, member }
    : undefined;
}

function givenFor(call: TSESTree.CallExpression, { index, member }: Part): Node | undefined {
  const argument = call.arguments[index];
  if (!argument || member === undefined) return argument;
  const it = bare(argument);
  if (it.type !== 'ObjectExpression') return undefined;
  const property = it.properties.find(
    (each) => each.type === 'Property' && propertyName(each) === member,
  );
  return property?.type === 'Property' ? bare(property.value) : undefined;
}
