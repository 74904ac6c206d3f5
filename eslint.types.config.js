// What takes the types of the whole program, which takes as long as all other checks: `npm run lint:types`.
import plugin from '@typescript-eslint/eslint-plugin';
import * as typescriptParser from '@typescript-eslint/parser';

/** The nodes whose `body` an edit exchanges: src/engine/tracked-tree.ts. */
const trackedTypes =
  /^(?:(?:TSEmptyBody|Arrow)?Function(?:Declaration|Expression)\w*|ClassBody|Program)$/;

/** A read of such a body is a dependency of the active query, so it goes through `bodyOf()`. */
const trackedReads = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { untracked: 'Read this body with bodyOf(): an edit may exchange it.' },
  },
  create(context) {
    const { program, esTreeNodeToTSNodeMap } = context.sourceCode.parserServices;
    const checker = program.getTypeChecker();
    const isTracked = (type) =>
      type.types?.some(isTracked) ?? trackedTypes.test(type.symbol?.name ?? '');
    const check = (node, owner) => {
      const type = checker.getTypeAtLocation(esTreeNodeToTSNodeMap.get(owner));
      if (isTracked(type)) context.report({ node, messageId: 'untracked' });
    };
    return {
      'MemberExpression[property.name="body"]': (node) => check(node, node.object),
      'ObjectPattern > Property[key.name="body"]': (node) => check(node, node.parent),
    };
  },
};

export default [
  { name: 'ignored', ignores: ['**/dist/', 'fixtures/'] },
  {
    name: 'promises',
    files: ['**/*.ts'],
    languageOptions: { parser: typescriptParser, parserOptions: { projectService: true } },
    plugins: { typescript: plugin },
    rules: {
      'typescript/no-floating-promises': 'error',
      'typescript/no-misused-promises': 'error',
    },
  },
  {
    name: 'tracked reads',
    files: ['src/{analysis,patterns}/**/*.ts', 'rules/**/*.ts'],
    plugins: { deadtime: { rules: { 'tracked-reads': trackedReads } } },
    rules: { 'deadtime/tracked-reads': 'error' },
  },
];
