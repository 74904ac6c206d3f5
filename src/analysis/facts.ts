import type { TSESTree } from '@typescript-eslint/utils';
import { type TrackedTree, trackedTreeOf } from '../engine/tracked-tree.ts';
import { queryCache, NOT_CACHED } from '../engine/query-cache.ts';
import { queriesOf, untracked, runtimeOf, type Suppose } from '../engine/runtime.ts';
import {
  addDependencies,
  closeDependencies,
  ownDependencies,
  type ActiveQuery,
} from '../engine/dependencies.ts';
import { regionResults, type Region } from '../engine/regions.ts';
import type { FileFacts } from './file/file.ts';
import type { Source } from './file/source.ts';
import { NULLISH, UNKNOWN } from './file/value.ts';
import { provenanceOf } from './provenance/provenance.ts';
import { isClass, type Node } from './syntax/ast.ts';
import { namesOf, type Variable } from './syntax/names.ts';
import { indexOf } from './syntax/node-index.ts';
import { endsAt, type Lines, linesOf, startsAt } from './syntax/places.ts';
import { regionsIn } from './syntax/regions.ts';
import { createSearches, searchesOfOne } from './syntax/searches.ts';

interface Known {
  readonly facts: FileFacts;
  /** The tree is that of another text now, where somebody edits the file. False where its facts are to be computed from scratch. */
  follow(source: Source): boolean;
  readonly edits: number;
}

/** Keyed by the AST, never by a SourceCode: oxlint hands every file the same SourceCode object. */
const cache = new WeakMap<TSESTree.Program, Known>();

export function factsOf(source: Source): FileFacts {
  let known = cache.get(source.ast);
  if (!known?.follow(source)) cache.set(source.ast, (known = madeOf(source)));
  return known.facts;
}

/** After so many edits all facts of a file are dropped, and with them what was cached for nodes that no longer exist. */
const MAXIMUM_EDITS = 64;
const EDITS_TO_DUE = 48;

/** Whether a rebuild is due soon. It takes several times as long as another edit: better while nobody waits. */
export function areDueForRebuild(program: TSESTree.Program): boolean {
  const { edits = 0 } = cache.get(program) ?? {};
  return edits >= EDITS_TO_DUE;
}

