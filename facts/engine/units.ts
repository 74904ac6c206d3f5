import type { TSESTree } from '@typescript-eslint/utils';
import {
  addGround,
  addPaths,
  addReads,
  closeReads,
  isKnown,
  isStanding,
  ownReads,
  type Reader,
  type Reads,
} from './reads.ts';
import type { Grounds } from './grounds.ts';
import type { Questions } from './memo.ts';
import { childrenOf, type Node } from '../syntax/ast.ts';
import type { NodeIndex } from '../syntax/node-index.ts';
import { endsAt, startsAt } from '../syntax/places.ts';

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

/** The shares of some neighbours at once, while all of them stand: most edits touch those of one block. */
interface Block {
  readonly keys: readonly object[];
  readonly list: readonly unknown[];
  readonly reads: Reads;
}

const PER_BLOCK = 8;

/**
 * The whole is put together anew after each edit, which takes no more than to look whether the shares stand: so it rests on
 * there being no edit, and not on all that each share rests on.
 */
export function keptShares(questions: Questions): Shares {
  const byName = new Map<string, ReturnType<typeof sharesOfOne>>();
  return {
    of<From, T>(
      name: string,
      from: readonly From[],
      shareOf: (it: From) => T | readonly T[],
      keyOf: (it: From) => object,
    ) {
      let shares = byName.get(name);
      if (!shares) byName.set(name, (shares = sharesOfOne(questions)));
      const all: T[] = [];
      for (const [i, keys] of blocksOf(from, keyOf).entries()) {
        for (const one of shares.of(keys, (j) => shareOf(from[i * PER_BLOCK + j]!)))
          all.push(one as T);
      }
      addGround(questions.reader, questions.noEdit);
      return all;
    },
  };
}

/** Of each row: it is never changed, and asked about with one kind of keys. */
const knownBlocks = new WeakMap<readonly unknown[], readonly (readonly object[])[]>();

function blocksOf<From>(
  from: readonly From[],
  keyOf: (it: From) => object,
): readonly (readonly object[])[] {
  let blocks = knownBlocks.get(from);
  if (!blocks) knownBlocks.set(from, (blocks = cut(from.map(keyOf))));
  return blocks;
}

function cut(keys: readonly object[]): readonly (readonly object[])[] {
  const blocks: (readonly object[])[] = [];
  for (let i = 0; i < keys.length; i += PER_BLOCK) blocks.push(keys.slice(i, i + PER_BLOCK));
  return blocks;
}

function sharesOfOne(questions: Questions) {
  const byKey = new Map<object, Share>();
  const blocks = new Map<object, Block>();
  return {
    /** Those of neighbours. */
    of(keys: readonly object[], shareOf: (index: number) => unknown): readonly unknown[] {
      const [first] = keys;
      const block = blocks.get(first!);
      if (block && areSameKeys(block.keys, keys) && isStanding(block.reads, questions.edit)) {
        addPaths(questions.reader, block.reads);
        return block.list;
      }
      let isMade = false;
      const shares = keys.map((key, i) => {
        let share = byKey.get(key);
        if (!share || (share.reads && !isStanding(share.reads, questions.edit))) {
          byKey.set(key, (share = shareMade(questions, () => shareOf(i))));
          isMade = true;
        }
        addPaths(questions.reader, share.reads);
        return share;
      });
      const list = shares.flatMap((it) => it.list);
      const reads = isMade ? undefined : readsOfAll(shares);
      if (reads) blocks.set(first!, { keys, list, reads });
      else blocks.delete(first!);
      return list;
    },
  };
}

function areSameKeys(a: readonly object[], b: readonly object[]): boolean {
  // no veto: what outlasts an edit is compared with facts made anew in test/edited-facts.test.ts.
  return a === b || (a.length === b.length && a.every((it, i) => it === b[i]));
}

/** Undefined where not all of that is known yet. */
function readsOfAll(shares: readonly Share[]): Reads | undefined {
  // no veto: such shares are looked at one by one.
  if (!shares.every(({ reads }) => !reads || isKnown(reads))) return undefined;
  const all: Reader = { reads: ownReads({ reads: undefined }) };
  for (const { reads } of shares) addReads(all, reads);
  closeReads(all);
  return all.reads;
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
  const add = (
    node: Node,
    end: () => number,
    start: () => number,
    inside: readonly Node[] = [node],
  ) => {
    units.push({
      node,
      all(...types) {
        inside.forEach(grounds.noteInside);
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
    // Nothing but a bracket is left behind the last member. An edit of members leaves the head as it is.
    if (first) end = add(statement, () => startsAt(first), end, headOf(declared!));
    else end = add(statement, () => endsAt(statement), end);
    for (const it of members) end = add(it, () => endsAt(it), end);
  }
  return units;
}

/** Whatever may be edited in the head of a class. */
function headOf(declared: Node): readonly Node[] {
  return childrenOf(declared).filter((it) => it.type !== 'ClassBody');
}
