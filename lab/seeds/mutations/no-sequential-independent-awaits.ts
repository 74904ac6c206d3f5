import type { TSESTree } from '@typescript-eslint/utils';
import { dottedName, type Node } from '../../../src/analysis/syntax/ast.ts';
import type { FileFacts } from '../../../src/analysis/file/file.ts';
import { type Mutations, type RuleMutations, removed, replaced, seedAt } from '../seed.ts';
import { awaitedDeclaration, callsOf, statementAfter } from '../syntax.ts';

const mutations: Mutations = {
  *'awaits one after the other'(file) {
    for (const { declaration, parts } of joinedIn(file)) {
      yield seedAt(declaration, replaced(declaration, parts.map(awaited).join(' ')));
    }
  },

  *'awaits the last one by itself'(file) {
    for (const { declaration, parts } of joinedIn(file)) {
      if (parts.length < 3) continue;
      const first = parts.slice(0, -1);
      const names = first.map((it) => it.name).join(', ');
      const calls = first.map((it) => it.call).join(', ');
      const joined = `const [${names}] = await Promise.all([${calls}]);`;
      yield seedAt(declaration, replaced(declaration, `${joined} ${awaited(parts.at(-1)!)}`));
    }
  },

  *'awaits in the properties of what it returns'(file) {
    for (const { declaration, parts } of joinedIn(file)) {
      const next = statementAfter(declaration);
      if (next?.type !== 'ReturnStatement' || next.argument?.type !== 'ObjectExpression') continue;
      const { properties } = next.argument;
      const isAll = properties.every((it) => parts.some(({ name }) => name === file.textOf(it)));
      if (!isAll || properties.length !== parts.length) continue;
      const entries = parts.map(({ name, call }) => `${name}: await ${call}`);
      const returned = `return { ${entries.join(', ')} };`;
      yield seedAt(declaration, removed(declaration), replaced(next, returned));
    }
  },
};

export default { mutations } satisfies RuleMutations;

interface Part {
  readonly name: string;
  readonly call: string;
}

/** `const [a, b] = await Promise.all([A, B]);`, in parts. */
function* joinedIn(file: FileFacts) {
  for (const call of callsOf(file, 'all')) {
    const [list] = call.arguments;
    const declared = awaitedDeclaration(call);
    if (dottedName(call.callee) !== 'Promise.all' || list?.type !== 'ArrayExpression') continue;
    if (declared?.id.type !== 'ArrayPattern') continue;
    const calls = list.elements as readonly (Node | null)[];
    const parts = declared.id.elements.flatMap((name, i): Part[] =>
      name && calls[i] ? [{ name: file.textOf(name), call: file.textOf(calls[i]) }] : [],
    );
    if (parts.length !== calls.length) continue;
    yield { declaration: declared.declaration as TSESTree.Statement, parts };
  }
}

function awaited({ name, call }: Part): string {
  return `const ${name} = await ${call};`;
}
