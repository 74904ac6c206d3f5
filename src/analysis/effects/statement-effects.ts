import type { FileFacts } from '../file/file.ts';
import type { Effect as EffectModel } from '../model/schema.ts';
import type { Operation } from '../sql/operation.ts';
import { argumentsOf, type Call } from '../syntax/calls.ts';
import { operationOfCypher } from '../sql/cypher.ts';
import { sqlTextOf } from '../provenance/sql-text.ts';
import { rowsOf, type StatementRows } from '../sql/rows.ts';
import { statementOf, type Verb } from '../sql/sql.ts';
import type { Node } from '../syntax/ast.ts';

/** The effect of a statement. */
export interface SqlEffect {
  readonly op: Operation;
  readonly keys: readonly string[];
  readonly keyed: boolean;
  readonly verb?: Verb | undefined;
  readonly rows?: StatementRows;
  readonly parameter?: StatementParameter;
}

/** The parameter of a function with the statement that it runs. */
export interface StatementParameter {
  readonly fn: Node;
  readonly index: number;
  readonly isCypher: boolean;
}

/** The effect of the statement in an argument of a call. */
export function sqlEffect(file: FileFacts, call: Call, model: EffectModel): SqlEffect {
  const argument =
    call.type === 'TaggedTemplateExpression' ? call.quasi : argumentsOf(call)[model.argument ?? 0];
  const text = argument ? sqlTextOf(file, argument) : undefined;
  const isCypher = model.op === 'cypher';
  if (text?.kind === 'text') return effectOfStatement(text.text, isCypher);
  if (text?.kind === 'parameter') {
    return { op: 'unknown', keys: [], keyed: false, parameter: { ...text, isCypher } };
  }
  return { op: 'unknown', keys: [], keyed: false };
}

export function effectOfStatement(text: string, isCypher: boolean): SqlEffect {
  if (isCypher) return { op: operationOfCypher(text), keys: [], keyed: false };
  const { op, tables, keyed, verb } = statementOf(text);
  return { op, keys: tables, keyed, verb, rows: rowsOf(text) };
}
