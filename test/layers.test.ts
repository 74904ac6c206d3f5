import { deepStrictEqual } from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';

interface Layer {
  /** The folders and files of ours that it may import besides itself. */
  readonly imports: readonly string[];
  /** The packages and Node modules that may be loaded at run time; absent means any. */
  readonly packages?: RegExp;
  /** Those of which only types may be imported. */
  readonly types?: RegExp;
  /** Globals through which a pure folder would reach the world. */
  readonly isPure?: boolean;
}

const syntaxTypes = /^@typescript-eslint\/utils(?:\/|$)/;
const facts = ['src/engine', 'src/analysis', 'src/patterns'] as const;
const pure = { types: syntaxTypes, isPure: true } as const;

/** Which folder may import which, in the order of the data; one within another counts by itself. There is no list of exceptions. */
const layers: Readonly<Record<string, Layer>> = {
  // What Deadtime does to the machine: files of its own, processes.
  'src/system': { imports: [], packages: /^node:(?:fs|path|os|crypto|child_process)$/ },
  'src/engine': { imports: [], packages: /^$/, ...pure },
  // What code is and does.
  'src/analysis': {
    imports: ['src/engine'],
    packages: /^@typescript-eslint\/visitor-keys$/,
    ...pure,
  },
  // What rules look for.
  'src/patterns': { imports: ['src/engine', 'src/analysis'], packages: /^$/, ...pure },
  rules: { imports: facts, packages: /^$/, ...pure },
  'src/project': {
    imports: [...facts, 'src/system/regular-file.ts'],
    packages: /^node:(?:fs|path|url|module|os|crypto)$/,
    types: /^(?:typescript$|@typescript-eslint\/)/,
  },
  // Loads what a project has installed, in a process that this folder starts.
  'src/project/typescript': {
    imports: [...facts, 'src/project', 'src/system'],
    packages: /^node:.*$/,
    types: /^typescript$/,
  },
  'src/scan': {
    imports: ['rules', 'src/project', ...facts, 'src/system', 'src/runtime'],
    packages: /^(?:node:.*|jsonc-parser|oxc-parser)$/,
    types: syntaxTypes,
  },
  // Git is a process: nothing that an editor or a linter loads needs it.
  'src/scan/review': {
    imports: [
      ...['src/scan', 'src/project', 'rules', 'src/system', 'src/analysis/syntax/grouped.ts'],
      'src/engine/dependencies.ts',
    ],
    packages: /^node:.*$/,
  },
  'src/eslint': {
    imports: [
      ...facts,
      'src/project',
      'rules',
      'src/scan',
      'src/system/package-root.ts',
      'src/system/own-command.ts',
    ],
    packages: /^node:(?:fs|path|worker_threads)$/,
    types: /^(?:eslint$|@typescript-eslint\/)/,
  },
  // Nothing that an editor or a linter loads may reach them: they open servers and start processes.
  'src/proof': {
    imports: ['rules', 'src/patterns/skeleton/shape.ts', 'src/system'],
    packages: /^(?:node:.*|pg|mysql2(?:\/promise)?)$/,
  },
  'src/report': {
    imports: [
      ...['src/scan', 'rules', 'src/proof/result.ts', 'src/proof/bounds.ts', 'src/runtime'],
      'src/proof/measure/results.ts',
      ...['src/proof/suite/result.ts', 'src/system/own-command.ts'],
    ],
    packages: /^(?:node:path|node:url|node:util|node:zlib|picocolors)$/,
    types: /^sarif$/,
    isPure: true,
  },
  // What a recording is: for the program that is measured, and for those that read it.
  'src/runtime': {
    imports: ['src/analysis/syntax/grouped.ts', 'src/analysis/model/measured-methods.ts'],
    packages: /^$/,
    isPure: true,
  },
  // Loaded into the program that is measured: neither the analysis nor a parser.
  'src/runtime/program': {
    imports: ['src/runtime', 'src/system'],
    packages:
      /^node:(?:async_hooks|diagnostics_channel|fs|module|path|perf_hooks|url|worker_threads|zlib)$/,
    types: /^node:http$/,
  },
  // Threads that are ended when they hang; knows nothing of what they do.
  'src/watch': { imports: [], packages: /^node:worker_threads$/ },
  // Beside what shows and estimates proofs: those run in processes of their own.
  server: {
    imports: [
      ...['src/scan', 'src/report', 'rules', 'src/project', 'src/project/typescript'],
      ...['src/system', 'src/watch', 'src/proof/result.ts', 'src/proof/estimate.ts'],
    ],
    packages: /^(?:node:.*|vscode-languageserver(?:\/node|-textdocument)?)$/,
  },
  // The one file that other programs share with the server.
  'server/protocol.ts': { imports: [], packages: /^$/, isPure: true },
  'src/mcp': {
    imports: [
      ...['src/scan/review', 'src/scan', 'src/report', 'rules', 'src/project', 'src/watch'],
      ...['server/proofs/run-proof.ts', 'src/proof/result.ts', 'src/system/processes.ts'],
    ],
    packages: /^(?:node:.*|@modelcontextprotocol\/server(?:\/stdio)?|zod)$/,
  },
  'src/cli': {
    imports: [
      ...['src/scan/review', 'src/scan', 'src/report', 'rules', 'src/project'],
      ...['src/project/typescript', 'src/proof', 'server', 'server/protocol.ts', 'src/mcp'],
      ...['src/system', 'src/watch', 'src/runtime'],
    ],
    packages:
      /^(?:node:.*|commander|jsonc-parser|oxc-parser|picocolors|vscode-languageserver\/node)$/,
  },
  // Whatever it shows comes from the server, ready to be shown.
  extension: {
    imports: ['server/protocol.ts'],
    packages: /^(?:vscode|vscode-languageclient\/node)$/,
  },
};

