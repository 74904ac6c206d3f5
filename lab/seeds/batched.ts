import type { TSESTree } from '@typescript-eslint/utils';
import type { Node } from '../../src/analysis/syntax/ast.ts';
import type { FileFacts } from '../../src/analysis/file/file.ts';
import { endsAt, startsAt } from '../../src/analysis/syntax/places.ts';
import {
  awaitedDeclaration,
  callbackOf,
  callsOf,
  propertyOf,
  quotedText,
  receiverOf,
} from './syntax.ts';

/** `const rows = await …` that asks once for a whole list, and how the same is asked for one element of it. */
export interface Batched {
  readonly declaration: TSESTree.VariableDeclaration;
  /** What the answers are called. */
  readonly result: string;
  readonly list: Node;
  /** What an element is called in `one`. */
  readonly element: string;
  /** The call for one element; its promise. */
  readonly one: string;
  /** What of that answer is an answer: `.rows`, a list itself; a single row where absent. */
  readonly rows?: string;
}

type Finder = (file: FileFacts) => Generator<Batched>;

/** By who is asked. */
export const batchedBy = {
  *sql(file) {
    for (const call of callsOf(file, 'query')) {
      const [text, values] = call.arguments;
      const sql = quotedText(file, text);
      const list = values?.type === 'ArrayExpression' ? values.elements[0] : undefined;
      const declared = awaitedDeclaration(call);
      if (!sql || !/^\s*select\b.*= any\(\$1\)/is.test(sql) || !list || !declared) continue;
      const { declaration, id } = declared;
      const result = id.type === 'ObjectPattern' ? 'rows' : file.textOf(id);
      const one = `${file.textOf(call.callee)}('${sql.replace('any($1)', '$1')}', [element])`;
      yield { declaration, result, list, element: 'element', one, rows: '.rows' };
    }
  },

  *prisma(file) {
    for (const call of callsOf(file, 'findMany')) {
      const where = propertyOf(call.arguments[0], 'where')?.value;
      const list = propertyOf(propertyOf(where, 'id')?.value, 'in')?.value;
      const one = `${receiverText(file, call)}.findUnique({ where: { id: element } })`;
      yield* batchedOf(file, call, { list, one });
    }
  },

  *builder(file) {
    for (const call of callsOf(file, 'whereIn')) {
      const one = `${receiverText(file, call)}.where('id', element).first()`;
      yield* batchedOf(file, call, { list: call.arguments[1], one });
    }
    for (const call of callsOf(file, 'inArray')) {
      yield* rewritten(file, call, call.arguments[1], [call.callee, 'eq']);
    }
    for (const call of callsOf(file, 'where')) {
      const [, operator, list] = call.arguments;
      if (operator && quotedText(file, operator) === 'in') {
        yield* rewritten(file, call, list, [operator, "'='"]);
      }
    }
  },

  *model(file) {
    for (const call of callsOf(file, 'findBy')) {
      const within = propertyOf(call.arguments[0], 'id')?.value;
      const list = within?.type === 'CallExpression' ? within.arguments[0] : undefined;
      const one = `${receiverText(file, call)}.findOneByOrFail({ id: element })`;
      yield* batchedOf(file, call, { list, one });
    }
    for (const call of callsOf(file, 'findAll')) {
      const list = propertyOf(propertyOf(call.arguments[0], 'where')?.value, 'id')?.value;
      const one = `${receiverText(file, call)}.findByPk(element)`;
      yield* batchedOf(file, call, { list, one });
    }
  },

  *mongo(file) {
    for (const call of callsOf(file, 'find')) {
      const [filter] = call.arguments;
      const property = filter?.type === 'ObjectExpression' ? filter.properties[0] : undefined;
      if (property?.type !== 'Property' || call.parent.type !== 'MemberExpression') continue;
      const list = propertyOf(property.value, '$in')?.value;
      const key = file.textOf(property.key);
      const one = `${receiverText(file, call)}.findOne({ ${key}: element })`;
      yield* batchedOf(file, call.parent.parent, { list, one });
    }
  },

  *redis(file) {
    for (const call of callsOf(file, 'mget', 'mGet')) {
      const one = `${receiverText(file, call)}.get(element)`;
      yield* batchedOf(file, call, { list: call.arguments[0], one });
    }
  },

  /** One question per element, all sent together. */
  *mapped(file) {
    for (const call of callsOf(file, 'pMap')) {
      const callback = callbackOf(call, 1);
      if (!callback || callback.body.type === 'BlockStatement') continue;
      const element = file.textOf(callback.params[0]!);
      const one = file.textOf(callback.body);
      yield* batchedOf(file, call, { list: call.arguments[0], element, one });
    }
  },
} satisfies Record<string, Finder>;

function* batchedOf(
  file: FileFacts,
  awaited: Node,
  parts: { readonly list: Node | undefined; readonly one: string; readonly element?: string },
): Generator<Batched> {
  const declared = awaitedDeclaration(awaited);
  const { list, one, element = 'element' } = parts;
  if (!declared || !list) return;
  const { declaration, id } = declared;
  yield { declaration, result: file.textOf(id), list, element, one };
}

/** The awaited chain around `call` with its list as one element, and another node as other text. */
function* rewritten(
  file: FileFacts,
  call: Node,
  list: Node | undefined,
  swap: readonly [Node, string],
): Generator<Batched> {
  const around = file.nodes
    .all('AwaitExpression')
    .find((it) => startsAt(it) < startsAt(call) && endsAt(call) <= endsAt(it));
  const declared = around && awaitedDeclaration(around.argument);
  if (!declared || !list) return;
  const { declaration, id } = declared;
  let one = '';
  let position = startsAt(around.argument);
  for (const [node, text] of [swap, [list, 'element'] as const]) {
    one += file.text.slice(position, startsAt(node)) + text;
    position = endsAt(node);
  }
  one += file.text.slice(position, endsAt(around));
  yield { declaration, result: file.textOf(id), list, element: 'element', one, rows: '' };
}

function receiverText(file: FileFacts, call: TSESTree.CallExpression): string {
  const receiver = receiverOf(call);
  return receiver ? file.textOf(receiver) : '';
}
