import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import ts from 'typescript';

interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** A source whose `if` statements with the comment `veto:` report with their words when they end a candidate: src/scan/reasons.ts listens. */
function tracedSource(text: string, isOfRules: boolean): string {
  const file = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const insertions: Insertion[] = [];
  const visit = (node: ts.Node): void => {
    const words = ts.isIfStatement(node) ? vetoBefore(node, file) : undefined;
    if (words !== undefined) {
      const { thenStatement } = node as ts.IfStatement;
      const what = JSON.stringify(words);
      insertions.push({
        at: thenStatement.getStart(),
        text: `{ globalThis.vetoed?.(${what}, [${parametersAround(node).join(', ')}], ${isOfRules}); `,
      });
      insertions.push({ at: thenStatement.end, text: ' }' });
    }
    node.forEachChild(visit);
  };
  visit(file);
  return insertions
    .toSorted((a, b) => b.at - a.at)
    .reduce((all, it) => all.slice(0, it.at) + it.text + all.slice(it.at), text);
}

function vetoBefore(node: ts.Node, { text }: ts.SourceFile): string | undefined {
  const last = ts.getLeadingCommentRanges(text, node.pos)?.at(-1);
  return last && /^\/\/ veto: (.+)/.exec(text.slice(last.pos, last.end))?.[1];
}

function parametersAround(node: ts.Node): readonly string[] {
  const fn = ts.findAncestor(node, ts.isFunctionLike);
  return (fn?.parameters ?? []).flatMap(({ name }) => {
    if (ts.isIdentifier(name)) return [name.text];
    if (!ts.isObjectBindingPattern(name)) return [];
    return name.elements.flatMap((it) => (ts.isIdentifier(it.name) ? [it.name.text] : []));
  });
}

/** What ends a candidate is in the rules and in what they ask. */
const OURS = /[\\/](?:rules|src[\\/](?:analysis|patterns))[\\/].*\.ts$/;
/** Where conditions are about what a rule reports, and not about what code means. */
const OF_RULES =
  /[\\/](?:rules|patterns|analysis[\\/](?:behaviour|connections|contexts|flow|loops|ownership|values))[\\/]/;

/** Bundles the analysis traced, for `deadtime why`: where nothing listens, each costs one read of a global name. */
export const traced: Plugin = {
  name: 'traced',
  setup(building) {
    building.onLoad({ filter: OURS }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text.includes('// veto:') ? tracedSource(text, OF_RULES.test(path)) : text;
      return { contents, loader: 'ts' };
    });
  },
};
