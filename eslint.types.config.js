// What takes the types of the whole program, which takes as long as all other checks: `npm run lint:types`.
import plugin from '@typescript-eslint/eslint-plugin';
import * as typescriptParser from '@typescript-eslint/parser';

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
];