/** The folders of the analysis in their order: each may import those before it, of types as of values. */
const order = [
  'src/engine', // which results outlast an edit
  'src/analysis/syntax', // trees, names and places
  'src/analysis/words', // what names and comments state
  'src/analysis/sql', // statements as texts
  'src/analysis/model', // libraries as data
  'src/analysis/file', // what others ask of a file, and what a value is
  'src/analysis/provenance', // what an expression is
  'src/analysis/values', // numbers, and how many of something there are
  'src/analysis/flow', // where control goes: callbacks, waits, loops, pauses
  'src/analysis/effects', // what one call does, and where
  'src/analysis/ownership', // connections that have to be released
  'src/analysis/connections', // where connections are checked out, and for whom
  'src/analysis/behaviour', // what a function does in all
  'src/analysis/loops', // what iterations share
  'src/analysis/contexts', // how often code runs, and for whom
  'src/analysis/coverage', // how much of all this is resolved
  'src/analysis/facts.ts', // puts together what is resolved of one file
  'src/patterns/pools',
  'src/patterns/pauses',
  'src/patterns/writes',
  'src/patterns/load',
  'src/patterns/independence',
  'src/patterns/skeleton', // programs for proofs
];

/** Whole packages whose loading would cost every host more than the analysis. */
const everywhereForbidden =
  /^(?:eslint|typescript|@typescript-eslint\/(?:parser|typescript-estree|utils))(?:\/|$)/;

describe('layers', () => {
  for (const [name, layer] of Object.entries(layers)) {
    it(`${name} imports only ${layer.imports.join(', ') || 'itself'}`, () => {
      deepStrictEqual(
        filesIn(name).flatMap((file) => strayImports(file, name, layer)),
        [],
      );
    });

    if (layer.isPure) {
      it(`${name} reaches neither console nor process nor timers`, () => {
        deepStrictEqual(filesIn(name).flatMap(impureNames), []);
      });
    }
  }

  it('each folder of the analysis imports only those before it', () => {
    const placeOf = (file: string) =>
      order.findIndex((it) => file === it || file.startsWith(`${it}/`));
    const files = facts.flatMap(filesIn);
    deepStrictEqual(
      files.flatMap((file) =>
        importsOf(file)
          .map(({ specifier }) => targetOf(file, specifier))
          .filter((it) => placeOf(it) > placeOf(file))
          .map((it) => `${file} imports ${it}`),
      ),
      [],
    );
    // What has no place would be left out.
    deepStrictEqual(
      files.filter((it) => placeOf(it) < 0),
      [],
    );
  });

  it('what a linter loads starts no process but that of a configuration', () => {
    const loaded = ['src/eslint', ...layers['src/eslint']!.imports].flatMap(filesIn);
    deepStrictEqual(
      loaded.filter((file) =>
        importsOf(file).some((it) => it.specifier.endsWith('/system/processes.ts')),
      ),
      ['src/scan/configuration-program.ts'],
    );
  });

  it('one file starts processes', () => {
    deepStrictEqual(
      shipped().filter((file) =>
        importsOf(file).some(({ specifier, isType }) => !isType && processModules.test(specifier)),
      ),
      ['src/system/processes.ts'],
    );
  });

  it('one folder writes files of ours, and one file those that a user names', () => {
    deepStrictEqual(
      shipped().filter((file) => writesFiles(file) && !file.startsWith('src/system/')),
      ['src/cli/write-files.ts'],
    );
  });

  it('what an editor loads opens no connection', () => {
    const loaded = ['server', ...layers['server']!.imports];
    deepStrictEqual(
      loaded.flatMap(filesIn).flatMap((file) => [
        ...importsOf(file)
          .filter(({ specifier }) => networkModules.test(specifier))
          .map(({ specifier }) => `${file} imports ${specifier}`),
        ...usesOf(networkNames, file),
      ]),
      [],
    );
  });
});

function shipped(): readonly string[] {
  return Object.keys(layers)
    .filter((it) => !it.endsWith('.ts'))
    .flatMap(filesIn);
}

