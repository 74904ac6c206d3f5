import type { Argument, Command, Option } from 'commander';
import { programFor } from '../../../src/cli/program.ts';
import { markdownTable, sentence } from './table.ts';

/** docs/reference/cli.md: the commands of the program, their options and their exit codes. */
export function commandLinePage(): string {
  const { commands } = programFor(() => {});
  const shared = sharedOptions(commands);
  return [
    '<!-- Written by `npm run docs` from src/cli/program.ts. -->',
    '',
    '# Command line',
    '',
    'Run a command with `npx deadtime COMMAND`; `npx deadtime PATH` is short for `npx deadtime check PATH`.',
    '`npx deadtime COMMAND --help` prints its options with examples.',
    '',
    '## Options of several commands',
    '',
    markdownTable(
      ['Option', 'What it does', 'Commands'],
      [...shared.values()].map(({ option, names }) => [...optionCells(option), names.join(', ')]),
    ),
    '',
    ...commands.flatMap((it) => commandSection(it, shared)),
  ].join('\n');
}

type SharedOptions = ReadonlyMap<
  string,
  { readonly option: Option; readonly names: readonly string[] }
>;

/** Options that several commands describe in the same words, in the order in which they first come. */
function sharedOptions(commands: readonly Command[]): SharedOptions {
  const all = new Map<string, { option: Option; names: string[] }>();
  for (const command of commands) {
    for (const option of shownOptions(command)) {
      const key = keyOf(option);
      const entry = all.get(key) ?? { option, names: [] };
      entry.names.push(command.name());
      all.set(key, entry);
    }
  }
  return new Map([...all].filter(([, { names }]) => names.length > 1));
}

function keyOf(option: Option): string {
  return optionCells(option).join(' ');
}

function shownOptions(command: Command): readonly Option[] {
  return command.options.filter((it) => !it.hidden);
}

function commandSection(command: Command, shared: SharedOptions): readonly string[] {
  const rows = [
    ...command.registeredArguments.map(argumentCells),
    ...shownOptions(command)
      .filter((it) => !shared.has(keyOf(it)))
      .map(optionCells),
  ];
  return [
    `## deadtime ${command.name()}`,
    '',
    sentence(command.description()),
    ...exitCodesOf(command),
    '',
    ...(rows.length > 0 ? [markdownTable(['Argument or option', 'What it does'], rows), ''] : []),
  ];
}

function argumentCells(argument: Argument): readonly [string, string] {
  const name = `${argument.name()}${argument.variadic ? '…' : ''}`;
  return [`\`${name}\``, `${sentence(argument.description)}${defaultOf(argument.defaultValue)}`];
}

function optionCells(option: Option): readonly [string, string] {
  const { flags, description, argChoices = [], envVar } = option;
  const choices = argChoices.map((it) => `\`${it}\``).join(', ');
  return [
    `\`${flags}\``,
    [
      sentence(description),
      choices && ` One of ${choices}.`,
      // `--no-color` has a default that its name states.
      option.negate ? '' : defaultOf(option.defaultValue),
      envVar === undefined ? '' : ` Also read from \`${envVar}\`.`,
    ].join(''),
  ];
}

function defaultOf(value: unknown): string {
  if (value === undefined || value === false) return '';
  const [only] = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return ` Default: \`${String(only)}\`.`;
}

/** The line of its help that lists them. */
function exitCodesOf(command: Command): readonly string[] {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) });
  command.outputHelp();
  return /^Exit codes: .+$/m.exec(help) ?? [];
}
