import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { writeWhole } from '../../system/own-files.ts';
import { ENVIRONMENT, type Handover, handoverOf, STARTED } from '../handover.ts';
import { type Plan, PLAN_FORMAT } from '../plan.ts';
import { print, printLater, prepare } from './own-program.ts';
import { startMeasuring } from './measuring.ts';

// The module that `node --import deadtime/register` loads before the program.

try {
  start();
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`deadtime: this process is not measured: ${reason}\n`);
}

function start(): void {
  const { NODE_ENV } = process.env;
  const given = handoverOf(process.env);
  if (NODE_ENV === 'production' && !given?.isForProduction) {
    process.stderr.write(
      'deadtime: this process is not measured, because NODE_ENV is production. Use: npx deadtime run --production -- <command>\n',
    );
    return;
  }
  const handover = given ?? prepare();
  const plan = JSON.parse(readFileSync(handover.plan, 'utf8')) as Plan;
  if (plan.format !== PLAN_FORMAT)
    throw new Error('its plan is of a different version of Deadtime');
  // A command such as npx hands on no signal: this is how the one who has given it finds this process.
  writeWhole(join(handover.recordings, `${process.pid}${STARTED}`), '');
  const record = startMeasuring(plan, handover.plan);
  // Processes that this one starts are measured, too, and add to its recording.
  if (!given) process.env[ENVIRONMENT] = JSON.stringify(handover);
  const write = () =>
    writeWhole(
      join(handover.recordings, `${process.pid}-${threadId}.json`),
      JSON.stringify(record()),
    );
  atEnd(handover, quietly(write), given === undefined);
}

/** A recording that cannot be written must not change how the program ends. */
function quietly(write: () => void): () => void {
  return () => {
    try {
      write();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      process.stderr.write(`deadtime: the recording is not written: ${reason}\n`);
    }
  };
}

function atEnd(handover: Handover, write: () => void, printsItself: boolean): void {
  process.on('exit', () => {
    write();
    if (printsItself) print(handover);
  });
  // A thread has no signals.
  if (threadId !== 0) return;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const end = () => {
      write();
      // Without a listener of the program's own, it ends as it would without this one.
      if (process.listenerCount(signal) > 1) return;
      if (printsItself) print(handover);
      process.removeListener(signal, end);
      process.kill(process.pid, signal);
    };
    process.on(signal, end);
  }
  if (process.platform === 'win32') return;
  process.on('SIGUSR2', () => {
    write();
    printLater(handover);
  });
}
