import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { agentVariables } from '../src/cli/agent.ts';
import { builtCli } from './fakes/built-cli.ts';
import { type Folder, folderWith } from './fakes/folder.ts';

const files = {
  '.git/HEAD': '',
  'package.json': '{ "dependencies": { "pg": "^8.0.0", "tides-sdk": "^1.4.0" } }',
  'src/page.ts': `import { TidesClient } from 'tides-sdk';
import { pool } from './db';
import { markSeen, wind } from './wind';
const tides = new TidesClient();
export async function tidePage(req: Request) {
  const { rows } = await pool.query('SELECT id FROM berths WHERE harbour = $1', [req.url]);
  const tide = await tides.next(req.url);
  return { tide, rows };
}
export async function windPage(req: Request) {
  const { rows } = await pool.query('SELECT id FROM berths WHERE harbour = $1', [req.url]);
  const now = await wind(req.url);
  return { now, rows };
}
export async function seenPage(req: Request) {
  const { rows } = await pool.query('SELECT id FROM berths WHERE harbour = $1', [req.url]);
  const seen = await markSeen(req.url);
  return { seen, rows };
}
`,
  'src/db.ts': `import { Pool } from 'pg';
export const pool = new Pool({ connectionTimeoutMillis: 1_000 });
pool.on('error', console.error);
`,
  'src/wind.ts': `import { pool } from './db';
export async function wind(this: any, harbour: string) {
  return await this.sensors.forward(harbour);
}
export async function markSeen(this: any, harbour: string) {
  await pool.query('UPDATE harbours SET seen = now() WHERE name = $1', [harbour]);
  return await this.sensors.forward(harbour);
}
`,
};

