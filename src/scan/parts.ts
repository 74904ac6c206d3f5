import type { TSESTree } from '@typescript-eslint/utils';
import { childrenOf, type FunctionNode, isFunction, type Node } from '../analysis/syntax/ast.ts';
import { endsAt, rangeOf, startsAt } from '../analysis/syntax/places.ts';
import type { Range } from '../analysis/syntax/difference.ts';
import { isModule } from './language.ts';

/** A child of a node, or neighbours among its children, whose text means the same on its own between `head` and `tail`. */
export interface Part {
  readonly parent: Node;
  readonly removed: readonly Node[];
  readonly range: Range;
  readonly head: string;
  readonly tail: string;
  /** The node that was read, if it is the whole part and nothing else; it is in the range, behind the head. */
  nodesIn(alone: Alone, range: Range): readonly Node[] | undefined;
  /** Puts them in place of those that are removed. */
  put(added: readonly Node[]): void;
  /** Whether a node that starts before the part's end holds the part. */
  isAround(node: Node): boolean;
}

/** A part with its head and tail. */
export interface Alone {
  readonly text: string;
  readonly ast: TSESTree.Program;
  /** Whether the parser has gone on after an error. */
  readonly isBroken: boolean;
}

/**
 * The parts around a range that can be parsed alone: the body of a function, members of a class, statements of the file; mostly
 * the first can.
 */
export function* partsAround(
  program: TSESTree.Program,
  text: string,
  range: Range,
): Generator<Part, undefined> {
  const around = nodesAround(program, range);
  const tail = isModule(program) ? '} export {}' : '}';
  const owner = around.findLast((it) => isFunction(it) && around.includes(it.body));
  const body = around.findLast((it) => it.type === 'ClassBody');
  const parts = [
    () => owner && bodyPart(owner as FunctionWithBlock, tail),
    () => body && membersPart(body, { text, range, tail }),
    () => statementsPart(program, { text, range }),
  ];
  for (const it of parts) {
    const part = it();
    if (part) yield part;
  }
  return undefined;
}

/** From the outside to the inside. */
function nodesAround(program: Node, [start, end]: Range): readonly Node[] {
  const around: Node[] = [];
  for (let it: Node | undefined = program; it;) {
    it = childrenOf(it).find((child) => startsAt(child) < start && end < endsAt(child));
    if (it) around.push(it);
  }
  return around;
}

type FunctionWithBlock = FunctionNode & { body: TSESTree.BlockStatement };

function bodyPart(owner: FunctionWithBlock, tail: string): Part | undefined {
  if (owner.body.type !== 'BlockStatement') return undefined;
  const range = rangeOf(owner.body);
  return {
    ...{ parent: owner, removed: [owner.body], range, tail },
    head: headOfBody(owner),
    nodesIn({ ast }, [start, end]) {
      const [member] = membersOf(ast.body[0]);
      const isMember = member?.type === 'MethodDefinition' || member?.type === 'PropertyDefinition';
      const body = isMember && isFunction(member.value) ? member.value.body : undefined;
      return body?.type === 'BlockStatement' && startsAt(body) === start && endsAt(body) === end
        ? [body]
        : undefined;
    },
    put: ([body]) => (owner.body = body as TSESTree.BlockStatement),
    isAround: (node) => endsAt(node) >= range[1],
  };
}

const CLASS = 'class _ extends _ {';

/** The text that must precede a body on its own, for `await`, `yield` and `super` to mean the same in it. */
function headOfBody({ type, async, generator }: FunctionNode): string {
  if (type === 'ArrowFunctionExpression') return `${CLASS} m = ${async ? 'async ' : ''}() => `;
  return `${CLASS} ${async ? 'async ' : ''}${generator ? '*' : ''}m() `;
}

function membersOf(statement: Node | undefined): readonly TSESTree.ClassElement[] {
  return statement?.type === 'ClassDeclaration' ? statement.body.body : [];
}

interface TextRange {
  readonly text: string;
  readonly range: Range;
}

function membersPart(
  body: TSESTree.ClassBody,
  { text, range, tail }: TextRange & { readonly tail: string },
): Part | undefined {
  const { parent } = body;
  // In a function, `await` and `yield` may mean something else.
  if (parent.type !== 'ClassDeclaration' || !isTopLevel(parent)) return undefined;
  const inside: Range = [startsAt(body) + 1, endsAt(body) - 1];
  const modifiers = `${parent.declare ? 'declare ' : ''}${parent.abstract ? 'abstract ' : ''}`;
  const neighbours = neighboursAt(body.body, inside, { text, range }, isClosedMember);
  return {
    ...partOf(body, neighbours),
    ...{ head: modifiers + CLASS, tail },
    nodesIn({ text, ast, isBroken }, [start, end]) {
      const [statement] = ast.body;
      const added = membersOf(statement);
      const isWhole =
        !isBroken &&
        statement?.type === 'ClassDeclaration' &&
        startsAt(statement.body) === start - 1 &&
        endsAt(statement.body) === end + 1;
      return isWhole && isEnded(added, neighbours.next, text, isClosedMember) ? added : undefined;
    },
    isAround: (node) => endsAt(node) > neighbours.range[1],
  };
}

