import { commandLine } from './command-line.ts';

const { code, command } = await commandLine(process.argv);
process.exitCode = code;
// Others may go on by themselves, as `lsp` does.
if (command === 'check' || command === 'hook') {
  await Promise.all([process.stdout, process.stderr].map(written));
  // At once: V8 would take down what a scan has made piece by piece.
  process.exit();
}

/** Resolves when all that was said has left this process, or is known not to: a full disk is noticed later. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((done) => stream.write('', () => done()));
}
