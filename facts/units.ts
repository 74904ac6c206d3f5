import type { TSESTree } from '@typescript-eslint/utils';
import {
  addPaths,
  addRead,
  closeReads,
  isStanding,
  type Reader,
  type Reads,
} from './effects/reads.ts';
import type { Grounds } from './grounds.ts';
import type { Questions } from './memo.ts';
import type { Node } from './syntax/ast.ts';
import type { NodeIndex } from './syntax/node-index.ts';
import { endsAt, startsAt } from './syntax/places.ts';

/**
 * A stretch of a file that is edited apart from the others: a member of a class, the head of one, or a statement. Together they
 * are the whole file.
 */
export interface Unit {
  /** That of no other unit. */
  readonly node: Node;
  /** Its nodes of these types, in source order. */
  readonly all: NodeIndex['all'];
}

/**
 * What units, or other things of a file that outlast an edit, have of something. An edit has only the share of its own unit
 * made anew, and of those whose share rests on it.
 */
export interface Shares {
  /** Of all of them in a row; `name` says what of, and `keyOf` what outlasts an edit. */
  of<From, T>(
    name: string,
    all: readonly From[],
    shareOf: (it: From) => T | readonly T[],
    keyOf: (it: From) => object,
  ): readonly T[];
}

interface Share {
  readonly list: readonly unknown[];
  readonly reads: Reads | undefined;
}

/**
 * The whole is put together anew after each edit, which takes no more than to look whether the shares stand: so it rests on
 * there being no edit, and not on all that each share rests on.
 */
export function keptShares(questions: Questions): Shares {
  const byName = new Map<string, Map<object, Share>>();
  return {
    of<From, T>(
      name: string,
      from: readonly From[],
      shareOf: (it: From) => T | readonly T[],
      keyOf: (it: From) => object,
    ) {
      let shares = byName.get(name);
      if (!shares) byName.set(name, (shares = new Map()));
      const all: T[] = [];
      for (const it of from) {
        const key = keyOf(it);
        let share = shares.get(key);
        if (!share || (share.reads && !isStanding(share.reads, questions.edit))) {
          shares.set(key, (share = shareMade(questions, () => shareOf(it))));
        }
        for (const one of share.list) all.push(one as T);
        addPaths(questions.reader, share.reads);
      }
      addRead(questions.reader, questions.noEdit);
      return all;
    },
  };
}

function shareMade(questions: Questions, make: () => unknown): Share {
  const { reader } = questions;
  const own: Reader = { reads: undefined };
  questions.reader = own;
  try {
    const list = [make()].flat();
    closeReads(own);
    return { list, reads: own.reads };
  } finally {
    questions.reader = reader;
  }
}

/** The units of a file that is being edited. */
export function unitsIn(
  { body }: TSESTree.Program,
  nodes: NodeIndex,
  grounds: Grounds,
): readonly Unit[] {
  const units: Unit[] = [];
  // A unit begins where the one before ends: whatever stands between them is in one, too.
  const add = (node: Node, end: () => number, start: () => number) => {
    units.push({
      node,
      all(...types) {
        grounds.noteInside(node);
        return nodes.between(start(), end(), ...types);
      },
    });
    return end;
  };
  let end = () => 0;
  for (const statement of body) {
    const declared = 'declaration' in statement ? statement.declaration : statement;
    const members = declared?.type === 'ClassDeclaration' ? declared.body.body : [];
    const [first] = members;
    // Nothing but a bracket is left behind the last member.
    if (first) end = add(statement, () => startsAt(first), end);
    else end = add(statement, () => endsAt(statement), end);
    for (const it of members) end = add(it, () => endsAt(it), end);
  }
  return units;
}
