import { type Command, Option } from 'commander';
import { duration, whole } from './argument-values.ts';
import type { RunOptions } from './commands/run.ts';
import { runExamples } from './examples.ts';
import { type ColorOption, hasColors, trustOption } from './shared-options.ts';
import { costMs } from './thresholds.ts';

/** `finish` is called with the exit code. */
export function addRun(program: Command, finish: (code: number) => void): void {
  program
    .command('run')
    .description('run your program, and measure what its requests and workers wait for')
    .argument('[command...]', 'the command that starts it: -- node server.js')
    .option('--for <time>', 'end it after this time: 60s, 5m', duration)
    .option('--production', 'measure although NODE_ENV is production')
    .option('-o, --output <file>', 'the recording, as JSON', '.deadtime/run.json')
    .option('--html <file>', 'also write a page for a browser')
    .option('--compare <recording>', 'also print what changed since an earlier recording')
    .option(
      '--fail-on-cost <time>',
      'exit with 1 when entries of a kind have more dead time each: 20ms, 2s',
      costMs,
    )
    .option(
      '--load <url>',
      'send requests to this address with autocannon, for the time of --for (default: 10 s) from its first answer; then end the program',
    )
    .option('--load-connections <n>', 'how many send requests concurrently', whole, 10)
    .option(
      '--load-script <file>',
      'run this program alongside, from the first answer of --load if both are named; when it ends, end the program',
    )
    .addOption(trustOption())
    .addOption(new Option('--prepare').hideHelp())
    .addOption(new Option('--print <handover>').hideHelp())
    .option('--no-color', 'print without colors')
    .passThroughOptions()
    .addHelpText('after', runExamples)
    .action(async (command: string[], options: Omit<RunOptions, 'hasColors'> & ColorOption) => {
      const { runCommand } = await import('./commands/run.ts');
      finish(await runCommand(command, { ...options, hasColors: hasColors(options) }));
    });
}
