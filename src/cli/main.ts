import { commandLine } from './command-line.ts';

const { code, command } = await commandLine(process.argv);
process.exitCode = code;
// Others may go on by themselves, as `lsp` does.
if (command === 'check' || command === 'hook') {
  await Promise.all([process.stdout, process.stderr].map(written));
  // Immediately: V8 would free the memory of a scan object by object.
  process.exit();
}

/** Resolves when all output has left this process, or cannot leave it: a full disk shows later. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((done) => stream.write('', () => done()));
}
