import { type Piece, piecesOf } from './pieces.ts';

/** One change of a program; its numbers of any size select a possible change. */
export interface Mutation {
  readonly kind: keyof typeof changes;
  readonly at: number;
  readonly other: number;
}

interface Given {
  readonly text: string;
  readonly pieces: readonly Piece[];
  /** A text to take pieces from, with them. */
  readonly donor: { readonly text: string; readonly pieces: readonly Piece[] };
  readonly at: number;
  readonly other: number;
}

export interface Subject {
  readonly path: string;
  readonly text: string;
}

/** The text after the mutation; as it was where there is nothing to change. */
export function mutated({ text, path }: Subject, it: Mutation, donor: Subject): string {
  return changes[it.kind]({
    text,
    pieces: piecesOf(text, path),
    donor: { text: donor.text, pieces: piecesOf(donor.text, donor.path) },
    at: it.at,
    other: it.other,
  });
}

const changes = {
  remove: ({ text, pieces, at }: Given) => {
    const piece = among(pieces, at);
    return piece ? replaced(text, piece.range, '') : text;
  },
  duplicate: ({ text, pieces, at }: Given) => {
    const piece = among(pieces, at);
    if (!piece) return text;
    const copy = text.slice(...piece.range);
    const between = piece.kind === 'statement' ? '\n' : ', ';
    return replaced(text, piece.range, copy + between + copy);
  },
  swap: ({ text, pieces, at, other }: Given) => {
    const one = among(pieces, at);
    const two = among(alike(pieces, one), other);
    if (!one || !two) return text;
    const [first, second] = one.range[0] < two.range[0] ? [one, two] : [two, one];
    if (first.range[1] > second.range[0]) return text;
    const moved = replaced(text, second.range, text.slice(...first.range));
    return replaced(moved, first.range, text.slice(...second.range));
  },
  replace: ({ text, pieces, donor, at, other }: Given) => {
    const piece = among(pieces, at);
    const theirs = among(alike(donor.pieces, piece), other);
    return piece && theirs ? replaced(text, piece.range, donor.text.slice(...theirs.range)) : text;
  },
  insert: ({ text, pieces, donor, at, other }: Given) => {
    const piece = among(ofKind(pieces, 'statement'), at);
    const theirs = among(ofKind(donor.pieces, 'statement'), other);
    if (!piece || !theirs) return text;
    const [start] = piece.range;
    return replaced(text, [start, start], `${donor.text.slice(...theirs.range)}\n`);
  },
  rename: ({ text, pieces, at, other }: Given) => {
    const piece = among(names(pieces), at);
    if (!piece) return text;
    const name = text.slice(...piece.range);
    const same = names(pieces).filter((it) => text.slice(...it.range) === name);
    return same.reduceRight((it, { range }) => replaced(it, range, among(hostile, other)!), text);
  },
  renameOne: ({ text, pieces, at, other }: Given) => {
    const piece = among(names(pieces), at);
    return piece ? replaced(text, piece.range, among(hostile, other)!) : text;
  },
  wrapStatement: ({ text, pieces, at, other }: Given) =>
    wrapped(text, among(ofKind(pieces, 'statement'), at), among(aroundStatements, other)!),
  wrapExpression: ({ text, pieces, at, other }: Given) =>
    wrapped(text, among(ofKind(pieces, 'expression'), at), among(aroundExpressions, other)!),
  truncate: ({ text, at }: Given) => text.slice(0, at % (text.length + 1)),
  insertToken: ({ text, at, other }: Given) => {
    const place = at % (text.length + 1);
    return replaced(text, [place, place], among(tokens, other)!);
  },
  removeText: ({ text, at, other }: Given) => {
    const start = at % (text.length + 1);
    return replaced(text, [start, Math.min(text.length, start + (other % 30))], '');
  },
  lineBreaks: ({ text, other }: Given) =>
    text.replaceAll(/\r\n|\n/g, among(['\r\n', '\r', '\u2028', '\u2029', '\n\n'], other)!),
  byteOrderMark: ({ text }: Given) => `\uFEFF${text}`,
} satisfies Readonly<Record<string, (given: Given) => string>>;

export const mutationKinds = Object.keys(changes) as readonly Mutation['kind'][];