function isTopLevel({ parent }: Node): boolean {
  return parent?.type === 'Program' || parent?.parent?.type === 'Program';
}

function statementsPart(program: TSESTree.Program, place: TextRange): Part | undefined {
  const inside: Range = [0, place.text.length];
  const neighbours = neighboursAt(program.body, inside, place, isClosedStatement);
  const { previous, next, from, to } = neighbours;
  const textAt = (offset: number) => place.text.slice(offset, offset + 10);
  // The last comment of a file needs no end; before a statement it would go on in its line.
  const gap = next ? '' : '\n';
  // The file begins with its first statement, and directives count only before all others.
  if (!previous || isDirective(previous)) return undefined;
  // It must stay a module, or a script, for every change.
  if (!isModule({ body: program.body.toSpliced(from, to - from) })) return undefined;
  return {
    ...partOf(program, neighbours),
    // The parser must have the information that it is a module from the beginning, for `await`; decorators would go to the
    // class.
    ...{ head: 'export {};', tail: `${gap}class _ {}` },
    nodesIn({ text, ast, isBroken }, [, end]) {
      const added = ast.body.slice(1, -1);
      const last = ast.body.at(-1);
      const isWhole =
        !isBroken &&
        last?.type === 'ClassDeclaration' &&
        startsAt(last) === end + gap.length &&
        last.decorators.length === 0 &&
        // Where `await` is not given a value, the parser reads what follows twice.
        added.every((it) => endsAt(it) <= end);
      const isApart =
        isFirstOnLine(text, end) && BEGINNING.test(next ? textAt(startsAt(next)) : '');
      return isWhole && (isApart || isEnded(added, next, text, isClosedStatement))
        ? added
        : undefined;
    },
    isAround: (node) => node === program || endsAt(node) > neighbours.range[1],
  };
}

/** A line that starts so is no part of the statement before it, for any end of that statement. */
const BEGINNING = /^(?:import|export|const|class|function|interface|enum)\b/;

/** Whether only white space precedes an offset in its line. */
function isFirstOnLine(text: string, offset: number): boolean {
  const line = text.lastIndexOf('\n', offset - 1);
  return line !== -1 && text.slice(line, offset).trim() === '';
}

function isDirective(node: Node): boolean {
  return node.type === 'ExpressionStatement' && typeof node.directive === 'string';
}

type IsClosed = (node: Node, text: string) => boolean;

interface Neighbours {
  readonly from: number;
  readonly to: number;
  /** From the end of the node before them to the start of the one behind. */
  readonly range: Range;
  readonly previous: Node | undefined;
  readonly next: Node | undefined;
}

/** The nodes of a list that touch a range; those before, too, which would go on in what follows them. */
function neighboursAt(
  nodes: readonly Node[],
  inside: Range,
  { text, range }: TextRange,
  isClosed: IsClosed,
): Neighbours {
  let from = nodes.findIndex((it) => endsAt(it) >= range[0]);
  if (from === -1) from = nodes.length;
  let to = nodes.findIndex((it) => startsAt(it) > range[1]);
  if (to === -1) to = nodes.length;
  while (from > 0 && !isClosed(nodes[from - 1]!, text)) from--;
  const [previous, next] = [nodes[from - 1], nodes[to]];
  return {
    ...{ from, to, previous, next },
    range: [previous ? endsAt(previous) : inside[0], next ? startsAt(next) : inside[1]],
  };
}

function partOf(
  parent: TSESTree.ClassBody | TSESTree.Program,
  { from, to, range }: Neighbours,
): Pick<Part, 'parent' | 'removed' | 'range' | 'put'> {
  const nodes = parent.body as Node[];
  const removed = nodes.slice(from, to);
  return {
    ...{ parent, removed, range },
    // A new list: the list before owns the facts of its nodes.
    put: (added) =>
      void Object.assign(parent, { body: nodes.toSpliced(from, removed.length, ...added) }),
  };
}

function isEnded(
  added: readonly Node[],
  next: Node | undefined,
  text: string,
  isClosed: IsClosed,
): boolean {
  const last = added.at(-1);
  return !last || !next || isClosed(last, text);
}

/** Whether nothing that follows can be a part of it. */
function isClosedMember(node: Node, text: string): boolean {
  const isBlock = node.type === 'MethodDefinition' || node.type === 'StaticBlock';
  return text[endsAt(node) - 1] === ';' || (isBlock && text[endsAt(node) - 1] === '}');
}

function isClosedStatement(node: Node, text: string): boolean {
  switch (node.type) {
    case 'ExportDefaultDeclaration':
    case 'ExportNamedDeclaration':
      return node.declaration
        ? isClosedStatement(node.declaration, text)
        : text[endsAt(node) - 1] === ';';
    case 'ClassDeclaration':
    case 'FunctionDeclaration':
    case 'TSEnumDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSModuleDeclaration':
      return text[endsAt(node) - 1] === '}';
    default:
      return text[endsAt(node) - 1] === ';';
  }
}
