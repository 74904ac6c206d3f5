import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import ts from 'typescript';
import { disk } from '../../src/project/files.ts';
import { compiledFilesIn } from '../../src/scan/compiled-probes.ts';
import type { FileProbes } from '../../src/runtime/plan.ts';
import { rules } from '../../rules/index.ts';
import { builtCli } from '../fakes/built-cli.ts';
import { type Folder, folderWith } from '../fakes/folder.ts';
import { scanned } from '../fakes/scanned.ts';
import { recordingOf, runIn } from './measured-program.ts';
import { pgDriver } from './pg-driver.ts';

const source = `import { Cron } from '@nestjs/schedule';
import { readFileSync } from 'node:fs';
import pg from 'pg';

interface Row {
  readonly n: number;
}

const pool: pg.Pool = new pg.Pool({ max: 4 });
const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

function manifest(path: string): string {
  return readFileSync(path, 'utf8');
}

export class Reports {
  constructor(private readonly name: string) {}

  @Cron('0 * * * *')
  async hourly(): Promise<void> {
    await sleep(5);
    manifest('package.json');
    await pool.query<Row>('SELECT 1');
  }

  async counts(): Promise<readonly unknown[]> {
    const users = await pool.query<Row>('SELECT count(*) FROM users');
    const items = await pool.query<Row>('SELECT count(*) FROM items');
    return [this.name, users, items];
  }
}

const reports: Reports = new Reports('r');
for (let i = 0; i < 3; i++) await reports.hourly();
await reports.counts();
`;

const lineOf = (part: string) => source.slice(0, source.indexOf(part)).split('\n').length;

function compiled(module: ts.ModuleKind): { readonly code: string; readonly map: string } {
  const { outputText, sourceMapText = '' } = ts.transpileModule(source, {
    fileName: 'reports.ts',
    compilerOptions: {
      ...{ module, target: ts.ScriptTarget.ES2022, sourceMap: true },
      experimentalDecorators: true,
    },
  });
  const map = JSON.parse(sourceMapText) as { sources: string[] };
  map.sources = ['../src/reports.ts'];
  return { code: outputText, map: JSON.stringify(map) };
}

describe('a program that a compiler has written', () => {
  const { code, map } = compiled(ts.ModuleKind.ESNext);
  let cli: string;
  let project: Folder;

  before(async function () {
    this.timeout(120_000);
    cli = await builtCli();
    project = folderWith({
      'package.json': '{ "name": "shop", "type": "module", "dependencies": { "pg": "8" } }',
      'src/reports.ts': source,
      'dist/reports.js': code,
      'dist/reports.js.map': map,
      'node_modules/pg/package.json':
        '{ "name": "pg", "version": "8.0.0", "main": "lib/index.js" }',
      'node_modules/pg/lib/index.js': pgDriver,
      'node_modules/@nestjs/schedule/package.json':
        '{ "name": "@nestjs/schedule", "version": "4.0.0", "main": "index.js" }',
      'node_modules/@nestjs/schedule/index.js': 'exports.Cron = () => () => {};',
    });
  });

  const filesWith = (files: Readonly<Record<string, string>>) => {
    const { path } = folderWith({ 'src/reports.ts': source, ...files });
    const { probes } = scanned(source, `${path}/src/reports.ts`, {
      rules,
      profile: 'strict',
      findsProbes: true,
    });
    ok(probes);
    const found = compiledFilesIn(path, new Map([[`${path}/src/reports.ts`, probes]]), disk);
    return { found, probes };
  };

  it('has the lines of its source, and the rules with a finding there', () => {
    const program = compiled(ts.ModuleKind.CommonJS);
    const { found, probes } = filesWith({
      'out/reports.js': program.code,
      'out/reports.js.map': program.map,
    });
    strictEqual(found.length, 1);
    const stated = ({ sites }: FileProbes) =>
      sites.map(({ line, kind, code: awaited, rules, run, sleepMs }) => ({
        ...{ line, kind, awaited, rules, run, sleepMs },
      }));
    deepStrictEqual(stated(found[0]!.probes), stated(probes));
    deepStrictEqual(
      found[0]!.probes.pools.map((it) => it.line),
      [lineOf('new pg.Pool')],
    );
    deepStrictEqual(
      found[0]!.probes.findings.map((it) => [it.fingerprint, it.sites]),
      probes.findings.map((it) => [it.fingerprint, it.sites]),
    );
  });

  it('has the handlers that its decorators state', () => {
    const { found } = filesWith({ 'dist/reports.js': code, 'dist/reports.js.map': map });
    deepStrictEqual(
      found[0]!.probes.sources.map(({ kind, name }) => [kind, name]),
      [['schedule', 'hourly']],
    );
    strictEqual(found[0]!.probes.frames.filter((it) => it.source === 0).length, 1);
  });

  it('has no probes where its map is of something else, or is broken', () => {
    const files = (own: string) => ({ 'dist/reports.js': code, 'dist/reports.js.map': own });
    for (const own of [
      ...['', '{', '[]', '{"version":3,"sources":[],"mappings":""}'],
      map.replace('reports.ts', 'other.ts'),
      map.replace('"../src/reports.ts"', '"../src/reports.ts","../src/b.ts"'),
    ])
      deepStrictEqual(filesWith(files(own)).found, [], own);
  });

  it('has no probes where the source has changed since the scan', () => {
    const { path } = folderWith({
      'src/reports.ts': `\n${source}`,
      'dist/reports.js': code,
      'dist/reports.js.map': map,
    });
    const { probes } = scanned(source, `${path}/src/reports.ts`, {
      rules,
      profile: 'strict',
      findsProbes: true,
    });
    deepStrictEqual(
      compiledFilesIn(path, new Map([[`${path}/src/reports.ts`, probes!]]), disk),
      [],
    );
  });

  it('is measured at the lines of its source', function () {
    this.timeout(60_000);
    const { status, stderr } = runIn(project.path, [
      ...[cli, 'run', '--', process.execPath, 'dist/reports.js'],
    ]);
    strictEqual(status, 0, stderr);
    const { entries, sites, files, leftAlone } = recordingOf(project.path);
    deepStrictEqual(leftAlone, []);
    deepStrictEqual(
      entries.map(({ kind, name, count, at }) => ({ kind, name, count, at })),
      [
        {
          ...{ kind: 'schedule', name: 'hourly', count: 3 },
          at: { file: 'src/reports.ts', line: lineOf('async hourly') },
        },
      ],
    );
    const ran = sites.map((it) => `${it.at.file}:${it.at.line} ${it.code}`);
    ok(ran.includes(`src/reports.ts:${lineOf('await sleep(5)')} sleep`), String(ran));
    ok(ran.includes(`src/reports.ts:${lineOf('FROM items')} pool.query`), String(ran));
    ok(ran.includes(`src/reports.ts:${lineOf('readFileSync(path')} readFileSync`), String(ran));
    deepStrictEqual(
      files.map((it) => it.file),
      ['src/reports.ts'],
    );
    match(stderr, /schedule hourly \(src\/reports\.ts:\d+\)/);
  });
});
