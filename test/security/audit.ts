import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { turnAt } from '../fakes/turn.ts';
import { itInFull } from '../lanes.ts';

/** What a registry says of every version of a package. */
const known = [
  {
    id: 1,
    url: 'https://example.test/1',
    title: 'all is lost',
    severity: 'high',
    vulnerable_versions: '<1000',
  },
];

describe('npm run audit', function () {
  this.timeout(120_000);
  let leave: () => void;
  // It builds what ships.
  before(async () => {
    leave = await turnAt('dist');
  });
  after(() => leave());

  it('reports the advisories of packages that ship, and none of those that build or test them', async () => {
    const { code, output } = await auditBeside((response) =>
      response.end(JSON.stringify({ pg: known, commander: known, prettier: known })),
    );
    const [first, second, count, ...more] = output.trim().split('\n');
    match(first!, /^commander@[\d.]+: high, all is lost \(<1000\), https:\/\/example\.test\/1$/);
    strictEqual(
      second,
      `pg@${lockedVersion('pg')}: high, all is lost (<1000), https://example.test/1`,
    );
    match(count!, /^[1-9]\d* packages, 2 known problems$/);
    deepStrictEqual([code, more], [1, []]);
  });

  itInFull('says that nothing is known', async () => {
    const { code, output } = await auditBeside((response) => response.end('{}'));
    match(output, /^[1-9]\d* packages, 0 known problems\n$/);
    strictEqual(code, 0);
  });

  itInFull('says that a registry does not answer, and how to ask another', async () => {
    const { code, output } = await auditBeside((response) => response.writeHead(405).end());
    ok(output.startsWith('The registry does not return its list of vulnerabilities: 405'), output);
    match(output, /npm run audit --registry URL/);
    strictEqual(code, 2);
  });
});

function lockedVersion(name: string): string {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  return packages[`node_modules/${name}`]!.version;
}

/** Runs it with a registry that answers questions for advisories so, and knows no package. */
async function auditBeside(
  answer: (response: ServerResponse) => void,
): Promise<{ readonly code: number; readonly output: string }> {
  const server = createServer((request, response) => {
    if (request.method === 'POST' && request.url!.endsWith('/advisories/bulk')) answer(response);
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  const cache = mkdtempSync(join(tmpdir(), 'deadtime-audit-'));
  try {
    await once(server, 'listening');
    const child = spawn(process.execPath, ['--import', 'tsx', 'tools/build/audit.ts'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        npm_config_registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
        npm_config_cache: cache,
        npm_config_fetch_retries: '0',
      },
    });
    const closed = once(child, 'close') as Promise<[number]>;
    const said = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = await closed;
    return { code, output: said.join('') };
  } finally {
    server.close();
    rmSync(cache, { recursive: true, force: true });
  }
}
