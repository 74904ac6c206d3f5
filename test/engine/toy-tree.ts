import { QueryStore } from '../../src/engine/query.ts';
import type { Region } from '../../src/engine/regions.ts';
import { type Runtime, runtimeOf } from '../../src/engine/runtime.ts';
import { bodyOf, type TrackedTree, trackedTreeOf } from '../../src/engine/tracked-tree.ts';
import type { Exchanged, Node, Nodes, Tree } from '../../src/engine/tree.ts';

/** A function of a toy program: its body is a list of words. */
export interface ToyFunction {
  readonly type: 'FunctionDeclaration';
  readonly name: string;
  body: readonly string[];
}

/** A program of functions, which an edit gives other bodies. */
export interface ToyFile {
  readonly ast: object;
  readonly queries: QueryStore;
  readonly tree: TrackedTree;
  regions(): readonly Region[];
  functions(): readonly ToyFunction[];
  bodyOf(name: string): readonly string[];
  edit(name: string, body: readonly string[]): void;
}

/** `runtime` is that of the files that ask each other. */
export function toyFile(
  bodies: Readonly<Record<string, readonly string[]>>,
  { runtime = runtimeOf({}), isEdited = true }: { runtime?: Runtime; isEdited?: boolean } = {},
): ToyFile {
  const functions = Object.entries(bodies).map(([name, body]): ToyFunction => ({
    type: 'FunctionDeclaration',
    name,
    body,
  }));
  let listener: (exchanged: Exchanged) => void = () => {};
  const all = (...types: readonly string[]) =>
    types.includes('FunctionDeclaration') ? functions : [];
  const nodes = {
    ...{ all, between: () => [], named: () => [], namedBetween: () => [], called: () => [] },
    onExchange: (listen: typeof listener) => void (listener = listen),
  } as unknown as Tree;
  const tree = trackedTreeOf(nodes, runtime);
  const functionNamed = (name: string) => functions.find((it) => it.name === name)!;
  return {
    ast: functions,
    queries: new QueryStore(runtime, { isEdited }),
    tree,
    functions: () => tree.nodes.all('FunctionDeclaration') as unknown as readonly ToyFunction[],
    regions: () =>
      functions.map((it) => ({
        node: it as unknown as Node,
        all: (() => {
          tree.dependOnInside(it as unknown as Node);
          return [it];
        }) as unknown as Region['all'],
      })),
    bodyOf: (name) => bodyOf(functionNamed(name)),
    edit(name, body) {
      const parent = functionNamed(name);
      parent.body = body;
      listener({
        parent: parent as unknown as Node,
        ...{ gone: NONE, come: NONE },
        spelled: new Set(),
      });
    },
  };
}

const NONE: Nodes = { roots: [], byType: new Map(), byName: new Map(), byCalled: new Map() };
