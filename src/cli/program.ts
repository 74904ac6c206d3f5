import { Command, InvalidArgumentError, Option } from 'commander';
import { MOST_SECONDS } from '../proof/result.ts';
import { profiles } from '../../rules/define-rule.ts';
import type { BaselineOptions } from './commands/baseline.ts';
import type { CheckOptions } from './commands/check.ts';
import type { InitOptions } from './commands/init.ts';
import type { MergeOptions } from './commands/merge.ts';
import type { PoolSizeOptions } from './commands/pool-size.ts';
import type { ProfileOptions } from './commands/profile.ts';
import type { ProveOptions } from './commands/prove.ts';
import type { ReviewOptions } from './commands/review.ts';
import {
  examples,
  reviewExamples,
  baselineExamples,
  hookExamples,
  proofExamples,
  profileExamples,
  poolSizeExamples,
  mergeExamples,
  explainExamples,
  initExamples,
  mcpExamples,
  lspExamples,
} from './examples.ts';
import { shownError, UsageError } from './failure.ts';
import { outputOption } from './outputs.ts';
import { type AgentName, agentNames, ciNames, managerNames } from './init/names.ts';
import { packageVersion } from './package.ts';
import { shardOption } from './shard.ts';
import { failOnCostOption, failOnOption } from './thresholds.ts';
import type { FindingOptions } from './finding-at.ts';
import type { TrustOption } from './trust.ts';

