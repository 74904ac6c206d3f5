import { exitCodes } from './failure.ts';

let interrupt: () => void = end;

function end(): void {
  process.exit(exitCodes.interrupted);
}

/** Ends the process on Ctrl-C, unless a command has asked for time to clean up. */
export function listenForInterruption(): void {
  process.on('SIGINT', () => interrupt());
}

/** Aborted by Ctrl-C; a second one ends the process at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  interrupt = () => {
    interrupt = end;
    controller.abort();
  };
  return controller.signal;
}
