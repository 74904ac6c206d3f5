import { deepStrictEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { globSync } from 'tinyglobby';
import ts from 'typescript';
import { libraries } from '../src/analysis/model/index.ts';

const SOURCES = ['src/analysis/**/*.ts', 'src/patterns/**/*.ts', 'rules/**/*.ts'];
const MODEL = 'src/analysis/model/';

/** Modules of Node.js have the names of environments: `fs`, `dns`. */
const identifiers: ReadonlySet<string> = new Set(
  libraries.flatMap((it) => [it.name, ...it.modules]).filter((it) => !builtinModules.includes(it)),
);

describe('names of libraries', () => {
  const files = globSync(SOURCES).sort();
  const trees = files.map((path) =>
    ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true),
  );
  // `'redis'` is an environment, `'sleep'` a kind of pause: words of our types are no names.
  const words = new Set(trees.flatMap((it) => nodesOf(it).flatMap(wordsOf)));
  const names = new Set([...identifiers].filter((it) => !words.has(it)));
  const others = trees.filter((it) => !it.fileName.startsWith(MODEL));

  it('are in the model only', () => {
    deepStrictEqual(
      others.flatMap((tree) =>
        nodesOf(tree)
          .filter((it) => namesLibrary(it, names))
          .map((it) => `${placeOf(it)}: ${it.getText()}`),
      ),
      [],
    );
  });

  it('are compared with no text', () => {
    deepStrictEqual(
      others.flatMap((tree) =>
        nodesOf(tree)
          .filter(comparesLibrary)
          .map((it) => `${placeOf(it)}: ${it.getText()}`),
      ),
      [],
    );
  });

  it('are found in any form', () => {
    const found = (text: string) =>
      nodesOf(ts.createSourceFile('any.ts', text, ts.ScriptTarget.Latest, true)).some(
        (it) => namesLibrary(it, names) || comparesLibrary(it),
      );
    const naming = [
      "library.name === 'redis'",
      "effect.library !== 'crypto'",
      "name.startsWith('mariadb')",
      "const BULK = { typeorm: 'save', '@prisma/client': 'createMany' }",
      'const MAPPERS = /^(?:knex|@prisma\\/client)$/',
      'const QUEUES = /^(?:pg-boss|graphile-worker)$/',
      '/^(?:pg|mysql2?|mariadb)/.test(name)',
      '/bcrypt|argon2/.test(library)',
      "new Set(['pg', 'other'])",
      'const name = `oracledb`',
      '/^Sqlite/.test(handle.library.name)',
      'STRICT.test(handle.library.name)',
    ];
    const harmless = [
      "effect.env === 'redis'",
      "kind === 'sleep'",
      'const QUERIES = /conn|exec|knex|pool|quer|sql/i',
      'const UNREAD = /\\bfetch\\s*\\(|\\bundici\\b/i',
      'const CALLED = /^_?(?:req|ctx|app|fastify|instance)$/',
      "const text = 'the pg pool'",
      "import { pg } from './pg.ts'",
    ];
    deepStrictEqual(
      naming.filter((it) => !found(it)),
      [],
    );
    deepStrictEqual(harmless.filter(found), []);
  });
});

function namesLibrary(node: ts.Node, names: ReadonlySet<string>): boolean {
  if (ts.isStringLiteralLike(node)) return !isSpecifier(node) && names.has(node.text);
  if (ts.isRegularExpressionLiteral(node)) return listsNames(node, names);
  // `{ typeorm: 'save' }`
  return ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && names.has(node.name.text);
}

/**
 * Whether a regular expression lists libraries: at least half of the words of an anchored one are names, or all words of
 * another. A list of words that code contains has other words, too.
 */
function listsNames(node: ts.RegularExpressionLiteral, names: ReadonlySet<string>): boolean {
  const source = node.text.slice(1, node.text.lastIndexOf('/'));
  const words = source
    .replaceAll('\\/', '/')
    .replaceAll(/\\[A-Za-z]|\?[:=!]/g, ' ')
    .split(/[^\w@/.-]+/)
    .filter((it) => /\w/.test(it));
  const named = words.filter((it) => names.has(it));
  const isAnchored = source.startsWith('^');
  return named.length > 0 && named.length >= (isAnchored ? words.length / 2 : words.length);
}

/** `effect.library === 'redis'`, `/any pattern/.test(handle.library.name)` */
function comparesLibrary(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node) && /^[!=]==?$/.test(node.operatorToken.getText())) {
    const sides = [node.left, node.right];
    return sides.some(isName) && sides.some((it) => ts.isStringLiteralLike(it));
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { expression: pattern, name } = node.expression;
  // `/^[^/]+/` contains no name.
  const isGeneral = ts.isRegularExpressionLiteral(pattern) && !/\w\w/.test(pattern.text);
  return /^(?:test|exec)$/.test(name.text) && !isGeneral && node.arguments.some(isName);
}

function isName(node: ts.Node): boolean {
  return /(?:^|\.)(?:library(?:!?\.name)?|typeName)$/.test(node.getText());
}

function isSpecifier({ parent }: ts.Node): boolean {
  return ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent);
}

/** The words of a type: its texts, and the names of its properties. */
function wordsOf(node: ts.Node): readonly string[] {
  if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)) return [node.literal.text];
  return ts.isPropertySignature(node) && ts.isIdentifier(node.name) ? [node.name.text] : [];
}

function nodesOf(root: ts.Node): readonly ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    found.push(node);
    node.forEachChild(visit);
  };
  visit(root);
  return found;
}

function placeOf(node: ts.Node): string {
  const file = node.getSourceFile();
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}
