import ts from 'typescript';

/** What the traced sources call: `what` has the place and the words of a veto, `given` what its function was given. */
export interface Traced {
  vetoed?: (what: string, given: readonly unknown[]) => void;
}

interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** A source whose `if` statements with the comment `veto:` tell when they are reached. */
export function tracedSource(text: string, name: string): string {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const insertions: Insertion[] = [];
  const visit = (node: ts.Node): void => {
    const words = ts.isIfStatement(node) ? vetoBefore(node, file) : undefined;
    if (words !== undefined) {
      const { thenStatement } = node as ts.IfStatement;
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const what = JSON.stringify(`${name}:${line}  ${words}`);
      insertions.push({
        at: thenStatement.getStart(),
        text: `{ globalThis.vetoed?.(${what}, [${parametersAround(node).join(', ')}]); `,
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
