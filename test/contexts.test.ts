import { deepStrictEqual } from 'node:assert/strict';
import { contextOf, isExcluded } from '../src/analysis/contexts/contexts.ts';
import { isScript } from '../src/analysis/contexts/scripts.ts';
import { projectOf } from './fixtures.ts';

function factsIn(source: string) {
  return projectOf([{ virtualPath: '/project/main.ts', source }])('/project/main.ts');
}

/** The context of the call of `here()`. */
function contextIn(source: string) {
  const file = factsIn(source);
  const call = file.nodes
    .all('CallExpression')
    .find((it) => it.callee.type === 'Identifier' && it.callee.name === 'here')!;
  return contextOf(file, call);
}

describe('contextOf', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['here()', 'startup'],
    ['function load() { here() }', 'unknown'],
    ['function load() { here() } load()', 'startup'],
    ["app.get('/', (req, res) => { here() })", 'per-request'],
    ['export async function GET() { here() }', 'per-request'],
    ['function load() { here() } app.use((req, res) => { load() })', 'per-request'],
    ['setInterval(() => { here() }, 5)', 'periodic'],
    ['xs.map((x) => here(x))', 'per-item'],
    ["stream.on('data', (chunk) => { here() })", 'per-job'],
    ['function load() { here() } for (const x of xs) load()', 'per-item'],
    ['@Injectable() class Cache { onModuleInit() { here() } }', 'startup'],
    ['@Injectable() class Cache { onModuleInit() { this.fill() } fill() { here() } }', 'startup'],
    ['@Injectable() class Cache { find() { here() } }', 'unknown'],
    ['class Cache { onModuleInit() { here() } }', 'unknown'],
  ];
  for (const [source, expected] of cases) {
    it(`${source} is ${expected}`, () => deepStrictEqual(contextIn(source), expected));
  }
});

describe('excluded', () => {
  it('is a script by its path', () => {
    const at = (virtualPath: string) =>
      isScript(projectOf([{ virtualPath, source: 'run()' }])(virtualPath));
    const scripts = [
      'scripts/import.js',
      'apps/web/scripts/customers/acme/sync.ts',
      'packages/x/bin/cli.js',
      'tools/db/fill.ts',
      'apps/web/tools/fill.ts',
      'benchmarks/inserts.ts',
      'vite.config.ts',
      'apps/web/seed-queues.mts',
      'prisma/seed.word-lists.ts',
      'prisma/seed.services.ts',
      'prisma/seed-services.ts',
      'prisma/seed-worker-pools.ts',
      'prisma/seedScenarios.ts',
      'prisma/seederOfDemo.js',
      'apps/web/users-migration.ts',
      'api/migrate.ts',
      'src/migrations/1-add-worker.ts',
      'apps/api/migration-scripts/orders.ts',
      'packages/schemas/alterations/1.2.0-orders.ts',
      'repl/trim.ts',
      'one-offs/2024/trim.ts',
    ];
    const others = [
      'src/worker.ts',
      'server/latest/index.ts',
      'src/config.ts',
      'tools/app/src/main.ts',
      'apps/migration-service/src/orders.ts',
      'src/demo/seed.service.ts',
      'src/demo/seeds.controller.ts',
      'src/demo/seed.repository.ts',
      'src/demo/seed.routes.js',
      'src/demo/seed-service.ts',
      'src/demo/seedController.ts',
      'src/demo/seedbank.ts',
      'src/demo/seeds-controller.ts',
      'src/demo/migrate-worker.ts',
      'src/demo/backfill-processor.ts',
      'src/routes/migrations.ts',
      'src/routes/migration.ts',
      'src/routes/repl.ts',
      'src/routes/migrations/index.ts',
      'src/api/migrate.ts',
      'src/shop/services/backfill.ts',
      'src/repl/repl.controller.ts',
      'src/repl/rounds.ts',
      'src/one-off/charges.ts',
      'src/tools/orders.ts',
      'apps/api/src/mcp/tools/orders.ts',
      'src/tool/billing/billing.service.ts',
      'src/migrations/migrations.controller.ts',
      'repl/app/src/orders.ts',
    ];
    deepStrictEqual(
      [...scripts, ...others].filter((it) => at(`/project/${it}`)),
      scripts,
    );
  });

  it('is a test, a tool or client code by its content', () => {
    const excluded = [
      '#!/usr/bin/env node\nrun()',
      "'use client'\nexport {}",
      "import { it } from 'vitest'",
      "import { Command } from 'commander'",
      "describe('x', () => {})",
    ];
    deepStrictEqual(
      excluded.filter((it) => !isExcluded(factsIn(it))),
      [],
    );
    deepStrictEqual(isExcluded(factsIn("import { Pool } from 'pg'\nrun()")), false);
  });
});
