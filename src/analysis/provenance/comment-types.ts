import { queryOfFile } from '../../engine/query.ts';
import type { FileFacts } from '../file/file.ts';
import {
  awaited,
  firstKnown,
  isKnown,
  join,
  promiseOf,
  UNKNOWN,
  type Value,
} from '../file/value.ts';
import { type FunctionNode, isFunction, type Node } from '../syntax/ast.ts';
import { commentAbove } from '../syntax/comments.ts';
import { importedTypeNamed, importedValue } from './library-values.ts';
import { mutual } from './mutual.ts';

/** The type that a comment of JavaScript declares for a parameter, a variable, a field or the result of a function. */
export function commentedType(file: FileFacts, node: Node): Value {
  const text = typesIn(file).get(node);
  return text === undefined ? UNKNOWN : typeOfText(file, text, 0);
}

const NONE: ReadonlyMap<Node, string> = new Map();
const JAVASCRIPT = /\.[cm]?jsx?$/;
const TAGS = /@(type|typedef|param|returns?)\s*\{/g;
const TAGGED = /@(?:type|param|returns?)\s*\{/;

/** The texts of the types, by parameter, by name of a variable, by field or assignment, and by function for its result. */
const typesIn = queryOfFile(
  'types in comments',
  (file: FileFacts): ReadonlyMap<Node, string> => {
    // no veto: TypeScript does not read them either.
    if (!JAVASCRIPT.test(file.path) || !file.says(TAGGED)) return NONE;
    const comments = file.source.comments.filter(
      ({ value }) => value.startsWith('*') && TAGGED.test(value),
    );
    const found = new Map<Node, string>();
    const add = (node: Node | undefined, text: string | undefined) => {
      if (node && text !== undefined) found.set(node, text);
    };
    for (const node of file.nodes.all(...TYPED_NODES)) {
      const comment = commentAbove(file, comments, node);
      if (!comment) continue;
      const { own, returned, given } = tagsOf(comment.value);
      if (!isFunction(node)) {
        add(node.type === 'VariableDeclarator' ? node.id : node, own);
        continue;
      }
      add(
        node,
        returned ??
          (node.parent.type === 'MethodDefinition' && node.parent.kind === 'get' ? own : undefined),
      );
      for (const it of node.params) {
        const name = it.type === 'AssignmentPattern' ? it.left : it;
        if (name.type === 'Identifier') add(name, given.get(name.name));
      }
    }
    return found;
  },
  { whileCyclic: NONE },
);

const TYPED_NODES = [
  ...(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'] as const),
  ...(['VariableDeclarator', 'PropertyDefinition', 'AssignmentExpression'] as const),
] as const;

interface Tags {
  /** Of `@type`. */
  own?: string;
  returned?: string;
  /** By the name of the parameter. */
  readonly given: Map<string, string>;
}

function tagsOf(comment: string): Tags {
  const tags: Tags = { given: new Map() };
  for (const match of comment.matchAll(TAGS)) {
    const start = match.index + match[0].length;
    const text = bracedFrom(comment, start);
    if (match[1] === 'type') tags.own = text;
    else if (match[1]!.startsWith('return')) tags.returned = text;
    else {
      const name = /^\}\s*\[?([\w$]+)(?![\w$.])/.exec(comment.slice(start + text.length))?.[1];
      if (name !== undefined && match[1] === 'param') tags.given.set(name, text);
    }
  }
  return tags;
}

/** The text up to the brace that closes it. */
function bracedFrom(text: string, start: number): string {
  let depth = 1;
  let end = start;
  for (; end < text.length; end++) {
    if (text[end] === '{') depth++;
    else if (text[end] === '}' && --depth === 0) break;
  }
  return text.slice(start, end);
}

/** Types within types are followed this far. */
const FARTHEST = 4;

function typeOfText(file: FileFacts, whole: string, distance: number): Value {
  const text = whole.trim().replace(/^[!?]|[=?]$/g, '');
  if (distance > FARTHEST) return UNKNOWN;
  const inner = (it: string) => typeOfText(file, it, distance + 1);
  const parts = alternativesIn(text).filter((it) => !/^(?:null|undefined|void)$/.test(it));
  if (parts.length !== 1 || parts[0] !== text) return join(parts.map(inner));
  const list = /^(?:Array|ReadonlyArray|Set)\.?<(.+)>$/s.exec(text) ?? /^(.+)\[\]$/s.exec(text);
  if (list) return { kind: 'array', of: inner(list[1]!) };
  const promise = /^Promise\.?<(.+)>$/s.exec(text);
  if (promise) return promiseOf(inner(promise[1]!));
  const [, isWhole, path, name] = NAMED.exec(text) ?? [];
  if (name === undefined && path === undefined) return UNKNOWN;
  const source = path?.slice(1, -1);
  if (source === undefined) return namedType(file, name!, isWhole !== undefined);
  if (name !== undefined && isWhole === undefined) return importedTypeNamed(file, source, name);
  const value = importedValue(file, source, name ?? 'require');
  return isWhole === undefined ? instanceOf(value) : value;
}

/** `Store`, `typeof Store`, `import('./store').Store`, `typeof import('./store')` */
const NAMED = /^(typeof\s+)?(?:import\(\s*('[^']+'|"[^"]+")\s*\)(?:\.(?=\w)|$))?([\w$]+)?$/;

/** The parts of `A | B<C | D> | null`. */
function alternativesIn(text: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const it of text) {
    if (/[<({[]/.test(it)) depth++;
    else if (/[>)}\]]/.test(it)) depth--;
    if (it === '|' && depth === 0) parts.push('');
    else parts[parts.length - 1] += it;
  }
  return parts.map((it) => it.trim());
}

function namedType(file: FileFacts, name: string, isWhole: boolean): Value {
  const use = file.nodes.named(name).find((it) => file.variableOf(it));
  const value = use ? mutual.valueOf(file, use) : UNKNOWN;
  return isWhole ? value : instanceOf(value);
}

/** What a class makes: its name is the type. */
function instanceOf(value: Value): Value {
  if (value.kind === 'class') return { ...value, kind: 'instance' };
  return value.kind === 'callable'
    ? mutual.referredValue(value.library, value.signature.construct?.returns, undefined)
    : UNKNOWN;
}

/** What a function returns by its comment, where its code leaves it open. */
export function commentedResult(file: FileFacts, node: FunctionNode, value: Value): Value {
  // no veto: the code tells.
  if (isKnown(awaited(value))) return value;
  const said = commentedType(file, node);
  return firstKnown([isKnown(said) && node.async ? promiseOf(awaited(said)) : said, value]);
}