/** The command line; `finish` is told the exit code of a command that has one. The commands are loaded when they run. */
export function programFor(finish: (code: number) => void): Command {
  const program = new Command('deadtime')
    .description('Finds dead time in Node.js code: waiting that nobody needs.')
    .version(packageVersion())
    .helpCommand(false)
    .configureOutput({ outputError: (text, write) => write(shownError(text)) })
    .addHelpText('after', examples)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true });
  program
    .command('check', { isDefault: true })
    .description('report findings in files and folders (the default command)')
    .argument('[paths...]', 'files or folders; folders are searched without dependencies', ['.'])
    .addOption(outputOption())
    .addOption(failOnOption())
    .addOption(failOnCostOption())
    .addOption(shardOption())
    .option('--rule <id>', 'only this rule; may be repeated', listed)
    .addOption(profileOption())
    .option('--ignore-pattern <glob>', 'leave files out, as in .gitignore; may be repeated', listed)
    .option('--no-color', 'print without colors')
    .option('--quiet', 'do not say which files were left out, and why')
    .option('--timing', 'print where the time went')
    .addOption(typesOption())
    .addOption(trustOption())
    .option('--prove', 'measure what the costliest finding costs, too')
    .option('--no-baseline', 'report what the baseline holds, too')
    .option(
      '--no-cache',
      'look at all files again, also where nothing has changed since an earlier run',
    )
    .option(
      '--cache-location <folder>',
      'where what was found is kept for the next run, for CI to keep (default: the user’s cache folder)',
    )
    .option('--print-config <file>', 'print what holds for a file, and nothing else')
    .addHelpText('after', examples)
    .action(async (paths: string[], options: Omit<CheckOptions, 'hasColors'> & ColorOption) => {
      const { check } = await import('./commands/check.ts');
      const words = [...program.commands.map((it) => it.name()), '--help', '--version'];
      finish(await check(paths, { ...options, words, hasColors: hasColors(options) }));
    });
  program
    .command('merge')
    .description('put the JSON or SARIF reports of check --shard together')
    .argument('<reports...>', 'one of every part')
    .option('-o, --output <file>', 'write to a file instead of standard output')
    .addOption(failOnOption())
    .addOption(failOnCostOption())
    .addHelpText('after', mergeExamples)
    .action(async (reports: string[], options: MergeOptions) => {
      const { merge } = await import('./commands/merge.ts');
      finish(merge(reports, options));
    });
  program
    .command('review')
    .description('report only what a change brings: by default, what differs from the main branch')
    .argument('[patch]', '- reads a patch from standard input')
    .option('--base <ref>', 'against where this branch left another one, or a commit')
    .option('--staged', 'what the next commit would hold')
    .option('--commit <ref>', 'what one commit has changed')
    .option('--patch <file>', 'what a patch changes, applied or not, with or without git')
    .addOption(outputOption())
    .addOption(failOnOption())
    .addOption(failOnCostOption())
    .option('--rule <id>', 'only this rule; may be repeated', listed)
    .addOption(profileOption())
    .option('--ignore-pattern <glob>', 'leave files out, as in .gitignore; may be repeated', listed)
    .option('--no-color', 'print without colors')
    .option('--quiet', 'do not say which files were left out, and why')
    .option('--no-baseline', 'report what the baseline holds, too')
    .addOption(trustOption())
    .addOption(
      new Option('--prove [seconds]', 'measure what they cost, too, the costliest first')
        .preset('30')
        .argParser(seconds),
    )
    .addHelpText('after', reviewExamples)
    .action(async (patch: string | undefined, options: ReviewArguments) => {
      const { review } = await import('./commands/review.ts');
      const given = patch === undefined ? options : { ...options, patch: onlyDash(patch) };
      finish(await review({ ...given, hasColors: hasColors(options) }));
    });
  program
    .command('baseline')
    .description('leave what is found now: deadtime.baseline.json, which check and review heed')
    .argument('[paths...]', 'files or folders', ['.'])
    .option('--reason <text>', 'why these findings stay', 'there before the baseline')
    .option('--prune', 'take out what is no longer found, and add nothing')
    .addOption(typesOption())
    .addOption(trustOption())
    .addOption(profileOption())
    .addHelpText('after', baselineExamples)
    .action(async (paths: string[], options: BaselineOptions) => {
      const { baseline } = await import('./commands/baseline.ts');
      finish(await baseline(paths, options));
    });
  program
    .command('hook')
    .description('answer a coding agent that has edited files: its hook, JSON on standard input')
    // A slip in the agent's settings must not stop the agent.
    .allowUnknownOption()
    .allowExcessArguments()
    .addOption(trustOption())
    .addHelpText('after', hookExamples)
    .action(async ({ trustConfig = false }: TrustOption) => {
      const { hook } = await import('./commands/hook.ts');
      finish(await hook({ trustConfig }));
    });
  program
    .command('explain')
    .description('say why, when it is no problem, what to write instead, and what it costs')
    .argument('<what>', 'a rule, or a finding (src/worker.ts:41)')
    .addOption(typesOption())
    .addOption(trustOption())
    .option('--no-color', 'print without colors')
    .addHelpText('after', explainExamples)
    .action(async (name: string, options: ColorOption & FindingOptions) => {
      const { explanation } = await import('./commands/explain.ts');
      process.stdout.write(await explanation(name, { ...options, hasColors: hasColors(options) }));
    });
  program
    .command('prove')
    .description(
      'measure what a finding costs: the flagged shape against the mended one, in seconds',
    )
    .argument('[what]', 'a finding (src/worker.ts:41), a rule, or rule/variant')
    .option('--all', 'every benchmark there is; beside --database-url, those that ask a database')
    .option('--suite', 'the published figures of such code, each beside what comes out here')
    .option('--set <name=value>', 'run with another parameter; may be repeated', listed)
    .option('--max-seconds <n>', 'the most that one benchmark may take', seconds, 5)
    .addOption(
      new Option(
        '--database-url <url>',
        'measure against this server instead of a local one: says what is made there, then asks',
      ).env('DEADTIME_DATABASE_URL'),
    )
    .option('--yes', 'use that server without asking')
    .option('--json', 'print JSON')
    .option('--html <file>', 'write a report that a browser shows, too')
    .addOption(typesOption())
    .addOption(trustOption())
    .addOption(
      new Option('--control [sides]', 'check the benchmark itself: it has to see no difference')
        .choices(['mended', 'swapped'])
        .preset('mended'),
    )
    .option('--no-color', 'print without colors')
    .addHelpText('after', proofExamples)
    .action(async (what: string | undefined, options: ProveArguments) => {
      const all = { ...options, hasColors: hasColors(options) };
      if (options.suite) {
        const { proveSuite } = await import('./commands/prove-suite.ts');
        finish(await proveSuite(what, all));
      } else {
        const { prove } = await import('./commands/prove.ts');
        finish(await prove(what, all));
      }
    });
  program
    .command('profile')
    .description(
      'measure what waiting costs here: event loop, database and disk; writes deadtime.profile.json',
    )
    .option('--database-url <url>', 'measure the way to this server instead of a local one')
    .option('--output <file>', 'write to another file', 'deadtime.profile.json')
    .option('--json', 'print JSON')
    .option('--no-color', 'print without colors')
    .addHelpText('after', profileExamples)
    .action(async (options: Omit<ProfileOptions, 'hasColors'> & ColorOption) => {
      const { profile } = await import('./commands/profile.ts');
      finish(await profile({ ...options, hasColors: hasColors(options) }));
    });
  program
    .command('pool-size')
    .description('say how many connections a pool needs, and test pools of four sizes around that')
    .requiredOption('--users <n>', 'users at the same time', whole)
    .requiredOption('--query-ms <ms>', 'how long a request holds a connection', positive)
    .option(
      '--think-ms <ms>',
      'between an answer and the same user’s next request (default: one request a second)',
      amount,
    )
    .option('--workers <n>', 'processes, each with a pool of its own', whole, 1)
    .option('--server-max <n>', 'the server’s limit of connections (default: 100)', whole)
    .option('--json', 'print JSON')
    .option('--no-color', 'print without colors')
    .addHelpText('after', poolSizeExamples)
    .action(async (options: Omit<PoolSizeOptions, 'hasColors'> & ColorOption) => {
      const { poolSize } = await import('./commands/pool-size.ts');
      finish(await poolSize({ ...options, hasColors: hasColors(options) }));
    });
  program
    .command('init')
    .description(
      'set a project up for agents, CI and commit hooks: shows what it would write, then asks',
    )
    .option(
      '--agents [names]',
      `those that work here, or some of ${agentNames.join(',')}`,
      agentsFrom,
    )
    .addOption(new Option('--ci [name]', 'a job that reviews each change').choices(ciNames))
    .addOption(new Option('--precommit [name]', 'a review of what is staged').choices(managerNames))
    .option('--yes', 'write without asking')
    .option('--no-color', 'print without colors')
    .addHelpText('after', initExamples)
    .action(async (options: Omit<InitOptions, 'hasColors'> & ColorOption) => {
      const { init } = await import('./commands/init.ts');
      finish(await init({ ...options, hasColors: hasColors(options) }));
    });
  program
    .command('mcp')
    .description(
      'answer a coding agent: a Model Context Protocol server on standard input and output',
    )
    .addOption(trustOption())
    .addHelpText('after', mcpExamples)
    .action(async ({ trustConfig = false }: TrustOption) => {
      const { serveTools } = await import('./commands/mcp.ts');
      serveTools({ trustConfig });
    });
  program
    .command('lsp')
    .description('answer an editor: the language server')
    .requiredOption('--stdio', 'talk over standard input and output')
    // Clients add it; the connection reads it and ends with that process.
    .addOption(new Option('--clientProcessId <pid>').hideHelp())
    .addHelpText('after', lspExamples)
    .action(async () => {
      const { serveEditor } = await import('./commands/lsp.ts');
      serveEditor();
    });
  for (const it of program.commands) {
    it.showHelpAfterError(`(deadtime ${it.name()} --help shows the options and examples)`);
  }
  return program;
}

