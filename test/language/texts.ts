import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import {
  createSourceFile,
  forEachChild,
  isCallExpression,
  isExportDeclaration,
  isImportDeclaration,
  isNoSubstitutionTemplateLiteral,
  isStatement,
  isStringLiteral,
  isTemplateExpression,
  ScriptTarget,
  SyntaxKind,
} from 'typescript';
import type { JSDoc, Node, SourceFile } from 'typescript';
import * as examples from '../../src/cli/examples.ts';
import { programFor } from '../../src/cli/program.ts';
import { rules } from '../../rules/index.ts';

/** Texts by the file that contains them. */
export type Texts = ReadonlyMap<string, string>;

/** All texts that users and contributors read, without the code that they quote. */
export function readTexts(): Texts {
  const texts = new Map<string, string>();
  const add = (path: string, text: string) =>
    texts.set(path, `${texts.get(path) ?? ''}\n${withoutCode(text)}`);
  for (const path of markdownFiles()) add(path, readFileSync(path, 'utf8'));
  for (const rule of rules) add(`rules/${rule.id}/rule.ts`, textsOfRule(rule).join('\n'));
  add('src/cli/program.ts', helpOfAllCommands());
  add(
    'extension/package.json',
    stringsOf(JSON.parse(readFileSync('extension/package.json', 'utf8'))),
  );
  for (const path of sourceFiles()) add(path, textsInCode(path).join('\n'));
  for (const path of testFiles()) add(path, titlesIn(fileAt(path)).join('\n'));
  return texts;
}

function markdownFiles(): readonly string[] {
  return globSync(['*.md', '.github/**/*.md', '{docs,extension,lab,rules,skills,src}/**/*.md'], {
    ignore: ['CHANGELOG.md', 'lab/notes/**', '**/node_modules/**', '**/dist/**'],
    dot: true,
  }).sort();
}

function sourceFiles(): readonly string[] {
  return globSync('{src,rules,server,extension,tools}/**/*.ts', {
    // Words of the code that is analysed; what follows from them is in the pages of the rules.
    ignore: ['**/node_modules/**', '**/dist/**', 'src/analysis/words/*.ts'],
  }).sort();
}

function testFiles(): readonly string[] {
  return globSync('{lab,test}/**/*.ts', { ignore: ['**/node_modules/**', '**/dist/**'] }).sort();
}

function fileAt(path: string): SourceFile {
  return createSourceFile(path, readFileSync(path, 'utf8'), ScriptTarget.Latest, true);
}

/** Quoted names are contracts: `flagged` is a field of JSON, and "mended" the value of an option. */
function withoutCode(text: string): string {
  return text
    .replaceAll(/^ *(```|~~~).*?^ *\1/gms, '')
    .replaceAll(/`[^`\n]*`|"[\w-]+"/g, '`…`')
    .replaceAll(/\]\([^)\s]*\)/g, ']()')
    .replaceAll(/https?:\S+/g, '');
}

function textsOfRule({ description, messages, suggestions, options }: (typeof rules)[number]) {
  return [
    description,
    ...Object.values(messages).flatMap(({ text, cost = '', fix }) => [text, cost, ...fix.steps]),
    ...Object.values(suggestions),
    ...Object.values(options).map((it) => it.description),
  ];
}

function helpOfAllCommands(): string {
  const program = programFor(() => undefined);
  const pages = [program, ...program.commands].map((it) => it.helpInformation());
  return [...pages, ...Object.values(examples)].join('\n');
}

function stringsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(stringsOf).join('\n');
}

/** Doc comments of exported declarations and of their members, and strings that are sentences or parts of them. */
function textsInCode(path: string): readonly string[] {
  const file = fileAt(path);
  const docs = file.statements.filter(isExported).flatMap((it) => docsIn(file, it));
  return [...docs, ...proseIn(file)];
}

function isExported(node: Node): boolean {
  const { modifiers } = node as { readonly modifiers?: readonly Node[] };
  return modifiers?.some(({ kind }) => kind === SyntaxKind.ExportKeyword) ?? false;
}

function docsIn(file: SourceFile, node: Node): readonly string[] {
  const { jsDoc = [] } = node as { readonly jsDoc?: readonly JSDoc[] };
  const docs = jsDoc.map((it) => it.getText(file).replaceAll(/^\s*\/?\*+\/?/gm, ''));
  forEachChild(node, (child) => {
    // What a function contains is no part of its declaration.
    if (!isStatement(child)) docs.push(...docsIn(file, child));
  });
  return docs;
}

/** Strings of three words and more; stylesheets, statements of SQL and code contain semicolons, or no spaces. */
function proseIn(node: Node): readonly string[] {
  if (isTemplateExpression(node)) {
    return prose([node.head, ...node.templateSpans.map((it) => it.literal)].map((it) => it.text));
  }
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return prose([node.text]);
  const found: string[] = [];
  // The name of a module is a path.
  if (isImportDeclaration(node) || isExportDeclaration(node)) return found;
  forEachChild(node, (child) => {
    found.push(...proseIn(child));
  });
  return found;
}

function prose(parts: readonly string[]): readonly string[] {
  const text = parts.join('…');
  const isProse = (text.match(/[a-z’']{2,}/gi) ?? []).length >= 3 && !/;|^\S*$/.test(text);
  return isProse ? [text] : [];
}

/** What `describe` and `it` are called with. */
function titlesIn(node: Node): readonly string[] {
  const titles: string[] = [];
  if (
    isCallExpression(node) &&
    /^(?:describe|it)(?:\.(?:only|skip))?$/.test(node.expression.getText())
  ) {
    titles.push(node.arguments[0]?.getText() ?? '');
  }
  forEachChild(node, (child) => {
    titles.push(...titlesIn(child));
  });
  return titles;
}
