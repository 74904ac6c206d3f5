import { format, resolveConfig } from 'prettier';
import type { Rule } from '../../rules/define-rule.ts';

/** rules/index.ts: the rules, and the type of their ids. */
export function indexOf(rules: readonly Rule[]): Promise<string> {
  const ids = rules.map(({ id }) => id);
  return typescript(
    'rules/index.ts',
    `import type { Rule } from './define-rule.ts';
${importsOf(ids, (id) => `./${id}/rule.ts`)}

export type RuleId = ${ids.map((it) => `'${it}'`).join(' | ')};

/** Every rule, in alphabetical order. */
export const rules: readonly Rule[] = [${ids.map(camelCase).join(', ')}];
`,
  );
}

/** src/proof/table.ts: the proof of each rule. */
export function proofTableOf(ids: readonly string[]): Promise<string> {
  return typescript(
    'src/proof/table.ts',
    `import type { RuleId } from '../../rules/index.ts';
import type { BenchmarkCase } from './case.ts';
${ids.map((id) => `import { cases as ${camelCase(id)} } from './cases/${id}.ts';`).join('\n')}

/** The only link from a rule to its proof: a rule without a case does not compile. A finding's case is the first that accepts its evidence. */
export const table = {
${ids.map((id) => `'${id}': ${camelCase(id)},`).join('\n')}
} as const satisfies Record<RuleId, readonly BenchmarkCase[]>;
`,
  );
}

/** lab/seeds/mutations/index.ts: how bugs of each rule are planted. */
export function mutationsIndexOf(ids: readonly string[]): Promise<string> {
  return typescript(
    'lab/seeds/mutations/index.ts',
    `import type { RuleMutations } from '../seed.ts';
${importsOf(ids, (id) => `./${id}.ts`)}

/** What is planted for each rule. */
export const mutationsByRule: Readonly<Record<string, RuleMutations>> = {
${ids.map((id) => `'${id}': ${camelCase(id)},`).join('\n')}
};
`,
  );
}

function importsOf(ids: readonly string[], pathOf: (id: string) => string): string {
  return ids.map((id) => `import ${camelCase(id)} from '${pathOf(id)}';`).join('\n');
}

async function typescript(path: string, text: string): Promise<string> {
  return format(`// Written by \`npm run docs\` from the folders of the rules.\n${text}`, {
    ...(await resolveConfig(path)),
    parser: 'typescript',
  });
}

function camelCase(id: string): string {
  return id.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
