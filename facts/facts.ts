import type { TSESTree } from '@typescript-eslint/utils';
import { type Grounds, groundsOf } from './engine/grounds.ts';
import { keptAnswers, NONE_KEPT } from './engine/kept-answers.ts';
import { answersOf, onTheSide, questionsOf, type Suppose } from './engine/memo.ts';
import { addReads, closeReads, ownReads, type Reader } from './engine/reads.ts';
import { keptShares, type Unit, unitsIn } from './engine/units.ts';
import type { FileFacts } from './file/file.ts';
import type { Source } from './file/source.ts';
import { NULLISH, UNKNOWN } from './file/value.ts';
import { provenanceOf } from './provenance/provenance.ts';
import { isClass, type Node } from './syntax/ast.ts';
import { namesOf, type Variable } from './syntax/names.ts';
import { indexOf } from './syntax/node-index.ts';
import { endsAt, type Lines, linesOf, startsAt } from './syntax/places.ts';
import { createSearches, searchesOfOne } from './syntax/searches.ts';

interface Known {
  readonly facts: FileFacts;
  /** The tree is that of another text now, where somebody edits the file. False where its facts are to be made anew. */
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

/** So many edits facts outlast: then what is kept of nodes that are gone is let go, with all the rest. */
const MAXIMUM_EDITS = 64;
const WORN_EDITS = 48;

/** Whether facts are soon to be made anew, which takes several times as long as another edit: better while nobody waits. */
export function areWorn(program: TSESTree.Program): boolean {
  const { edits = 0 } = cache.get(program) ?? {};
  return edits >= WORN_EDITS;
}

function madeOf(first: Source): Known {
  const { path, ast, modules } = first;
  let source = first;
  const index = indexOf(ast);
  const names = namesOf(index);
  const questions = questionsOf(modules ?? ast);
  const grounds = modules?.isEdited?.(path) ? groundsOf(index, questions) : undefined;
  const editsBefore = grounds?.edits ?? 0;
  const edits = grounds && {
    get edit() {
      return questions.edit;
    },
    isCompared: (key: object) => wholes.has(key) || isParameter(key),
  };
  names.observer = grounds;
  const tracked = grounds ? trackedSource(() => source, grounds) : source;
  const answers = answersOf(questions, edits);
  const remembered = keptAnswers(edits);
  const open = new Map<object, Reader & { meanwhile: unknown }>();
  // By name first: a map for each node would be most of what a file's facts take.
  const keys = new Map<string, Map<object, object>>();
  const ids = new Map<Node, number>();
  const { isIn } = grounds ? createSearches() : searchesOfOne();
  let lines: { readonly of: string; readonly lines: Lines } | undefined;
  const wholes = new Set<object>();

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
    nodes: grounds?.nodes ?? index,
    variableOf: (name) => names.variableOf(name),
    valueOf: (node) => provenance.valueOf(node),
    remember<T>(key: object, compute: (suppose: Suppose<T>) => T, ...meanwhile: T[]): T {
      if (meanwhile.length === 0) return answers.get(key, compute, NULLISH as T, UNKNOWN as T);
      if (meanwhile.length === 2) return answers.get(key, compute, meanwhile[0]!, meanwhile[1]!);
      const known = remembered.read(key, questions.reader);
      if (known !== NONE_KEPT) return known as T;
      const asked = open.get(key);
      if (asked) {
        addReads(questions.reader, ownReads(asked));
        return asked.meanwhile as T;
      }
      const { reader } = questions;
      const own: Reader & { meanwhile: unknown } = { reads: undefined, meanwhile: meanwhile[0] };
      questions.reader = own;
      open.set(key, own);
      try {
        own.meanwhile = compute((it) => {
          own.meanwhile = it;
        });
      } finally {
        open.delete(key);
        closeReads(own);
        questions.reader = reader;
        const again = () =>
          !open.has(key) &&
          onTheSide(questions, () => facts.remember(key, compute as () => T, meanwhile[0]!));
        own.meanwhile = remembered.keep(key, own.meanwhile, own.reads, again);
        // What is kept of the file as a whole says itself what it rests on.
        if (!edits || remembered.read(key, reader) === NONE_KEPT) addReads(reader, own.reads);
      }
      return own.meanwhile as T;
    },
    keyFor(subject, name) {
      let ofName = keys.get(name);
      if (!ofName) keys.set(name, (ofName = new Map()));
      let key = ofName.get(subject);
      if (!key) {
        ofName.set(subject, (key = {}));
        if (edits && (subject === ast || isClass(subject as Node))) wholes.add(key);
      }
      return key;
    },
    gather(name, shareOf) {
      return gathered(
        name,
        () => (grounds ? unitsOf(grounds) : [whole]),
        shareOf,
        (it) => it.node,
      );
    },
    gatherFrom: (name, all, shareOf) => gathered(name, all, shareOf, (it) => it),
    idOf(node) {
      let id = ids.get(node);
      if (id === undefined) ids.set(node, (id = ids.size + 1));
      return id;
    },
    says: (expression) => isIn(tracked.text, expression),
    textOf(node) {
      grounds?.noteInside(node);
      return source.text.slice(startsAt(node), endsAt(node));
    },
    textBetween(start, end) {
      grounds?.noteBodies(start, end);
      return source.text.slice(start, end);
    },
  };
  const whole: Unit = { node: ast, all: index.all };
  const shares = keptShares(questions);
  const unitsOf = (known: Grounds) =>
    facts.remember(facts.keyFor(ast, '=units'), () => unitsIn(ast, index, known), []);
  const gathered = <From, T>(
    name: string,
    all: () => readonly From[],
    shareOf: (it: From) => T | readonly T[],
    keyOf: (it: From) => object,
  ): readonly T[] =>
    facts.remember(
      facts.keyFor(ast, name),
      () => (grounds ? shares.of(name, all(), shareOf, keyOf) : all().flatMap((it) => shareOf(it))),
      [],
    );
  const provenance = provenanceOf(facts, answersOf(questions, edits));
  return {
    facts,
    follow(it) {
      // no veto: spares a look.
      if (source === it) return true;
      source = it;
      return grounds !== undefined && this.edits < MAXIMUM_EDITS;
    },
    get edits() {
      return (grounds?.edits ?? 0) - editsBefore;
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

/** What tells of the text notes that an answer rests on it. */
function trackedSource(source: () => Source, { noteText }: Grounds): Source {
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
