import { deepStrictEqual } from 'node:assert/strict';
import { rules } from '../rules/index.ts';
import { frequencies } from '../src/report/frequencies.ts';
import { byCost } from '../src/report/order.ts';
import { disk } from '../src/project/files.ts';
import { createClock } from '../src/scan/clock.ts';
import { projectModules } from '../src/scan/project.ts';
import { createScanner } from '../src/scan/scan.ts';
import { folderWith } from './fakes/folder.ts';
import {
  DB,
  type Files,
  IMPORT,
  perJobIn,
  perRequestIn,
  SERVICE,
  WORK,
} from './fakes/framework-programs.ts';

/** The same in functions of which no file shows how often they run. */
const SPARE = `${IMPORT}export async function spare(id: string) {${WORK}  return seen; }\n`;

/** What a user reads of the findings, in order: without places, but for whether it is the spare function. */
function reportOf(files: Files, dependencies: readonly string[] = []): readonly string[] {
  const manifest = {
    type: 'module',
    imports: { '#db': './db.ts' },
    dependencies: Object.fromEntries(['pg', ...dependencies].map((it) => [it, '8.0.0'])),
  };
  const folder = folderWith({
    'package.json': JSON.stringify(manifest),
    'db.ts': DB,
    'a-spare.ts': SPARE,
    ...files,
  });
  const clock = createClock();
  const modules = projectModules(folder.path, clock, { isForOneScan: true });
  const scanner = createScanner({ rules, profile: 'recommended', modules, clock });
  return ['a-spare.ts', ...Object.keys(files)]
    .map((it) => `${folder.path}/${it}`)
    .flatMap((path) => scanner.scan(disk.read(path)!, path, { isNamed: false }).problems)
    .toSorted(byCost)
    .map(({ finding: { severity, ruleId }, context, path }) =>
      [
        severity,
        ruleId,
        frequencies[context] ?? (path.endsWith('a-spare.ts') ? '(spare)' : ''),
      ].join(' '),
    );
}

const perRequest = [
  'warning no-sequential-independent-awaits Runs for every request',
  'warning no-leaked-connection Runs for every request',
  'warning no-leaked-connection (spare)',
  'information no-sequential-independent-awaits (spare)',
];
const perJob = perRequest.map((it) => it.replace('every request', 'every job'));

describe('a framework', () => {
  for (const [name, files, ...packages] of perRequestIn)
    it(`has the findings of Express in ${name}`, () =>
      deepStrictEqual(reportOf(files, packages), perRequest));

  for (const [name, files, ...packages] of perJobIn)
    it(`has the findings of Express, per job, in ${name}`, () =>
      deepStrictEqual(reportOf(files, packages), perJob));
});

describe('code that looks like a framework’s', () => {
  const unknown: readonly (readonly [string, Files, ...string[]])[] = [
    [
      'a decorator of another package',
      {
        'visits.ts': `import { Get } from './get.ts';
${IMPORT}export class Visits { @Get(':id') async visit(id: string) {${WORK}  return seen; } }
`,
      },
      '@nestjs/common',
    ],
    [
      'another method of a service that a controller has',
      {
        'visits.service.ts': `${IMPORT}export class VisitsService {
  async visit(id: string) { return id; }
  async visitAll(id: string) {${WORK}  return seen; }
}
`,
        'visits.controller.ts': `import { Controller, Get } from '@nestjs/common';
import { VisitsService } from './visits.service.ts';
@Controller('visits')
export class VisitsController {
  constructor(private readonly visits: VisitsService) {}
  @Get(':id') async visit(id: string) { return this.visits.visit(id); }
}
`,
      },
      '@nestjs/common',
    ],
    [
      'a page of which the paths are known while the site is built',
      {
        'app/visits/[id]/page.tsx': `${IMPORT}export const generateStaticParams = () => [];
export default async ({ params }) => { const { id } = await params;${WORK}  return <p>{seen.length}</p>; };
`,
      },
      'next',
    ],
    [
      'what a function of the project is given to run later',
      {
        'later.ts': `export function later(run: (id: string) => unknown) { return async (id: string) => await run(id); }
`,
        'visits.ts': `${IMPORT}import { later } from './later.ts';
export const visit = later(async (id: string) => {${WORK}  return seen; });
`,
      },
    ],
    [
      'an async function with a capital that draws nothing',
      {
        'visits.ts': `${IMPORT}export async function Visits(id: string) {${WORK}  return seen; }
`,
      },
      'next',
    ],
    [
      'a function in a component that waits for nothing',
      {
        'visits.tsx': `${IMPORT}export function Visits({ id, when }) {
  when(async () => {${WORK}  return seen; });
  return <p>{id}</p>;
}
`,
      },
      'next',
    ],
    [
      'an object that is called as those of resolvers are',
      {
        'visits.ts': `${IMPORT}export const visits = { Query: { visit: async (id: string) => {${WORK}  return seen; } } };\n`,
      },
    ],
    [
      'an object with a fetch that is no default export',
      {
        'visits.ts': `${IMPORT}export const visits = { fetch: async (id: string) => {${WORK}  return seen; } };\n`,
      },
    ],
    [
      'a function that only a test calls',
      {
        'visits.ts': SERVICE,
        'visits.test.ts': `import { it } from 'node:test';
import { visit } from './visits.ts';
for (const id of ['1', '2']) it(id, () => visit(id));
`,
      },
    ],
  ];
  for (const [name, files, ...packages] of unknown)
    it(`is of unknown context: ${name}`, () => {
      const report = reportOf(files, packages).filter((it) => !it.endsWith('(spare)'));
      deepStrictEqual(report, [
        'warning no-leaked-connection ',
        'information no-sequential-independent-awaits ',
      ]);
    });
});
