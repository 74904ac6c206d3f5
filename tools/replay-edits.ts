// Replays random edits, unfinished code among them, on real files in the built language server, and asks in the end whether its
// diagnostics are those of a server that has only seen the last texts:
//   npm run replay:edits -- FILE... [--edits 10000] [--seed 1]
// The edits are shared out among the files, which are open at the same time.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { rootAround } from '../src/scan/repository.ts';
import { readArguments } from './arguments.ts';
import { buildPackage } from './build/build.ts';
import { editorClient, type EditorClient } from './editor-client.ts';
import { randomEdits } from './random-edits.ts';

const { values, positionals } = readArguments(
  'npm run replay:edits -- FILE... [--edits 10000] [--seed 1]',
  { edits: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
  (it) => it.positionals.length > 0,
);
await buildPackage();
const paths = positionals.map((it) => resolve(process.env['INIT_CWD'] ?? process.cwd(), it));
const root = rootAround(dirname(paths[0]!));
const many = Number(values.edits);
/** How many edits lie between two looks. */
const STRETCH = 500;

/** Shows the most that can be found. */
const settings = { profile: 'audit' };
const edited = await editorClient(root, settings);
for (const path of paths) edited.open(path, readFileSync(path, 'utf8'));
const random = paths.map((_, i) => randomEdits(Number(values.seed) + i));
let isSame = true;
let count = 0;
for (let i = 1; i <= many && isSame; i++) {
  const which = i % paths.length;
  const path = paths[which]!;
  edited.edit(path, random[which]!.next(edited.textOf(path)));
  // Most answers are out of date, as they are while a user types.
  if (i % 3 === 0) void edited.pull(path);
  if (i % 20 === 0) await edited.pull(path);
  if (i % STRETCH !== 0 && i !== many) continue;
  const found = await diagnosticsIn(edited);
  const cold = await editorClient(root, settings);
  for (const it of paths) cold.open(it, edited.textOf(it));
  count += found.flat().length;
  isSame = isDeepStrictEqual(found, await diagnosticsIn(cold));
  await cold.end();
  console.log(
    `${i} edits: ${found.flat().length} diagnostics, ${isSame ? 'as' : 'NOT as'} at first sight`,
  );
}
await edited.end();
// Where nothing is found, nothing is compared.
if (count === 0) console.log('Nothing was found at any look: take files with findings.');
process.exitCode = isSame && count > 0 ? 0 : 1;

async function diagnosticsIn(client: EditorClient) {
  return Promise.all(paths.map((it) => client.pull(it)));
}
