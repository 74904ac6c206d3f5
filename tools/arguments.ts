import { parseArgs, type ParseArgsConfig } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/** The arguments after the script's name on the command line. */
export type Arguments<T extends Options> = ReturnType<
  typeof parseArgs<{ options: T; allowPositionals: true }>
>;

/**
 * Reads a script's command line. For `--help`, an invalid name, or a missing argument by `isEnough`, the process ends with the
 * usage in one line, which begins with the script's command.
 */
export function readArguments<T extends Options>(
  usage: string,
  options: T,
  isEnough: (given: Arguments<T>) => boolean = () => true,
): Arguments<T> {
  if (process.argv.includes('--help')) {
    console.log(`usage: ${usage}`);
    process.exit(0);
  }
  try {
    const given = parseArgs({ options, allowPositionals: true });
    if (isEnough(given)) return given;
    console.error(`usage: ${usage}`);
  } catch (error) {
    const [reason] = (error as Error).message.split(/[.\n] ?/);
    console.error(`${reason}. usage: ${usage}`);
  }
  process.exit(2);
}