const hostile = [
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'hasOwnProperty',
    'toString',
    'valueOf',
    '__defineGetter__',
  ],
  ...[
    'then',
    'length',
    'name',
    'undefined',
    'arguments',
    'async',
    'await',
    'of',
    'let',
    'yield',
    'static',
  ],
  ...[
    'größe',
    '名前',
    '𠮷',
    '\\u0061wait',
    '\\u{70}ool',
    '$',
    '_',
    'this',
    'super',
    'import.meta',
    '#id',
  ],
];

const aroundStatements = [
  ['for (;;) {', '}'],
  ['for (const row of rows) {', '}'],
  ['for await (const row of rows) {', '}'],
  ['for (const key in rows) {', '}'],
  ['while (true) {', '}'],
  ['do {', '} while (busy());'],
  ['outer: for (;;) {', 'continue outer; }'],
  ['label: {', 'break label; }'],
  ['try {', '} catch (error) { throw error; }'],
  ['try {', '} finally { client.release(); }'],
  ['if (ready) {', '} else {}'],
  ['switch (state) { case 1:', 'default: }'],
  ['async function inner() {', '}'],
  ['await (async () => {', '})();'],
  ['function* generate() {', '}'],
  ['async function* generate() {', '}'],
  ['class Inner { static {', '} }'],
  ['class Inner { async run() {', '} get value() { return 1; } }'],
  ['setTimeout(async () => {', '}, 10);'],
  ['rows.forEach(async (row) => {', '});'],
  ['await Promise.all(rows.map(async (row) => {', '}));'],
  ['await pool.transaction(async (client) => {', '});'],
  ['with (client) {', '}'],
  ['{ await using connection = await pool.connect();', '}'],
  ['namespace Inner {', '}'],
] as const;

const aroundExpressions = [
  ['(await ', ')'],
  ['(', ')'],
  ['(0, ', ')'],
  ['(', ')?.value'],
  ['(', ')!'],
  ['(', ' as any)'],
  ['(', ' satisfies unknown)'],
  ['`${', '}`'],
  ['[', ']'],
  ['({ value: ', ' })'],
  ['({ ...', ' })'],
  ['(() => ', ')()'],
  ['(async () => ', ')'],
  ['new (', ')()'],
  ['(yield ', ')'],
  ['(ready ? ', ' : null)'],
  ['(ready && ', ')'],
  ['(value ??= ', ')'],
  ['void ', ''],
  ['!', ''],
  ['import(', ')'],
  ['Promise.all([', '])'],
  ['(', ').catch(() => {})'],
  ['-', ' ** 2'],
  ['<div>{', '}</div>'],
] as const;

const tokens = [
  ...[
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    ';',
    ',',
    '.',
    '?.',
    '=>',
    '...',
    '`',
    '${',
    "'",
    '"',
    '/',
    '/*',
    '*/',
    '//',
  ],
  ...[
    '<',
    '>',
    '</',
    '#',
    '@',
    '\\',
    '\0',
    '\uD800',
    '\uFFFD',
    '😀',
    '\u2028',
    '\r',
    '<!--',
    '-->',
  ],
  ...[
    ' await ',
    ' async ',
    ' function ',
    ' class ',
    ' return ',
    ' yield ',
    ' throw ',
    ' new ',
    ' in ',
    ' of ',
  ],
  ...[
    ' for ',
    ' while ',
    ' if ',
    ' else ',
    ' try ',
    ' finally ',
    ' case ',
    ' default ',
    ' export ',
    ' import ',
  ],
  ...[
    ' using ',
    ' static ',
    ' get ',
    ' enum ',
    ' declare ',
    ' abstract ',
    ' 1e999 ',
    ' 0n ',
    ' 08 ',
    ' /x/v ',
  ],
  ...['/* eslint-disable */', '// deadtime-ignore-next-line', '// @ts-ignore\n', '#!/bin/sh\n'],
];

function names(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.filter((it) => it.type === 'Identifier');
}

function ofKind(pieces: readonly Piece[], kind: Piece['kind']): readonly Piece[] {
  return pieces.filter((it) => it.kind === kind);
}

function alike(pieces: readonly Piece[], piece: Piece | undefined): readonly Piece[] {
  return pieces.filter((it) => it.kind === piece?.kind);
}

function among<T>(all: readonly T[], which: number): T | undefined {
  return all[which % all.length];
}

function wrapped(
  text: string,
  piece: Piece | undefined,
  [before, after]: readonly [string, string],
): string {
  return piece ? replaced(text, piece.range, before + text.slice(...piece.range) + after) : text;
}

function replaced(text: string, [start, end]: readonly [number, number], by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}
