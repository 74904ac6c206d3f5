import { isAny, parts, propertyType } from './declared-types.ts';
import { join } from 'node:path';
import ts from 'typescript';
import { libraryNamed, typeOf } from '../../src/analysis/model/index.ts';
import type { Library, LibraryType, Member, Signature } from '../../src/analysis/model/schema.ts';

/**
 * What the model claims and the declarations of the modules do not contain: missing exports and members, results that are no
 * promises, callbacks in a different place. Types are compared where calls and constructors lead to them, and by their names
 * where a module exports those. Modules are resolved as from a file in `folder`.
 */
export function problemsOf(
  modules: Readonly<Record<string, readonly string[]>>,
  folder: string = import.meta.dirname,
): string[] {
  const walk = startedWalk([...new Set(Object.values(modules).flat())], folder);
  const libraries = Object.entries(modules).map(([name, specifiers]) => {
    const library = libraryNamed(name);
    if (!library) throw new Error(`no library is named ${name}`);
    return { library, specifiers };
  });
  for (const { library, specifiers } of libraries) visitExports(walk, library, specifiers);
  while (walk.queue.length > 0) visitType(walk, walk.queue.shift()!);
  for (const { library } of libraries) judgeTypes(walk, library);
  return [...walk.problems].filter((it) => !walk.confirmed.has(it)).sort();
}

interface Walk {
  readonly checker: ts.TypeChecker;
  readonly probe: ts.SourceFile;
  /** What `import * as` and `import default` of a specifier give. */
  readonly imports: ReadonlyMap<string, readonly ts.Type[]>;
  readonly moduleSymbols: ReadonlyMap<string, ts.Symbol>;
  readonly found: Map<LibraryType, Found>;
  readonly queue: Visit[];
  readonly shared: Map<Member, Set<string>>;
  readonly problems: Set<string>;
  /** Places where one of several declarations was as claimed: then another may differ. */
  readonly confirmed: Set<string>;
}

interface Found {
  readonly declared: Set<ts.Symbol | ts.Type>;
  readonly members: Set<string>;
  callable: boolean;
  thenable: boolean;
}

interface Visit {
  readonly library: Library;
  readonly type: LibraryType;
  readonly declared: ts.Type;
}

/** Where a signature was written: whose it is, for `this` and for messages. */
interface DeclarationPlace {
  readonly library: Library;
  readonly receiver?: LibraryType;
  readonly path: string;
}

function startedWalk(specifiers: readonly string[], folder: string): Walk {
  const fileName = join(folder, 'probe.ts');
  const text = specifiers
    .map((it, i) => `import * as all${i} from '${it}'; import default${i} from '${it}';`)
    .join('\n');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
    strict: true,
    esModuleInterop: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === fileName || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === fileName
      ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true)
      : getSourceFile(name, ...rest);
  const program = ts.createProgram([fileName], options, host);
  const checker = program.getTypeChecker();
  const probe = program.getSourceFile(fileName)!;

  const imports = new Map<string, ts.Type[]>();
  const moduleSymbols = new Map<string, ts.Symbol>();
  for (const statement of probe.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    const specifier = (statement.moduleSpecifier as ts.StringLiteral).text;
    const clause = statement.importClause!;
    const name = clause.name ?? (clause.namedBindings as ts.NamespaceImport).name;
    imports.set(specifier, [...(imports.get(specifier) ?? []), checker.getTypeAtLocation(name)]);
    const symbol = checker.getSymbolAtLocation(statement.moduleSpecifier);
    if (symbol) moduleSymbols.set(specifier, symbol);
  }
  return {
    checker,
    probe,
    imports,
    moduleSymbols,
    found: new Map(),
    queue: [],
    shared: new Map(),
    problems: new Set(),
    confirmed: new Set(),
  };
}