function madeOf(first: Source): Known {
  const { path, ast, modules } = first;
  let source = first;
  const index = indexOf(ast);
  const names = namesOf(index);
  const runtime = runtimeOf(modules ?? ast);
  const tree = modules?.isEdited?.(path) ? trackedTreeOf(index, runtime) : undefined;
  const editsBefore = tree?.edits ?? 0;
  const edits = tree && {
    get edit() {
      return runtime.edit;
    },
    isCompared: (key: object) => compared.has(key) || isParameter(key),
  };
  names.observer = tree;
  const tracked = tree ? trackedSource(() => source, tree) : source;
  const answers = queriesOf(runtime, edits);
  const remembered = queryCache(edits);
  const open = new Map<object, ActiveQuery & { initial: unknown }>();
  // By name first: a map for each node would be most of what a file's facts take.
  const keys = new Map<string, Map<object, object>>();
  const ids = new Map<Node, number>();
  const { isIn } = tree ? createSearches() : searchesOfOne();
  let lines: { readonly of: string; readonly lines: Lines } | undefined;
  const compared = new Set<object>();

  const facts: FileFacts = {
    path,
    get place() {
      return modules?.placeOf(path) ?? path;
    },
    get text() {
      return tracked.text;
    },
    get lines() {
      const { text } = tracked;
      if (lines?.of !== text) lines = { of: text, lines: linesOf(text) };
      return lines.lines;
    },
    ast,
    source: tracked,
    modules,
    nodes: tree?.nodes ?? index,
    variableOf: (name) => names.variableOf(name),
    valueOf: (node) => provenance.valueOf(node),
    remember<T>(key: object, compute: (suppose: Suppose<T>) => T, ...initial: T[]): T {
      if (initial.length === 0) return answers.get(key, compute, NULLISH as T, UNKNOWN as T);
      if (initial.length === 2) return answers.get(key, compute, initial[0]!, initial[1]!);
      const known = remembered.read(key, runtime.activeQuery);
      if (known !== NOT_CACHED) return known as T;
      const asked = open.get(key);
      if (asked) {
        addDependencies(runtime.activeQuery, ownDependencies(asked));
        return asked.initial as T;
      }
      const { activeQuery: outer } = runtime;
      const own: ActiveQuery & { initial: unknown } = {
        dependencies: undefined,
        initial: initial[0],
      };
      runtime.activeQuery = own;
      open.set(key, own);
      try {
        own.initial = compute((it) => {
          own.initial = it;
        });
      } finally {
        open.delete(key);
        closeDependencies(own);
        runtime.activeQuery = outer;
        const again = () =>
          !open.has(key) &&
          untracked(runtime, () => facts.remember(key, compute as () => T, initial[0]!));
        own.initial = remembered.keep(key, own.initial, own.dependencies, again);
        // A compared result is the dependency itself.
        if (!edits || remembered.read(key, outer) === NOT_CACHED)
          addDependencies(outer, own.dependencies);
      }
      return own.initial as T;
    },
    keyFor(subject, name) {
      let ofName = keys.get(name);
      if (!ofName) keys.set(name, (ofName = new Map()));
      let key = ofName.get(subject);
      if (!key) {
        ofName.set(subject, (key = {}));
        if (edits && (subject === ast || isClass(subject as Node))) compared.add(key);
      }
      return key;
    },
    gather(name, resultOf) {
      return gathered(
        name,
        () => (tree ? regionsOf(tree) : [whole]),
        resultOf,
        (it) => it.node,
      );
    },
    gatherFrom: (name, all, resultOf) => gathered(name, all, resultOf, (it) => it),
    idOf(node) {
      let id = ids.get(node);
      if (id === undefined) ids.set(node, (id = ids.size + 1));
      return id;
    },
    says: (expression) => isIn(tracked.text, expression),
    textOf(node) {
      tree?.dependOnInside(node);
      return source.text.slice(startsAt(node), endsAt(node));
    },
    textBetween(start, end) {
      tree?.dependOnBodies(start, end);
      return source.text.slice(start, end);
    },
  };
  const whole: Region = { node: ast, all: index.all };
  const results = regionResults(runtime);
  const regionsOf = (known: TrackedTree) =>
    facts.remember(facts.keyFor(ast, '=units'), () => regionsIn(ast, index, known), []);
  const gathered = <From, T>(
    name: string,
    all: () => readonly From[],
    resultOf: (it: From) => T | readonly T[],
    keyOf: (it: From) => object,
  ): readonly T[] =>
    facts.remember(
      facts.keyFor(ast, name),
      () => (tree ? results.of(name, all(), resultOf, keyOf) : all().flatMap((it) => resultOf(it))),
      [],
    );
  const provenance = provenanceOf(facts, queriesOf(runtime, edits));
  return {
    facts,
    follow(it) {
      // no veto: spares a look.
      if (source === it) return true;
      source = it;
      return tree !== undefined && this.edits < MAXIMUM_EDITS;
    },
    get edits() {
      return (tree?.edits ?? 0) - editsBefore;
    },
  };
}

/** What callers pass, each of which may be edited. */
function isParameter(key: object): boolean {
  return 'defs' in key && (key as Variable).defs[0]?.type === 'Parameter';
}

/** Forgets a file's facts: a file that it imports has changed. */
export function forgetFacts(program: TSESTree.Program): void {
  cache.delete(program);
}

/** Reads of the text become dependencies of the active query. */
function trackedSource(source: () => Source, { dependOnText: noteText }: TrackedTree): Source {
  const { path, ast } = source();
  return {
    path,
    ast,
    get text() {
      noteText();
      return source().text;
    },
    get comments() {
      noteText();
      return source().comments;
    },
    get modules() {
      return source().modules;
    },
    get types() {
      const { types } = source();
      return (
        types && {
          typeOf(node: Node) {
            noteText();
            return types.typeOf(node);
          },
        }
      );
    },
  };
}
