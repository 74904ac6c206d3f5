// What any linter has to do at least: `node parse-only.mjs read|oxc|typescript` reads, and parses, the code below the folder.
import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';

const [kind] = process.argv.slice(2);
const ignore = ['**/{node_modules,dist,build,out,coverage}/**', '**/*.{d.ts,min.js}'];
const files = globSync('**/*.{js,jsx,ts,tsx,mjs,cjs,mts,cts}', { ignore });
const { parseSync } = kind === 'oxc' ? await import('oxc-parser') : {};
const ts = kind === 'typescript' ? (await import('typescript')).default : undefined;
for (const file of files) {
  const text = readFileSync(file, 'utf8');
  parseSync?.(file, text).program;
  ts?.createSourceFile(file, text, ts.ScriptTarget.Latest);
}
