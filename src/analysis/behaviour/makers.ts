import type { TSESTree } from '@typescript-eslint/utils';
import { type ParameterCall, type Passed, passedTo } from '../effects/parameter-calls.ts';
import type { FileFacts } from '../file/file.ts';
import type { Maker } from '../file/makers.ts';
import type { FunctionValue } from '../file/value.ts';
import { functionAround, type FunctionNode, type Node } from '../syntax/ast.ts';
import { type Call, passedBy } from '../syntax/calls.ts';
import { constructorOf } from '../syntax/constructors.ts';

/** What has made a function or an object, and what that was given. */
interface Made {
  readonly file: FileFacts;
  readonly call: Call | TSESTree.NewExpression;
  readonly given: ReturnType<typeof passedBy>;
  readonly outer?: Maker | undefined;
}

/** The call by which `fn` has made the function, or the object of the method, and what it was given. */
export function makerOf({ madeBy, self }: FunctionValue, fn: FunctionNode): Made | undefined {
  if (madeBy?.fn === fn) return madeOf(madeBy);
  return self?.kind === 'instance' && self.madeAt && constructorOf(self.node) === fn
    ? { ...self.madeAt, given: self.madeAt.call.arguments }
    : undefined;
}

function madeOf({ file, call, fn, outer }: Maker): Made {
  return { file, call, given: passedBy(call, fn), outer };
}

interface GivenByMaker {
  readonly passed: Passed | undefined;
  /** The code that has given it. */
  readonly scope: Node | undefined;
}

export const NOTHING_GIVEN: GivenByMaker = { passed: undefined, scope: undefined };

/** What the maker was given to be called, as far out as functions only hand it on to the next. */
export function givenByMaker(
  { file, call, given, outer }: Made,
  called: ParameterCall,
): GivenByMaker {
  const scope = functionAround(call) ?? file.ast;
  const passed = passedTo(file, given, called, scope);
  return passed?.kind === 'parameter' && outer?.fn === passed.of.fn
    ? givenByMaker(madeOf(outer), { ...called, ...passed.of })
    : { passed, scope };
}
