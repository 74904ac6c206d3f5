import { valueOf } from '../../analysis/provenance/value-of.ts';
import { bare, contains, functionAround, propertyName } from '../../analysis/syntax/ast.ts';
import { argumentsOf, type Call, calleeOf, isCall } from '../../analysis/syntax/calls.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { libraryNamed } from '../../analysis/model/index.ts';
import type { Loop } from '../../analysis/flow/loops.ts';
import { mentions, variablesIn } from '../../analysis/syntax/mentions.ts';
import { variantsOf } from '../../analysis/loops/variants.ts';

/** Whether messages, of one command each (`sqs.send(new SendMessageCommand({ QueueUrl, … }))`) or not, may go to several places. */
export function mayGoToSeveral(file: FileFacts, loop: Loop, { library, at }: Effect): boolean {
  const call = bare(at.node);
  // no veto: only calls send.
  if (!isCall(call)) return false;
  const field = libraryNamed(library)?.destination;
  if (!field) return at.file === file && isOfAnother(file, loop, call);
  const [given] = argumentsOf(call);
  const command = given && valueOf(at.file, given);
  const made = command?.kind === 'library' ? command.origin?.node : undefined;
  const options = made?.type === 'NewExpression' ? made.arguments[0] : undefined;
  // `dynamo.putItem({ … })`
  const value =
    options && command?.kind === 'library' ? valueOf(command.origin!.file, options) : command;
  const destination =
    value && value.kind === 'object'
      ? value.node.properties.find(
          (it) => it.type === 'Property' && field.test(propertyName(it) ?? ''),
        )
      : undefined;
  // veto: the code does not show where the message goes, or sends it to a phone or a device
  if (destination?.type !== 'Property' || !value || value.kind !== 'object') return true;
  const fn = functionAround(destination);
  const isHere =
    value.file === file && (!fn || contains(fn, loop.node) || contains(loop.node, destination));
  // veto: the element or a caller of the function that sends decides where the message goes
  return isHere
    ? mentions(file, destination.value, variantsOf(file, loop))
    : variablesIn(value.file, destination.value).some((it) => it.defs[0]?.type === 'Parameter');
}

/** `queues.get(job.kind).add(…)`: the element says which queue it is. */
function isOfAnother(file: FileFacts, loop: Loop, call: Call): boolean {
  const callee = bare(calleeOf(call));
  return (
    callee.type === 'MemberExpression' && mentions(file, callee.object, variantsOf(file, loop))
  );
}
