import { commandLine } from './command-line.ts';

const { code } = await commandLine(process.argv);
process.exitCode = code;
