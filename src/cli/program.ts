import { Command, Option } from 'commander';
import { coverageGroupings } from '../scan/coverage-summary.ts';
import {
  agentsFrom,
  amount,
  listed,
  onlyDash,
  positive,
  seconds,
  whole,
} from './argument-values.ts';
import type { BaselineOptions } from './commands/baseline.ts';
import type { CheckOptions } from './commands/check.ts';
import type { CoverageOptions } from './commands/coverage.ts';
import type { InitOptions } from './commands/init.ts';
import type { MergeOptions } from './commands/merge.ts';
import type { PoolSizeOptions } from './commands/pool-size.ts';
import type { ProfileOptions } from './commands/profile.ts';
import type { ProveOptions } from './commands/prove.ts';
import type { ReviewOptions } from './commands/review.ts';
import type { WhyOptions } from './commands/why.ts';
import {
  examples,
  reviewExamples,
  baselineExamples,
  coverageExamples,
  whyExamples,
  hookExamples,
  proofExamples,
  profileExamples,
  poolSizeExamples,
  mergeExamples,
  explainExamples,
  initExamples,
} from './examples.ts';
import { shownError } from './failure.ts';
import { outputOption } from './outputs.ts';
import { agentNames, ciNames, managerNames } from './init/names.ts';
import { addRun } from './measuring.ts';
import { packageVersion } from './package.ts';
import { addLsp, addMcp } from './servers.ts';
import { shardOption } from './shard.ts';
import {
  type ColorOption,
  hasColors,
  profileOption,
  ruleAtOption,
  trustOption,
  typesOption,
} from './shared-options.ts';
import { failOnCostOption, failOnOption } from './thresholds.ts';
import type { FindingOptions } from './finding-at.ts';
import type { TrustOption } from './trust.ts';

/** The command line; it calls `finish` with the exit code of a command that has one. The commands are loaded when they run. */
export function programFor(finish: Finish): Command {
  const program = new Command('deadtime')
    .description('Finds dead time in Node.js code: avoidable waiting.')
    .version(packageVersion())
    .helpCommand(false)
    .configureOutput({ outputError: (text, write) => write(shownError(text)) })
    .addHelpText('after', examples)
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({ showGlobalOptions: true });
  for (const add of commands) add(program, finish);
  for (const it of program.commands) {
    it.showHelpAfterError(`(deadtime ${it.name()} --help shows the options and examples)`);
  }
  return program;
}

type Finish = (code: number) => void;

/** In the order of the help. */
const commands = [
  addCheck,
  addMerge,
  addReview,
  addBaseline,
  addHook,
  addExplain,
  addCoverage,
  addWhy,
  addProve,
  addRun,
  addProfile,
  addPoolSize,
  addInit,
  addMcp,
  addLsp,
];

function addCheck(program: Command, finish: Finish): void {
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
    .option('--ignore-pattern <glob>', 'ignore files, as in .gitignore; may be repeated', listed)
    .option('--no-color', 'print without colors')
    .option('--quiet', 'do not list ignored files and the reasons')
    .option('--timing', 'print where the time went')
    .addOption(typesOption())
    .addOption(trustOption())
    .option('--prove', 'also measure what the costliest finding costs')
    .option('--no-baseline', 'also report the findings in the baseline')
    .option(
      '--no-cache',
      'scan all files again, also those that have not changed since an earlier run',
    )
    .option(
      '--cache-location <folder>',
      'where to keep results for the next run, for example in CI (default: the user’s cache folder)',
    )
    .option('--print-config <file>', 'print the configuration of a file, and nothing else')
    .addHelpText('after', examples)
    .action(async (paths: string[], options: Omit<CheckOptions, 'hasColors'> & ColorOption) => {
      const { check } = await import('./commands/check.ts');
      const words = [...program.commands.map((it) => it.name()), '--help', '--version'];
      finish(await check(paths, { ...options, words, hasColors: hasColors(options) }));
    });
}

function addMerge(program: Command, finish: Finish): void {
  program
    .command('merge')
    .description('merge the JSON or SARIF reports of check --shard')
    .argument('<reports...>', 'one report per part')
    .option('-o, --output <file>', 'write to a file instead of standard output')
    .addOption(failOnOption())
    .addOption(failOnCostOption())
    .addHelpText('after', mergeExamples)
    .action(async (reports: string[], options: MergeOptions) => {
      const { merge } = await import('./commands/merge.ts');
      finish(merge(reports, options));
    });
}

