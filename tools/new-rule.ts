import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readArguments } from './arguments.ts';
import { generatedFiles } from './generate/generated-files.ts';

const { positionals } = readArguments(
  'npm run new-rule -- ID, for example: npm run new-rule -- no-blocking-sleep',
  {},
  (it) => /^[a-z]+(?:-[a-z]+)+$/.test(it.positionals[0] ?? ''),
);
const id = positionals[0]!;
if (existsSync(`rules/${id}`)) {
  console.error(`rules/${id} exists.`);
  process.exit(2);
}

const rule = `import { defineRule } from '../define-rule.ts';
import { AWAIT } from '../trigger.ts';

export default defineRule({
  id: '${id}',
  description: 'Disallow ...',
  messages: {
    waits: {
      text: 'What happens and why it costs {{place}}. What to do.',
      severity: 'warning',
      fix: { changes: 'order', steps: ['What to do.'] },
    },
  },
  options: {},
  trigger: AWAIT,

  *check(file) {
    for (const node of file.nodes.all('AwaitExpression')) {
      // Each reason not to report is an early continue with a sentence that states why.
      if (node.argument.type !== 'CallExpression') continue;

      yield { messageId: 'waits', at: node, evidence: { place: file.textOf(node.argument) } };
    }
  },
});
`;

const page = `## Why

Why it costs, in two sentences.

\`\`\`ts
await pool.query('select 1');
\`\`\`

## Reported

\`\`\`ts
await pool.query('select 2');
\`\`\`

## Not reported

\`\`\`ts
pool.query('select 1');
\`\`\`

## When to disable it

## What it does not see
`;

const proof = `import type { BenchmarkCase } from '../case.ts';

const first: BenchmarkCase = {
  ruleId: '${id}',
  variant: 'first',
  title: 'what happens before the fix, in one line that begins with a capital',
  counts: 'what is counted',
  needs: {},
  parameters: [],
  parametersOf: () => ({}),
  doesNotShow: ['what the result does not show'],
  async setUp() {
    return {
      kind: 'count',
      flagged: { label: 'before', run: async () => ({ value: 1, isFailure: true, text: '1' }) },
      mended: { label: 'after', run: async () => ({ value: 0, isFailure: false, text: '0' }) },
      close: async () => {},
    };
  },
};

export const cases = [first];
`;

const mutations = `import { type Mutations, type RuleMutations, seedAt } from '../seed.ts';

const mutations: Mutations = {
  *'what the bug does'(file) {
    for (const call of file.nodes.all('CallExpression')) yield seedAt(call);
  },
};

export default { mutations } satisfies RuleMutations;
`;

const change = `---
'deadtime': minor
---

Add the rule \`${id}\`: ...
`;

const files = {
  [`rules/${id}/rule.ts`]: rule,
  [`rules/${id}/README.md`]: page,
  [`fixtures/${id}/reports/the-reason.ts`]: "await pool.query('select 1');\n",
  [`fixtures/${id}/ignores/the-neighbour.ts`]: "pool.query('select 1');\n",
  [`src/proof/cases/${id}.ts`]: proof,
  [`lab/seeds/mutations/${id}.ts`]: mutations,
  [`.changeset/${id}.md`]: change,
};
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
for (const [path, text] of await generatedFiles()) writeFileSync(path, text);
// The README says how many rules there are.
const count = readdirSync('rules', { withFileTypes: true }).filter((it) => it.isDirectory()).length;
const readme = readFileSync('README.md', 'utf8');
writeFileSync('README.md', readme.replace(/\*\*\d+ rules\*\*/, `**${count} rules**`));
console.log(Object.keys(files).join('\n'));
console.log(`
Five places are yours: rules/${id}/, fixtures/${id}/, src/proof/cases/${id}.ts, lab/seeds/mutations/${id}.ts and .changeset/${id}.md.
docs/internals/writing-a-rule.md leads through them. First: UPDATE_FIXTURES=1 npx mocha test/rules.test.ts -g ${id}`);
