import * as typescriptParser from '@typescript-eslint/parser';
import eslintPlugin from 'eslint-plugin-eslint-plugin';
import regexp from 'eslint-plugin-regexp';
import deadtime from './src/eslint/plugin.ts';

export default [
  { name: 'ignored', ignores: ['**/dist/', 'fixtures/'] },
  deadtime.configs.strict,
  {
    name: 'code',
    files: ['**/*.{ts,js,mjs}'],
    languageOptions: { parser: typescriptParser },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'max-lines': ['error', { max: 400 }],
      'no-constant-binary-expression': 'error',
      'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
      'no-else-return': 'error',
      'no-empty-character-class': 'error',
      'no-fallthrough': 'error',
      'no-param-reassign': 'error',
      'no-self-compare': 'error',
      'no-sparse-arrays': 'error',
      'no-unmodified-loop-condition': 'error',
      'no-unreachable': 'error',
      'no-unsafe-finally': 'error',
      'no-useless-assignment': 'error',
      'no-useless-escape': 'error',
      'no-useless-return': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'require-yield': 'error',
      'use-isnan': 'error',
    },
  },
  {
    name: 'functions',
    files: ['**/*.{ts,js,mjs}'],
    ignores: ['test/**'],
    rules: {
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    name: 'regular expressions over the text of others',
    files: ['**/*.ts'],
    ignores: ['test/**', 'tools/**', 'lab/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  { ...eslintPlugin.configs.all, name: 'plugin', files: ['src/eslint/plugin.ts'] },
  {
    name: 'rules',
    files: ['rules/*/rule.ts'],
    rules: {
      'max-lines': ['error', { max: 120 }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    name: 'pure code',
    files: ['src/{engine,analysis,patterns,report}/**', 'rules/**'],
    rules: {
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { property: '$id', message: "ESLint's own scopes have no ids; use variableKey." },
        { property: 'loc', message: 'oxc-parser makes no loc; use range.' },
      ],
    },
  },
];