type ReviewArguments = Omit<ReviewOptions, 'hasColors'> & ColorOption;

function typesOption(): Option {
  return new Option('--types', "ask the project's own TypeScript, too; this runs it");
}

function trustOption(): Option {
  return new Option(
    '--trust-config',
    'heed configuration that is code, such as deadtime.config.ts; this runs it',
  );
}

function profileOption(): Option {
  return new Option(
    '--profile <profile>',
    'how sure a finding must be (default: what the configuration says, or "recommended")',
  ).choices(profiles);
}

function onlyDash(patch: string): string {
  if (patch === '-') return patch;
  throw new UsageError(`A patch in a file is --patch ${patch}.`);
}

/** Beyond that a number is a slip. */
const MOST = 10_000_000;

function whole(value: string): number {
  const number = amount(value);
  if (number >= 1 && Number.isInteger(number)) return number;
  throw new InvalidArgumentError('It is a whole number from 1 on.');
}

function positive(value: string): number {
  const number = amount(value);
  if (number > 0) return number;
  throw new InvalidArgumentError('It is a number above 0.');
}

function amount(value: string): number {
  const number = value.trim() === '' ? NaN : Number(value);
  if (number >= 0 && number <= MOST) return number;
  throw new InvalidArgumentError(`It is a number from 0 to ${MOST}.`);
}

/** Less than a second is over before anything has started. */
function seconds(value: string): number {
  const number = value.trim() === '' ? NaN : Number(value);
  if (number >= 1 && number <= MOST_SECONDS) return number;
  throw new InvalidArgumentError(`It is a number of seconds from 1 to ${MOST_SECONDS}.`);
}

type ProveArguments = Omit<ProveOptions, 'hasColors'> & ColorOption & { readonly suite?: boolean };

interface ColorOption {
  readonly color: boolean;
}

function hasColors({ color }: ColorOption): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  if (!color || NO_COLOR) return false;
  return FORCE_COLOR ? FORCE_COLOR !== '0' : process.stdout.isTTY;
}

function listed(value: string, others: readonly string[] = []): readonly string[] {
  if (value === '') throw new InvalidArgumentError('It is empty.');
  return [...others, value];
}

function agentsFrom(value: string): readonly AgentName[] {
  return value.split(',').map((name) => {
    const agent = agentNames.find((it) => it === name.trim());
    if (agent) return agent;
    throw new InvalidArgumentError(`The agents are ${agentNames.join(', ')}.`);
  });
}
