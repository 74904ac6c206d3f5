import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ENVIRONMENT, type Handover } from '../../../src/runtime/handover.ts';
import type { Plan, PlannedFile } from '../../../src/runtime/plan.ts';
import type { Recording } from '../../../src/runtime/recording.ts';
import { type Folder, folderWith } from '../../fakes/folder.ts';
import { recordingOf, runIn } from '../measured-program.ts';
import type { Program } from './program.ts';

/** What a program logged of itself: the end is missing where it had not come. */
export type Logged = readonly [
  kind: 'sleep' | 'fetch' | 'pool' | 'wire' | 'hold' | 'burn' | 'tick' | 'request' | 'worker',
  id: number | string,
  entry: number,
  startMs: number,
  endMs?: number,
];

export interface Measured {
  readonly recording: Recording;
  readonly log: readonly Logged[];
  /** For how long other programs had the processor while this one needed it. */
  readonly stolenMs: number;
}

export interface MeasureOptions {
  /** The path of the bundled command line. */
  readonly cli: string;
  /** The Node.js that runs the program. */
  readonly node?: string;
  /** Changes what is measured before the program starts. */
  readonly mutate?: (plan: Plan) => Plan;
}

/** Runs a generated program under `deadtime run`. */
export function measured(program: Program, options: MeasureOptions): Measured {
  const { path } = projectOf(program);
  const command = [options.node ?? process.execPath, ...loaderOf(program), program.main];
  if (options.mutate) runMutated(path, command, { ...options, mutate: options.mutate });
  else succeededIn(path, [options.cli, 'run', '--', ...command]);
  return {
    recording: recordingOf(path),
    ...jsonIn<Pick<Measured, 'log' | 'stolenMs'>>(join(path, 'truth.json')),
  };
}

/** The table that `deadtime run` prints for a program with the packages of a generated one. */
export function tableOf(program: Omit<Program, 'sites'>, cli: string): string {
  const { path } = projectOf(program);
  return succeededIn(path, [cli, 'run', '--', process.execPath, program.main]).stderr;
}

/** With the packages that a generated program imports. */
function projectOf({ files, form, dictated }: Omit<Program, 'sites'>): Folder {
  const module = (name: string) => readFileSync(`test/runtime/truth/modules/${name}.cjs`);
  const type = form === 'commonjs' ? 'commonjs' : 'module';
  return folderWith({
    ...files,
    'package.json': JSON.stringify({ name: 'shop', type, dependencies: { pg: '8' } }),
    'node_modules/pg/package.json': '{ "name": "pg", "version": "8.23.1", "main": "lib" }',
    'node_modules/pg/lib/index.js': module('pg'),
    'node_modules/truth/package.json': '{ "name": "truth", "version": "1.0.0" }',
    'node_modules/truth/index.js': module('log'),
    'node_modules/truth/dictated.json': JSON.stringify(dictated),
  });
}

function loaderOf({ form }: Program): readonly string[] {
  return form === 'tsx' ? ['--import', import.meta.resolve('tsx')] : [];
}

/** The same as `deadtime run`, in its steps. */
function runMutated(
  path: string,
  command: readonly string[],
  { cli, mutate }: MeasureOptions & Pick<Required<MeasureOptions>, 'mutate'>,
): void {
  const { stdout } = succeededIn(path, [cli, 'run', '--prepare', '--', ...command]);
  const handover = JSON.parse(stdout) as Handover;
  const plan = jsonIn<Plan>(handover.plan);
  writeFileSync(handover.plan, JSON.stringify(renumbered(mutate(plan))));
  const [, ...args] = command;
  const register = resolve(cli, '..', 'register.js');
  succeededIn(path, ['--import', register, ...args], { [ENVIRONMENT]: JSON.stringify(handover) });
  succeededIn(path, [cli, 'run', '--print', JSON.stringify(handover), '--', 'node']);
}

function renumbered(plan: Plan): Plan {
  const firsts = { firstSite: 0, firstSource: 0, firstPool: 0 };
  const files = plan.files.map(({ path, probes }): PlannedFile => {
    const file = { path, ...firsts, probes };
    firsts.firstSite += probes.sites.length;
    firsts.firstSource += probes.sources.length;
    firsts.firstPool += probes.pools.length;
    return file;
  });
  return { ...plan, files };
}

/** Fails where the program does. */
function succeededIn(cwd: string, ...args: Tail<Parameters<typeof runIn>>): Outcome {
  const outcome = runIn(cwd, ...args);
  if (outcome.status !== 0) throw new Error(`${args[0].join(' ')} in ${cwd}: ${outcome.stderr}`);
  return outcome;
}

type Outcome = ReturnType<typeof runIn>;
type Tail<T extends readonly unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;

function jsonIn<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}