const fileModules = /^(?:node:)?fs(?:\/promises)?$/;
/** What of them only looks, or needs a descriptor that another function has opened. */
const reading =
  /^(?:(?:access|exists|fstat|lstat|opendir|read|readdir|readFile|readlink|realpath|stat|statfs)(?:Sync)?|closeSync|constants|createReadStream|fdatasyncSync|writeSync|Dirent|Stats|watch)$/;

function writesFiles(file: string): boolean {
  return importsOf(file).some(
    ({ specifier, isType, names }) =>
      !isType && fileModules.test(specifier) && !names?.every((it) => reading.test(it)),
  );
}

const processModules = /^(?:node:)?(?:child_process|cluster)$/;
const networkModules = /^(?:node:)?(?:https?|http2|net|tls|dgram|dns|dns\/promises)$/;
const networkNames = new Set(['fetch', 'WebSocket', 'EventSource']);

function strayImports(file: string, name: string, layer: Layer): readonly string[] {
  return importsOf(file)
    .filter(({ specifier, isType }) => {
      if (specifier.startsWith('.')) {
        const target = targetOf(file, specifier);
        return ![name, ...layer.imports].some((it) => it === target || it === layerOf(target));
      }
      if (isType && layer.types?.test(specifier)) return false;
      if (!isType && everywhereForbidden.test(specifier)) return true;
      return layer.packages?.test(specifier) === false;
    })
    .map(({ specifier, isType }) => `${file} imports ${isType ? 'types of ' : ''}${specifier}`);
}

/** The file of ours that a relative specifier names, from the root of the project; '' for others. */
function targetOf(file: string, specifier: string): string {
  if (!specifier.startsWith('.')) return '';
  return relative('.', resolve(file, '..', specifier))
    .split(sep)
    .join('/');
}

interface Import {
  readonly specifier: string;
  readonly isType: boolean;
  /** undefined where it is all that the module has. */
  readonly names: readonly string[] | undefined;
}

function importsOf(file: string): readonly Import[] {
  const imports: Import[] = [];
  visit(syntaxOf(file), (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      const { moduleSpecifier } = node;
      if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier)) return;
      imports.push({
        specifier: moduleSpecifier.text,
        isType: isTypeOnly(node),
        names: namesIn(node),
      });
    }
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const { literal } = node.argument;
      if (ts.isStringLiteral(literal))
        imports.push({ specifier: literal.text, isType: true, names: [] });
    }
    if (ts.isCallExpression(node)) {
      const [first] = node.arguments;
      const loads =
        node.expression.kind === ts.SyntaxKind.ImportKeyword ||
        node.expression.getText() === 'require';
      if (!loads || !first) return;
      const specifier = ts.isStringLiteralLike(first) ? first.text : first.getText();
      imports.push({ specifier, isType: false, names: undefined });
    }
  });
  return imports;
}

function namesIn(node: ts.ImportDeclaration | ts.ExportDeclaration): readonly string[] | undefined {
  const named = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
  if (!named || !('elements' in named)) return undefined;
  return named.elements.map((it) => (it.propertyName ?? it.name).text);
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  const { importClause } = node;
  if (!importClause) return false;
  if (importClause.isTypeOnly) return true;
  const named = importClause.namedBindings;
  return (
    !importClause.name &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.every((it) => it.isTypeOnly)
  );
}

const worldly = new Set([
  ...['console', 'process', 'globalThis', 'fetch', 'performance'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'],
]);

function impureNames(file: string): readonly string[] {
  return usesOf(worldly, file);
}

/** As a value: `node.process` and `{ process: 1 }` are other things. */
function usesOf(names: ReadonlySet<string>, file: string): readonly string[] {
  const found: string[] = [];
  visit(syntaxOf(file), (node) => {
    if (!ts.isIdentifier(node) || !names.has(node.text)) return;
    const { parent } = node;
    if (ts.isPropertyAccessExpression(parent) && parent.name === node) return;
    if ('name' in parent && parent.name === node) return;
    found.push(`${file} uses ${node.text}`);
  });
  return found;
}

function visit(node: ts.Node, each: (node: ts.Node) => void): void {
  each(node);
  node.forEachChild((child) => visit(child, each));
}

const trees = new Map<string, ts.SourceFile>();

function syntaxOf(file: string): ts.SourceFile {
  const known = trees.get(file);
  if (known) return known;
  const text = readFileSync(file, 'utf8');
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  trees.set(file, tree);
  return tree;
}

/** The sources of a layer, without those of layers within it. */
function filesIn(name: string): readonly string[] {
  if (name.endsWith('.ts')) return [name];
  if (!existsSync(name)) return [];
  return readdirSync(name, { recursive: true, encoding: 'utf8' })
    .filter((it) => it.endsWith('.ts') && !it.startsWith(`dist${sep}`))
    .map((it) => join(name, it).split(sep).join('/'))
    .filter((it) => layerOf(it) === name);
}

/** The innermost layer that has the file; '' where none has. */
function layerOf(file: string): string {
  const folders = Object.keys(layers).filter((it) => file.startsWith(`${it}/`));
  return folders.sort((a, b) => b.length - a.length)[0] ?? '';
}