/** An agent, connected to a server of its own. */
interface Agent {
  resolve(parameters: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

describe('recorded facts', function () {
  this.timeout(240_000);
  let entry: string;
  let folder: Folder;
  const agents: Agent[] = [];
  before(async () => (entry = await builtCli()));
  beforeEach(() => (folder = folderWith(files)));
  afterEach(() => Promise.all(agents.splice(0).map((it) => it.close())));

  /** As a person runs it, whoever runs this test. */
  const ofPerson = {
    ...process.env,
    ...Object.fromEntries(agentVariables.map((it) => [it, undefined])),
  };

  const run = (...parameters: readonly string[]) =>
    new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>(
      (resolve) => {
        const options = { cwd: folder.path, env: ofPerson };
        execFile(process.execPath, [entry, ...parameters], options, (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
        );
      },
    );

  /** `line message` of each finding about sequential reads. */
  async function found(profile: string): Promise<readonly string[]> {
    const { stdout } = await run(
      ...['check', 'src', '--profile', profile, '--no-cache', '--format', 'compact'],
      ...['--rule', 'no-sequential-independent-awaits'],
    );
    return stdout.split('\n').filter((it) => it.startsWith('src/'));
  }

  async function agent(): Promise<Agent> {
    const client = new Client({ name: 'a test', version: '1.0.0' });
    const command = { command: process.execPath, args: [entry, 'mcp'], cwd: folder.path };
    await client.connect(new StdioClientTransport(command));
    const made = {
      async resolve(parameters: Record<string, unknown>) {
        const { content } = await client.callTool({
          name: 'resolve_unknowns',
          arguments: parameters,
        });
        return content[0]?.type === 'text' ? content[0].text : '';
      },
      close: () => client.close(),
    };
    agents.push(made);
    return made;
  }

  const facts = () =>
    (
      JSON.parse(readFileSync(join(folder.path, 'deadtime.facts.json'), 'utf8')) as {
        facts: Record<string, { answers: readonly { by: string }[] }>;
      }
    ).facts;

  it('are asked for, with the text of the functions', async () => {
    const text = await (await agent()).resolve({});
    match(text, /^3 functions that Deadtime cannot follow hide 3 awaits\.\n/);
    match(
      text,
      /\n## src\/wind\.ts#wind\nhides 1 await; src\/wind\.ts:2\n```ts\nasync function wind/,
    );
    match(text, /\n## tides-sdk#TidesClient\.next\nhides 1 await; src\/page\.ts:5\n/);
  });

  it('of an agent are refused where the body contradicts them, or where they answer no question', async () => {
    const { resolve } = await agent();
    const answers = [
      'src/wind.ts#markSeen=http.read',
      'src/wind.ts#markSeen=none',
      'src/gone.ts#it=none',
    ];
    const text = await resolve({ answers });
    deepStrictEqual(text.split('\n'), [
      'src/wind.ts#markSeen: not recorded: its body calls pg query (db.write).',
      'src/wind.ts#markSeen: not recorded: its body calls pg query (db.write).',
      'src/gone.ts#it: not recorded: it hides no await here: ask for the questions, and name one of them.',
    ]);
    match(
      await resolve({ answers: ['src/wind.ts#wind=http.guess'] }),
      /"effect" is "none", or one of db,/,
    );
  });

  it('of one agent, however often it answers, reach no recommended finding', async () => {
    const { resolve } = await agent();
    // It is wrong: the method books a berth.
    const answers = ['tides-sdk#TidesClient.next=http.read', 'src/wind.ts#wind=http.read'];
    await resolve({ answers });
    match(await resolve({ answers }), /until a second session or a person confirms it/);
    deepStrictEqual(await found('recommended'), []);
    const strict = await found('strict');
    strictEqual(strict.length, 2);
    match(
      strict[0]!,
      /^src\/page\.ts:7:.*This assumes that the answer about `tides-sdk#TidesClient\.next` is right\./,
    );
    match(
      strict[1]!,
      /^src\/page\.ts:12:.*This assumes that the answer about `src\/wind\.ts#wind` is right\./,
    );
    deepStrictEqual(
      Object.values(facts()).map((it) => it.answers.map(({ by }) => by)),
      [['agent'], ['agent']],
    );
  });

  it('count once two sessions agree, and no longer once they differ', async () => {
    const [first, second] = [await agent(), await agent()];
    const answers = ['src/wind.ts#wind=http.read'];
    await first.resolve({ answers });
    match(await second.resolve({ answers }), /it applies in each profile/);
    strictEqual((await found('recommended')).length, 1);
    match(
      await second.resolve({ answers: ['src/wind.ts#wind=http.write'] }),
      /it hides no await here/,
      'a settled question is not open',
    );
    await first.resolve({ answers: ['tides-sdk#TidesClient.next=http.read'] });
    match(
      await second.resolve({ answers: ['tides-sdk#TidesClient.next=http.write'] }),
      /it differs from an earlier answer, so that neither applies/,
    );
    deepStrictEqual((await found('strict')).length, 1);
  });

  it('of a person count, until the text of the function changes', async () => {
    const { code, stdout } = await run('coverage', '--answer', 'src/wind.ts#wind=http.read');
    deepStrictEqual(
      [code, stdout],
      [0, 'src/wind.ts#wind: recorded in deadtime.facts.json; it applies in each profile.\n'],
    );
    strictEqual((await found('recommended')).length, 1);
    // A formatter changes nothing.
    const wind = files['src/wind.ts'];
    folder.write({ 'src/wind.ts': wind.replace('return await', '\n  return  await') });
    strictEqual((await found('recommended')).length, 1);
    folder.write({ 'src/wind.ts': wind.replace('forward(harbour)', 'forward(harbour, 1)') });
    deepStrictEqual(await found('recommended'), []);
  });

  it('about a package hold for its version', async () => {
    await run('coverage', '--answer', 'tides-sdk#TidesClient.next=http.read');
    strictEqual((await found('recommended')).length, 1);
    folder.write({ 'package.json': files['package.json'].replace('1.4.0', '2.0.0') });
    deepStrictEqual(await found('recommended'), []);
  });

  it('are named where the file is broken, and not written over', async () => {
    folder.write({ 'deadtime.facts.json': '{ "facts": { "src/wind.ts#wind": {} } }' });
    const { stderr } = await run('check', 'src', '--no-cache');
    match(
      stderr,
      /deadtime\.facts\.json: some facts do not apply: "src\/wind\.ts#wind" needs "hash"/,
    );
    const { code, stderr: refused } = await run(
      'coverage',
      '--answer',
      'src/wind.ts#wind=http.read',
    );
    strictEqual(code, 2);
    match(refused, /needs "hash" and at least one of "answers"\. Fix it, or remove the file\./);
  });
});