function addReview(program: Command, finish: Finish): void {
  program
    .command('review')
    .description(
      'report only the findings of a change: by default, of the difference from the main branch',
    )
    .argument('[patch]', '- reads a patch from standard input')
    .option('--base <ref>', 'compare with the merge base of a branch, or with a commit')
    .option('--staged', 'the staged changes')
    .option('--commit <ref>', 'the changes of one commit')
    .option('--patch <file>', 'the changes of a patch, applied or not, with or without git')
    .addOption(outputOption())
    .addOption(failOnOption())
    .addOption(failOnCostOption())
    .option('--rule <id>', 'only this rule; may be repeated', listed)
    .addOption(profileOption())
    .option('--ignore-pattern <glob>', 'ignore files, as in .gitignore; may be repeated', listed)
    .option('--no-color', 'print without colors')
    .option('--quiet', 'do not list ignored files and the reasons')
    .option('--no-baseline', 'also report the findings in the baseline')
    .addOption(trustOption())
    .addOption(
      new Option('--prove [seconds]', 'also measure what they cost, the costliest first')
        .preset('30')
        .argParser(seconds),
    )
    .addHelpText('after', reviewExamples)
    .action(async (patch: string | undefined, options: ReviewArguments) => {
      const { review } = await import('./commands/review.ts');
      const given = patch === undefined ? options : { ...options, patch: onlyDash(patch) };
      finish(await review({ ...given, hasColors: hasColors(options) }));
    });
}

function addBaseline(program: Command, finish: Finish): void {
  program
    .command('baseline')
    .description(
      'accept today’s findings: writes deadtime.baseline.json, which check and review read',
    )
    .argument('[paths...]', 'files or folders', ['.'])
    .option('--reason <text>', 'why these findings stay', 'there before the baseline')
    .option('--prune', 'remove entries that are no longer found, and add none')
    .addOption(typesOption())
    .addOption(trustOption())
    .addOption(profileOption())
    .addHelpText('after', baselineExamples)
    .action(async (paths: string[], options: BaselineOptions) => {
      const { baseline } = await import('./commands/baseline.ts');
      finish(await baseline(paths, options));
    });
}

function addHook(program: Command, finish: Finish): void {
  program
    .command('hook')
    .description('hook of a coding agent after it has edited files: JSON on standard input')
    // A slip in the agent's settings must not stop the agent.
    .allowUnknownOption()
    .allowExcessArguments()
    .addOption(trustOption())
    .addHelpText('after', hookExamples)
    .action(async ({ trustConfig = false }: TrustOption) => {
      const { hook } = await import('./commands/hook.ts');
      finish(await hook({ trustConfig }));
    });
}

function addExplain(program: Command): void {
  program
    .command('explain')
    .description('explain why, when it is no problem, what to write instead, and what it costs')
    .argument('<what>', 'a rule, or a finding (src/worker.ts:41)')
    .addOption(ruleAtOption())
    .addOption(typesOption())
    .addOption(trustOption())
    .option('--no-color', 'print without colors')
    .addHelpText('after', explainExamples)
    .action(async (name: string, options: ColorOption & FindingOptions) => {
      const { explanation } = await import('./commands/explain.ts');
      process.stdout.write(await explanation(name, { ...options, hasColors: hasColors(options) }));
    });
}

function addCoverage(program: Command, finish: Finish): void {
  program
    .command('coverage')
    .description('show how many awaits Deadtime understands, and what hides the rest')
    .argument('[paths...]', 'files or folders', ['.'])
    .addOption(
      new Option('--by <what>', 'list what hides them, or the shares of folders or files')
        .choices(coverageGroupings)
        .default('root'),
    )
    .option('--json', 'print JSON: all roots, with all awaits that each hides')
    .option('--agent', 'print questions for a coding agent: what the functions do that hide most')
    .option('--answer <id=effect>', 'record the answer to one of them; may be repeated', listed)
    .option('--ignore-pattern <glob>', 'ignore files, as in .gitignore; may be repeated', listed)
    .addOption(typesOption())
    .addOption(trustOption())
    .option('--no-color', 'print without colors')
    .addHelpText('after', coverageExamples)
    .action(async (paths: string[], options: Omit<CoverageOptions, 'hasColors'> & ColorOption) => {
      const { coverage } = await import('./commands/coverage.ts');
      finish(await coverage(paths, { ...options, hasColors: hasColors(options) }));
    });
}

