import type { TSESTree } from '@typescript-eslint/utils';
import { query, QueryStore } from '../engine/query.ts';
import type { Region } from '../engine/regions.ts';
import { runtimeOf } from '../engine/runtime.ts';
import { type TrackedTree, trackedTreeOf } from '../engine/tracked-tree.ts';
import type { FileFacts } from './file/file.ts';
import type { Source } from './file/source.ts';
// Fills the table by which the functions of that folder call each other.
import './provenance/provenance.ts';
import type { Node } from './syntax/ast.ts';
import { namesOf } from './syntax/names.ts';
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

/** Whether a rebuild is due soon. It takes several times as long as a further edit: better while no request waits. */
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
  names.observer = tree;
  const tracked = tree ? trackedSource(() => source, tree) : source;
  const queries = new QueryStore(runtime, {
    isEdited: tree !== undefined,
    isValidated: modules?.hasEdits?.() ?? false,
  });
  const ids = new Map<Node, number>();
  const { isIn } = tree ? createSearches() : searchesOfOne();
  let lines: { readonly of: string; readonly lines: Lines } | undefined;
  const whole: readonly Region[] = [{ node: ast, all: index.all }];

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
    queries,
    regions: () => (tree ? regionsOf(facts, ast, tree) : whole),
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

const regionsOf = query(
  'regions',
  (_: FileFacts, ast: TSESTree.Program, tree: TrackedTree): readonly Region[] =>
    regionsIn(ast, indexOf(ast), tree),
  { whileCyclic: [], keyOf: () => '' },
);

/** Forgets a file's facts: a file that it imports has changed. */
export function forgetFacts(program: TSESTree.Program): void {
  cache.delete(program);
}

/** Reads of the text become dependencies of the active query. */
function trackedSource(source: () => Source, tree: TrackedTree): Source {
  const { path, ast } = source();
  return {
    path,
    ast,
    get text() {
      tree.dependOnText();
      return source().text;
    },
    get comments() {
      tree.dependOnText();
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
            tree.dependOnText();
            return types.typeOf(node);
          },
        }
      );
    },
  };
}
