import type { TSESTree } from '@typescript-eslint/utils';
import type { Node } from './syntax/ast.ts';
import { type Exports, exportsOf } from './provenance/exports.ts';
import { answersOf, questionsOf, type Suppose } from './memo.ts';
import { type Name, type Names, namesOf, type Variable } from './syntax/names.ts';
import { indexOf, type NodeIndex } from './syntax/node-index.ts';
import { endsAt, startsAt } from './syntax/places.ts';
import { provenanceOf } from './provenance.ts';
import { addReads, closeReads, ownReads, type Reader, type Reads } from './effects/reads.ts';
import type { Modules, Source } from './source.ts';
import { NULLISH, UNKNOWN, type Value } from './provenance/value.ts';

/** Everything that rules may know about one file. Facts are computed on first use and shared by all rules. */
export interface FileFacts {
  readonly path: string;
  /** Where it lies in its project: the names of folders above say nothing of its code. */
  readonly place: string;
  readonly text: string;
  readonly ast: TSESTree.Program;
  readonly source: Source;
  readonly nodes: NodeIndex;
  readonly exports: Exports;
  readonly modules: Modules | undefined;
  variableOf(name: Name): Variable | undefined;
  /** What an expression is; see value.ts. */
  valueOf(node: Node): Value;
  /**
   * A fact about `key`, computed once. Asked for again while it is being computed it is `meanwhile`; a value without
   * one then adds nothing to a join.
   */
  remember(key: object, compute: (suppose: Suppose<Value>) => Value): Value;
  remember<T>(key: object, compute: () => T, meanwhile: T): T;
  /** For facts about functions that call each other: see memo.ts for circles and for what is `tooDeep`. */
  remember<T>(key: object, compute: () => T, meanwhile: T, tooDeep: T): T;
  /** One object for each name of each node, to remember facts by. */
  keyFor(node: Node, name: string): object;
  textOf(node: Node): string;
}

/** Keyed by the AST, never by a SourceCode: oxlint hands every file the same SourceCode object. */
const cache = new WeakMap<TSESTree.Program, FileFacts>();

export function factsOf(source: Source): FileFacts {
  const known = cache.get(source.ast);
  if (known) return known;

  let nodes: NodeIndex | undefined;
  let names: Names | undefined;
  let exported: Exports | undefined;
  const questions = questionsOf(source.modules ?? source.ast);
  const answers = answersOf(questions);
  const remembered = new Map<object, unknown>();
  /** What those of them rest on that rest on other files. */
  const reads = new Map<object, Reads>();
  const open = new Map<object, Reader>();
  // By name first: a map for each node would be most of what a file's facts take.
  const keys = new Map<string, Map<Node, object>>();

  const facts: FileFacts = {
    path: source.path,
    get place() {
      return source.modules?.placeOf(source.path) ?? source.path;
    },
    text: source.text,
    ast: source.ast,
    source,
    modules: source.modules,
    get nodes() {
      return (nodes ??= indexOf(source.ast));
    },
    get exports() {
      return (exported ??= exportsOf(source.ast));
    },
    variableOf(name) {
      return (names ??= namesOf(facts.nodes)).variableOf(name);
    },
    valueOf: (node) => provenance.valueOf(node),
    remember<T>(key: object, compute: (suppose: Suppose<T>) => T, ...meanwhile: T[]): T {
      if (meanwhile.length === 0) return answers.get(key, compute, NULLISH as T, UNKNOWN as T);
      if (meanwhile.length === 2) return answers.get(key, compute, meanwhile[0]!, meanwhile[1]!);
      if (remembered.has(key)) {
        const asked = open.get(key);
        addReads(questions.reader, asked ? ownReads(asked) : reads.get(key));
        return remembered.get(key) as T;
      }
      const { reader } = questions;
      const own: Reader = { reads: undefined };
      questions.reader = own;
      open.set(key, own);
      remembered.set(key, meanwhile[0]);
      try {
        const fact = compute((it) => remembered.set(key, it));
        remembered.set(key, fact);
        return fact;
      } finally {
        open.delete(key);
        closeReads(own);
        if (own.reads) reads.set(key, own.reads);
        questions.reader = reader;
        addReads(reader, own.reads);
      }
    },
    keyFor(node, name) {
      let byNode = keys.get(name);
      if (!byNode) keys.set(name, (byNode = new Map()));
      let key = byNode.get(node);
      if (!key) byNode.set(node, (key = {}));
      return key;
    },
    textOf: (node) => source.text.slice(startsAt(node), endsAt(node)),
  };
  // The index sets parents, on which every other fact relies.
  void facts.nodes;
  const provenance = provenanceOf(facts, answersOf(questions));
  cache.set(source.ast, facts);
  return facts;
}

/** Forgets a file's facts: a file that it imports has changed. */
export function forgetFacts(program: TSESTree.Program): void {
  cache.delete(program);
}