function addWhy(program: Command): void {
  program
    .command('why')
    .description(
      'show why a line has no finding: what is not understood, and which conditions apply',
    )
    .argument('<place>', 'a line of a file (src/worker.ts:41)')
    .option('--json', 'print JSON')
    .addOption(trustOption())
    .option('--no-color', 'print without colors')
    .addHelpText('after', whyExamples)
    .action(async (place: string, options: WhyArguments) => {
      const { why } = await import('./commands/why.ts');
      process.stdout.write(await why(place, { ...options, hasColors: hasColors(options) }));
    });
}

function addProve(program: Command, finish: Finish): void {
  program
    .command('prove')
    .description(
      'measure what a finding costs: a benchmark of the code before and after the fix, in seconds',
    )
    .argument('[what]', 'a finding (src/worker.ts:41), a rule, or rule/variant')
    .addOption(ruleAtOption())
    .option('--all', 'all benchmarks; with --database-url, those that use a database')
    .option(
      '--suite',
      'the published figures of such code, each next to the figure of this machine',
    )
    .option('--set <name=value>', 'run with a different parameter; may be repeated', listed)
    .option('--max-seconds <n>', 'the longest time of one benchmark', seconds, 5)
    .addOption(
      new Option(
        '--database-url <url>',
        'measure on this server instead of a local one: lists what it creates there, then asks',
      ).env('DEADTIME_DATABASE_URL'),
    )
    .option('--yes', 'use that server without asking')
    .option('--json', 'print JSON')
    .option('--html <file>', 'also write an HTML report')
    .addOption(typesOption())
    .addOption(trustOption())
    .addOption(
      new Option('--control [sides]', 'check the benchmark itself: it must find no difference')
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
}

function addProfile(program: Command, finish: Finish): void {
  program
    .command('profile')
    .description(
      'measure what waiting costs here: event loop, database and disk; writes deadtime.profile.json',
    )
    .option('--database-url <url>', 'measure the connection to this server instead of a local one')
    .option('--output <file>', 'write to a different file', 'deadtime.profile.json')
    .option('--json', 'print JSON')
    .option('--no-color', 'print without colors')
    .addHelpText('after', profileExamples)
    .action(async (options: Omit<ProfileOptions, 'hasColors'> & ColorOption) => {
      const { profile } = await import('./commands/profile.ts');
      finish(await profile({ ...options, hasColors: hasColors(options) }));
    });
}

function addPoolSize(program: Command, finish: Finish): void {
  program
    .command('pool-size')
    .description(
      'compute how many connections a pool needs, and test pools of four sizes around it',
    )
    .requiredOption('--users <n>', 'concurrent users', whole)
    .requiredOption('--query-ms <ms>', 'how long a request holds a connection', positive)
    .option(
      '--think-ms <ms>',
      'between a response and the same user’s next request (default: one request per second)',
      amount,
    )
    .option('--workers <n>', 'processes, each with its own pool', whole, 1)
    .option('--server-max <n>', 'the server’s limit of connections (default: 100)', whole)
    .option('--json', 'print JSON')
    .option('--no-color', 'print without colors')
    .addHelpText('after', poolSizeExamples)
    .action(async (options: Omit<PoolSizeOptions, 'hasColors'> & ColorOption) => {
      const { poolSize } = await import('./commands/pool-size.ts');
      finish(await poolSize({ ...options, hasColors: hasColors(options) }));
    });
}

function addInit(program: Command, finish: Finish): void {
  program
    .command('init')
    .description(
      'set up a project for agents, CI, commit hooks and linters: shows what it would write, then asks',
    )
    .option(
      '--agents [names]',
      `the agents of this project, or some of ${agentNames.join(',')}`,
      agentsFrom,
    )
    .addOption(new Option('--ci [name]', 'a job that reviews each change').choices(ciNames))
    .addOption(
      new Option('--precommit [name]', 'a review of the staged changes').choices(managerNames),
    )
    .option('--eslint', 'a configuration of ESLint with the recommended rules')
    .option('--oxlint', 'all rules in the configuration of oxlint')
    .option('--yes', 'write without asking')
    .option('--no-color', 'print without colors')
    .addHelpText('after', initExamples)
    .action(async (options: Omit<InitOptions, 'hasColors'> & ColorOption) => {
      const { init } = await import('./commands/init.ts');
      finish(await init({ ...options, hasColors: hasColors(options) }));
    });
}

type WhyArguments = Omit<WhyOptions, 'hasColors'> & ColorOption;
type ReviewArguments = Omit<ReviewOptions, 'hasColors'> & ColorOption;
type ProveArguments = Omit<ProveOptions, 'hasColors'> & ColorOption & { readonly suite?: boolean };
