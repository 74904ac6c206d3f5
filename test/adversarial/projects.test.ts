import { deepStrictEqual } from 'node:assert/strict';
import { faultsIn } from '../../lab/fuzz/invariants.ts';

const edit = { at: 0, removed: 0, text: ' ' };
const leak = [
  'export async function count() {',
  '  const client = await pool.connect();',
  "  await client.query('select 1');",
  '}',
].join('\n');

describe('files that lead back to themselves', () => {
  const projects: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'an import of each other': {
      'b.js': "import { count } from './a.js';\nexport const pool = count;",
    },
    'everything of each other': {
      'b.js': "export * from './c.js';\nexport * from './b.js';",
      'c.js': "export * from './b.js';\nexport * from './a.js';",
    },
    'a name that goes in a circle': {
      'b.js': "export { pool } from './c.js';",
      'c.js': "export { pool } from './b.js';",
    },
    'the file itself': { 'b.js': "export { pool } from './a.js';" },
  };
  for (const [name, beside] of Object.entries(projects)) {
    it(`are analysed once: ${name}`, () => {
      const text = `import { pool } from './b.js';\nexport { pool };\n${leak}`;
      deepStrictEqual(faultsIn({ path: 'a.js', text, beside, edit }), []);
    });
  }
});