function visitExports(walk: Walk, library: Library, specifiers: readonly string[]): void {
  const { checker } = walk;
  for (const [name, member] of Object.entries(library.exports)) {
    if (isBeyondDeclarations(member)) continue;
    const place = { library, path: `${library.name}: ${name}` };
    const declared = specifiers.flatMap((specifier) => {
      const [all, whole] = walk.imports.get(specifier) ?? [];
      if (name === 'default') {
        // A CommonJS module is its own default, and often has one that is the thing itself.
        return [whole, all, whole && propertyType(walk, whole, name)].filter(
          (it) => it !== undefined,
        );
      }
      return [all, whole].flatMap((it) => (it ? (propertyType(walk, it, name) ?? []) : []));
    });
    const symbols = specifiers.flatMap((it) => exportedSymbols(walk, it, name));
    if (declared.every((it) => isAny(it)) && symbols.length === 0) {
      // Of many packages each has some of the exports.
      if (!library.modulePattern) walk.problems.add(`${place.path} is not exported`);
      continue;
    }
    visitMember(walk, place, member, declared);
  }
  for (const [name, type] of Object.entries(library.types)) {
    for (const symbol of specifiers.flatMap((it) => exportedSymbols(walk, it, name))) {
      // An exported class or interface; a value of the same name is no type.
      if (symbol.flags & ts.SymbolFlags.Type) {
        discover(walk, library, type, checker.getDeclaredTypeOfSymbol(symbol));
      }
    }
  }
}

/** The exports of a module by this name, and those of the namespaces that it exports: `Knex.Transaction`. */
function exportedSymbols({ checker, moduleSymbols }: Walk, specifier: string, name: string) {
  const module = moduleSymbols.get(specifier);
  if (!module) return [];
  const exported = checker.getExportsOfModule(module).map((it) => resolved(checker, it));
  const inner = exported
    .filter((it) => it.flags & ts.SymbolFlags.Namespace)
    .flatMap((it) => checker.getExportsOfModule(it))
    .map((it) => resolved(checker, it));
  return [...exported, ...inner].filter((it) => it.name === name);
}

