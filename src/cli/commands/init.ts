import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { rootAround } from '../../scan/repository.ts';
import { regularText } from '../../system/regular-file.ts';
import { exitCodes, UsageError } from '../failure.ts';
import { agentsIn, agentSteps } from '../init/agents.ts';
import { ciIn, ciSteps } from '../init/ci.ts';
import { diffText } from '../init/diff.ts';
import { eslintSteps, oxlintSteps } from '../init/linters.ts';
import { type AgentName, type CiName, type ManagerName, managerNames } from '../init/names.ts';
import { managerIn, precommitSteps } from '../init/precommit.ts';
import { addCommand } from '../init/manifest.ts';
import type { Read, Step } from '../init/step.ts';
import { assertInside, writeFiles } from '../write-files.ts';

export interface InitOptions {
  /** `true` is for what lies in the project. */
  readonly agents?: readonly AgentName[] | true;
  readonly ci?: CiName | true;
  readonly precommit?: ManagerName | true;
  readonly eslint?: boolean;
  readonly oxlint?: boolean;
  /** Writes without asking. */
  readonly yes?: boolean;
  readonly hasColors: boolean;
}

type Writing = Extract<Step, { readonly kind: 'write' }>;

/** Shows the planned changes, asks, and writes; returns the exit code. Existing content is not overwritten. */
export async function init(options: InitOptions): Promise<number> {
  const root = rootAround(process.cwd());
  const steps = stepsFor(options, root);
  process.stdout.write(steps.map((it) => `${stepText(it, options)}\n`).join(''));
  const writings = steps.filter((it) => it.kind === 'write');
  if (writings.length === 0) process.stdout.write('Nothing is left to write.\n');
  else if (await isWanted(writings.length, options)) write(writings, root);
  const needs = new Set(steps.flatMap((it) => it.needs ?? []));
  if (needs.size > 0) process.stdout.write(`Then run: ${addCommand(needs, readIn(root))}\n`);
  return exitCodes.clean;
}

function stepsFor(options: InitOptions, root: string): readonly Step[] {
  const { agents, ci, precommit, eslint = false, oxlint = false } = options;
  const exists = (path: string) => existsSync(join(root, path));
  const read = readIn(root);
  const steps = [
    ...(agents ? agentSteps(agents === true ? agentsIn(exists) : agents, read) : []),
    ...(ci ? ciSteps(ci === true ? ciIn(exists) : ci, read) : []),
    ...(precommit ? precommitSteps(precommit === true ? managerOf(exists) : precommit, read) : []),
    ...(eslint ? eslintSteps(read) : []),
    ...(oxlint ? oxlintSteps(read) : []),
  ];
  if (steps.length > 0) return steps;
  throw new UsageError(
    'Name what to set up: --agents, --ci, --precommit, --eslint, --oxlint, or several of them.',
  );
}

function readIn(root: string): Read {
  return (path) => textAt(join(root, path), root);
}

function textAt(path: string, root: string): string | undefined {
  assertInside(path, root);
  if (!existsSync(path)) return undefined;
  try {
    return regularText(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`Cannot read ${path}: ${reason}. Move it away, or make it readable.`);
  }
}

function managerOf(exists: (path: string) => boolean): ManagerName {
  const manager = managerIn(exists);
  if (manager) return manager;
  throw new UsageError(`Name the hook manager: --precommit ${managerNames.join(', or ')}.`);
}

function stepText(step: Step, options: { readonly hasColors: boolean }): string {
  switch (step.kind) {
    case 'write':
      return diffText(step.path, step.before, step.after, options);
    case 'present':
      return `${step.path} has it already and stays unchanged.`;
    case 'by-hand':
      return `${step.path} stays unchanged, because ${step.because}. Add this by hand:\n${step.text.trimEnd()}\n`;
  }
}

async function isWanted(count: number, { yes = false }: InitOptions): Promise<boolean> {
  if (yes) return true;
  const { stdin, stdout } = process;
  const files = count === 1 ? 'this file' : `these ${count} files`;
  if (!stdin.isTTY || !stdout.isTTY) {
    stdout.write(`Nothing was written. With --yes, deadtime writes ${files}.\n`);
    return false;
  }
  const question = createInterface({ input: stdin, output: stdout });
  const answer = await question.question(`Write ${files}? [y/N] `);
  question.close();
  return /^y(?:es)?$/i.test(answer.trim());
}

function write(writings: readonly Writing[], root: string): void {
  const files = writings.map(({ path, before, after, isExecutable = false }) => {
    const absolute = join(root, path);
    if (textAt(absolute, root) !== before) {
      throw new UsageError(`${path} changed after its diff was shown: run the command again.`);
    }
    return { path: absolute, text: after, within: root, isExecutable };
  });
  writeFiles(files);
  for (const { path } of writings) process.stdout.write(`Wrote ${path}.\n`);
}
