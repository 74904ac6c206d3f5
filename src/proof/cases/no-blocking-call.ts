import { pbkdf2, pbkdf2Sync, scryptSync } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, gzip, gzipSync } from 'node:zlib';
import { scratchFolder, writeWhole } from '../../system/own-files.ts';
import { runProgram, runProgramSync } from '../../system/processes.ts';
import type { BenchmarkCase } from '../case.ts';
import { count, known, numbersOf, word } from '../parameters.ts';
import { compressibleText, scryptKey } from '../thread-pool.ts';
import { meanMsOf } from '../timing.ts';

export interface BlockingEvidence {
  readonly [name: string]: string | number | boolean;
  readonly name: string;
}

const KILOBYTES = 1_024;
/** A machine under load may start a process late. */
const LIMITS = { cwd: process.cwd(), limitMs: 10_000, mostBytes: 1_024 };
const VICTIM_EVERY_MS = 7;

/** One piece of work, in both forms. */
interface Work {
  run(): unknown;
  runAsync(): Promise<unknown>;
}

const derived = promisify(pbkdf2);
const zipped = promisify<Buffer, Buffer>(gzip);
const pressed = promisify<Buffer, Buffer>(brotliCompress);
const salted = ['password', 'salt'] as const;

function workOf(name: string, rounds: number, text: Buffer, path: string): Work {
  switch (name) {
    case 'pbkdf2Sync':
      return {
        run: () => pbkdf2Sync(...salted, rounds, 32, 'sha256'),
        runAsync: () => derived(...salted, rounds, 32, 'sha256'),
      };
    case 'gzipSync':
      return { run: () => gzipSync(text), runAsync: () => zipped(text) };
    case 'brotliCompressSync':
      return { run: () => brotliCompressSync(text), runAsync: () => pressed(text) };
    case 'execFileSync':
      return {
        run: () => runProgramSync(process.execPath, ['--version'], LIMITS),
        runAsync: () => runProgram(process.execPath, ['--version'], LIMITS),
      };
    case 'readFileSync':
      return { run: () => readFileSync(path), runAsync: () => readFile(path) };
    default:
      return { run: () => scryptSync(...salted, 32), runAsync: () => scryptKey() };
  }
}

/** Which of the measured calls stands for one of the code. */
function measuredFor(name: string): string {
  if (name === 'pbkdf2Sync') return name;
  if (/^brotli|^zstd/.test(name)) return 'brotliCompressSync';
  if (/^(?:gzip|gunzip|deflate|inflate|unzip)/.test(name)) return 'gzipSync';
  if (/^(?:exec|spawn|sync$)/.test(name)) return 'execFileSync';
  return /^(?:scrypt|argon2|hash|compare|verify|generate)/.test(name)
    ? 'scryptSync'
    : 'readFileSync';
}

const blocking: BenchmarkCase<BlockingEvidence> = {
  ruleId: 'no-blocking-call',
  variant: 'blocking',
  title: 'A synchronous call while another request comes',
  needs: {},
  parameters: [
    word(
      'name',
      [
        'scryptSync',
        'pbkdf2Sync',
        'gzipSync',
        'brotliCompressSync',
        'execFileSync',
        'readFileSync',
      ],
      'the call',
    ),
    count('rounds', 100_000, 'iterations of PBKDF2', { longest: 200_000 }),
    count('kilobytes', 1_000, 'how much is compressed or read', { longest: 10_000 }),
  ],
  parametersOf: ({ name, rounds }) =>
    known({ name: measuredFor(name), rounds: name === 'pbkdf2Sync' ? rounds : undefined }),
  predict(_, { workMs }) {
    if (workMs === undefined) return undefined;
    return {
      formula: 'workMs / 2 vs 0.03',
      unit: 'ms',
      flagged: workMs / 2,
      mended: 0.03,
      tolerance: { flagged: 0.5, mended: 0.5 },
    };
  },
  doesNotShow: [
    'Speed: the work itself takes no less time on a thread of libuv.',
    'bcrypt, Argon2 and your own command: scrypt and an empty run of Node.js are measured for them.',
    'A file that is not in the memory of the system: a disk or a network takes longer.',
  ],
  async setUp({ parameters, trace }) {
    const { rounds, kilobytes } = numbersOf(parameters, 'rounds', 'kilobytes');
    const text = compressibleText(kilobytes * KILOBYTES);
    const folder = scratchFolder();
    const path = join(folder.path, 'page.html');
    writeWhole(path, text);
    const { run, runAsync } = workOf(String(parameters['name']), rounds, text, path);
    return {
      kind: 'victim',
      flagged: {
        label: `${parameters['name']}()`,
        iteration: () =>
          trace.dead('blocked', async () => {
            run();
            await turn();
          }),
        tracedIterations: 2,
      },
      mended: {
        label: 'the same, awaited',
        iteration: () => trace.call('work', runAsync),
        tracedIterations: 2,
      },
      victim: {
        label: 'a request that could be answered immediately',
        everyMs: VICTIM_EVERY_MS,
        call: () => trace.call('request', async () => 'an answer'),
      },
      async measure() {
        return { workMs: await meanMsOf(async () => run()) };
      },
      close: async () => folder.remove(),
    };
  },
};

export const cases = [blocking];