function resolved(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function visitType(walk: Walk, { library, type, declared }: Visit): void {
  const found = walk.found.get(type)!;
  const typeName = Object.keys(library.types).find((it) => library.types[it] === type) ?? '?';
  const place = { library, receiver: type };
  const path = `${library.name}: ${typeName}`;
  const members = Object.entries(type.members ?? {}).filter(([, it]) => !isBeyondDeclarations(it));
  for (const [name] of members) {
    if (walk.checker.getPropertyOfType(declared, name)) found.members.add(name);
  }
  const isComplete = found.members.size === members.length;
  for (const [name, member] of members) {
    // The members that this step lacks are read from the next step of a chain; its type is expensive to compute.
    if (isComplete && member.returns === 'this' && !member.callback) continue;
    // Members of several types (the commands of a client and of its pool) are read once.
    const isShared = member.returns === 'Promise<any>' && !member.callback;
    if (isShared && walk.shared.get(member)?.has(name)) continue;
    const property = propertyType(walk, declared, name);
    if (property && isShared)
      walk.shared.set(member, (walk.shared.get(member) ?? new Set()).add(name));
    if (property) visitMember(walk, { ...place, path: `${path}.${name}` }, member, [property]);
  }
  for (const property of walk.checker.getPropertiesOfType(declared)) {
    const member = unlistedMember(walk, type, property);
    if (!member) continue;
    const { name } = property;
    const known = walk.checker.getTypeOfSymbolAtLocation(property, walk.probe);
    visitMember(walk, { ...place, path: `${path}.${name}` }, member, [known]);
  }
  const calls = walk.checker.getSignaturesOfType(declared, ts.SignatureKind.Call);
  if (type.call && calls.length > 0) {
    found.callable = true;
    visitSignature(walk, { ...place, path: `${path}()` }, type.call, calls);
  }
  if (propertyType(walk, declared, 'then')) found.thenable = true;
}

/** What the model claims about a declared property that it does not list. */
function unlistedMember(
  { checker, probe }: Walk,
  { members, memberPatterns = [], anyMember }: LibraryType,
  property: ts.Symbol,
): Member | undefined {
  const { name } = property;
  const file = property.declarations?.[0]?.getSourceFile();
  // What every text, list and function has is no API, nor is what is private.
  if (name.startsWith('_') || (file && /[\\/]typescript[\\/]lib[\\/]/.test(file.fileName)))
    return undefined;
  if (members && Object.hasOwn(members, name)) return undefined;
  const calls = checker.getTypeOfSymbolAtLocation(property, probe).getCallSignatures();
  // A pattern means methods.
  const patterned = memberPatterns.find(([pattern]) => pattern.test(name))?.[1];
  return calls.length > 0 && patterned ? patterned : anyMember;
}

function visitMember(
  walk: Walk,
  place: DeclarationPlace,
  member: Member,
  declared: readonly ts.Type[],
): void {
  const { checker } = walk;
  const known = declared.flatMap((it) => parts(walk, it));
  if (member.type) refer(walk, place, member.type, known);
  const constructs = known.flatMap((it) =>
    checker.getSignaturesOfType(it, ts.SignatureKind.Construct),
  );
  if (member.construct) {
    // A constructor may be protected: then annotations and subclasses are what the model is for.
    const isClass = known.some((it) => it.symbol && it.symbol.flags & ts.SymbolFlags.Class);
    claim(walk, `${place.path} is no class`, constructs.length > 0 || isClass);
    visitSignature(walk, place, member.construct, constructs);
  }
  if (!isFunctionMember(member)) return;
  const calls = known.flatMap((it) => checker.getSignaturesOfType(it, ts.SignatureKind.Call));
  claim(walk, `${place.path} is no function`, calls.length > 0);
  visitSignature(walk, place, member, calls);
}

function isFunctionMember(member: Member): boolean {
  const { returns, acquires, callback, withCallback, type, releases } = member;
  if (type !== undefined) return returns !== undefined;
  return Boolean(returns ?? acquires ?? callback ?? withCallback) || releases !== undefined;
}

function visitSignature(
  walk: Walk,
  place: DeclarationPlace,
  signature: Signature,
  declared: readonly ts.Signature[],
): void {
  const { returns, callback, withCallback } = signature;
  const results = declared.map((it) => walk.checker.getReturnTypeOfSignature(it));
  if (returns !== undefined && declared.length > 0) refer(walk, place, returns, results);
  if (callback && declared.length > 0) visitCallback(walk, place, callback, declared);
  if (withCallback) visitSignature(walk, place, withCallback, declared);
}

function visitCallback(
  walk: Walk,
  place: DeclarationPlace,
  { at, params, properties }: NonNullable<Signature['callback']>,
  declared: readonly ts.Signature[],
): void {
  const { checker, probe } = walk;
  const functions = declared
    .flatMap((it) => it.parameters.at(at === 'last' ? -1 : at) ?? [])
    .map((it) => checker.getTypeOfSymbolAtLocation(it, probe))
    .flatMap((it) => parts(walk, it))
    .flatMap((it) =>
      properties ? properties.flatMap((name) => propertyType(walk, it, name) ?? []) : it,
    )
    .flatMap((it) => parts(walk, it));
  const signatures = functions.flatMap((it) =>
    checker.getSignaturesOfType(it, ts.SignatureKind.Call),
  );
  const isFunction =
    signatures.length > 0 || functions.some((it) => it.symbol?.name === 'Function');
  claim(walk, `${place.path} takes no function at ${at}`, isFunction);
  params.forEach((reference, index) => {
    if (reference === undefined || reference === 'error' || reference === 'release') return;
    const types = signatures.flatMap((it) => it.parameters[index] ?? []);
    refer(
      walk,
      place,
      reference,
      types.map((it) => checker.getTypeOfSymbolAtLocation(it, probe)),
    );
  });
}

/** `reference` of the model stands for these declared types: they must be such, and are compared in turn. */
function refer(
  walk: Walk,
  place: DeclarationPlace,
  reference: string,
  declared: readonly ts.Type[],
): void {
  const known = declared.flatMap((it) => parts(walk, it));
  if (reference.startsWith('Promise<')) {
    const promises = known.filter((it) => propertyType(walk, it, 'then'));
    if (known.length > 0) claim(walk, `${place.path} gives no promise`, promises.length > 0);
    const values = promises.flatMap((it) => walk.checker.getAwaitedType(it) ?? []);
    refer(walk, place, reference.slice('Promise<'.length, -1), values);
    return;
  }
  if (reference.endsWith('[]')) {
    const elements = known.flatMap((it) => it.getNumberIndexType() ?? []);
    refer(walk, place, reference.slice(0, -2), elements);
    return;
  }
  // A type argument is what each program makes of it.
  if (reference === 'void' || reference === 'any' || reference.startsWith('<')) return;
  if (reference === 'Map') {
    const maps = known.filter(
      (it) => propertyType(walk, it, 'get') && propertyType(walk, it, 'set'),
    );
    if (known.length > 0) claim(walk, `${place.path} gives no map`, maps.length > 0);
    return;
  }
  const type = reference === 'this' ? place.receiver : typeOf(place.library, reference);
  if (!type) {
    walk.problems.add(`${place.path} refers to ${reference}, which is not modelled`);
    return;
  }
  for (const it of known) discover(walk, ownerOf(place.library, reference), type, it);
}

function ownerOf(library: Library, reference: string): Library {
  const dot = reference.lastIndexOf('.');
  return (dot === -1 ? undefined : libraryNamed(reference.slice(0, dot))) ?? library;
}

function claim({ problems, confirmed }: Walk, problem: string, isRefuted: boolean): void {
  (isRefuted ? confirmed : problems).add(problem);
}

function discover(walk: Walk, library: Library, type: LibraryType, declared: ts.Type): void {
  const found = walk.found.get(type) ?? {
    declared: new Set(),
    members: new Set(),
    callable: false,
    thenable: false,
  };
  walk.found.set(type, found);
  // Each resource of a service has other members.
  const limit = type.anyMember ? 500 : 12;
  for (const part of parts(walk, declared)) {
    // Builders return a new instantiation at each step: comparing each declaration once is enough.
    const key = part.symbol && !isAnonymous(part) ? part.symbol : part;
    if (found.declared.has(key) || found.declared.size >= limit) continue;
    found.declared.add(key);
    walk.queue.push({ library, type, declared: part });
  }
}

function isAnonymous(type: ts.Type): boolean {
  return (type.symbol.flags & (ts.SymbolFlags.TypeLiteral | ts.SymbolFlags.Function)) !== 0;
}

/** What older versions had, or what the declarations forgot. */
function isBeyondDeclarations({ until, untyped }: Member): boolean {
  return until !== undefined || untyped === true;
}

function judgeTypes(walk: Walk, library: Library): void {
  const outdated = new Set(
    Object.values(library.exports)
      .filter(isBeyondDeclarations)
      .flatMap((it) => [it.construct?.returns, it.returns, it.type]),
  );
  for (const [name, type] of Object.entries(library.types)) {
    const path = `${library.name}: ${name}`;
    const members = Object.entries(type.members ?? {}).filter(
      ([, it]) => !isBeyondDeclarations(it),
    );
    const found = walk.found.get(type);
    if (!found || found.declared.size === 0) {
      if (members.length > 0 && !outdated.has(name)) walk.problems.add(`${path} is never reached`);
      continue;
    }
    for (const [member] of members) {
      if (!found.members.has(member)) walk.problems.add(`${path} has no ${member}`);
    }
    if (type.call && !type.anyMember && !found.callable)
      walk.problems.add(`${path} is not callable`);
    if (type.awaited && !found.thenable) walk.problems.add(`${path} cannot be awaited`);
  }
}
