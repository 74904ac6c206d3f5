// Changes the files of a copied project at random, and asks after each few changes whether what is found with the cache is what
// is found without it:
//   npm run replay:changes -- DIR [--changes 1000] [--seed 1]
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { scanFound } from '../src/cli/scan-found.ts';
import { disk, diskOfScan } from '../src/project/files.ts';
import { jsonReport } from '../src/report/json.ts';
import { scanMemory } from '../src/scan/cache/scan-memory.ts';
import { createClock } from '../src/scan/clock.ts';
import { filesOf } from '../src/scan/files.ts';
import type { ScanResult } from '../src/scan/scan-files.ts';
import { readArguments } from './arguments.ts';
import { applied, randomEdits, randomNumbers } from './random-edits.ts';

export interface Replay {
  /** Copied; nothing is written there. */
  readonly project: string;
  readonly changes: number;
  readonly seed: number;
  onLook?(look: Look): void;
}

export interface Look {
  /** All that was done so far. */
  readonly log: readonly string[];
  readonly findings: number;
  readonly files: number;
  /** Files that were in the cache. */
  readonly remembered: number;
  readonly isSame: boolean;
}

/** The time between a write and the next read: longer than the resolution of a file system's clock. */
const SETTLING_MS = 25;
/** Files count as settled after 3 s; here the time of looking is as much later as that takes. */
const AHEAD_MS = 3_000 - 15;

/** Stops at the first scan in which the two differ, and returns the last one. */
export async function replayChanges(replay: Replay): Promise<Look> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'deadtime-changes-')));
  const [root, folder, outside] = ['project', 'cache', 'outside'].map((it) => join(scratch, it));
  try {
    cpSync(replay.project, root!, { recursive: true });
    mkdirSync(join(root!, '.git'), { recursive: true });
    mkdirSync(outside!);
    const random = randomNumbers(replay.seed);
    const below = (limit: number) => Math.floor(random() * limit);
    const change = changesIn(
      { root: root!, outside: outside!, origin: replay.project },
      below,
      replay.seed,
    );
    const log: string[] = [];
    let look: Look | undefined;
    for (let done = 0; done <= replay.changes;) {
      await sleep(SETTLING_MS);
      // Every other scan is of some of the files: the rest must not seem to have been scanned.
      const code = below(2) === 0 ? codeIn(root!) : [];
      const part = code.filter(() => below(3) === 0);
      look = { log, ...(await compared(root!, folder!, part.length > 0 ? part : [root!])) };
      replay.onLook?.(look);
      if (!look.isSame) break;
      for (let i = below(4); i >= 0; i--, done++) log.push(change());
    }
    return look!;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function compared(
  root: string,
  folder: string,
  paths: readonly string[],
): Promise<Omit<Look, 'log'>> {
  const now = Date.now() + AHEAD_MS;
  const plain = (result: ScanResult) => jsonReport(result, { cwd: root });
  const scan = async (isRemembering: boolean) => {
    const kind = [root];
    const memory = isRemembering ? scanMemory({ folder, version: '1', kind, now }) : undefined;
    const asked = [paths, { cwd: root }] as const;
    const found = memory ? memory.search(...asked) : filesOf(...asked);
    const remembered = memory?.recall(found);
    const options = {
      ...{ root, clock: createClock(), disk: diskOfScan(disk) },
      profile: 'audit',
    } as const;
    const result = await outcomeOf(() => scanFound(found, { ...options, memory, remembered }));
    return typeof result === 'string' ? result : { report: plain(result), ...result };
  };
  const warm = await scan(true);
  const cold = await scan(false);
  if (typeof warm === 'string' || typeof cold === 'string') {
    return { findings: 0, files: 0, remembered: 0, isSame: warm === cold };
  }
  return {
    findings: (JSON.parse(cold.report) as { findings: unknown[] }).findings.length,
    files: cold.stats.files,
    remembered: warm.stats.rememberedFiles ?? 0,
    isSame: isDeepStrictEqual(warm.report, cold.report),
  };
}

/** A configuration that means nothing ends a run with a message. */
async function outcomeOf<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    return String(error);
  }
}

function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((it) => join(root, it))
    .filter((it) => !it.includes('/.git') && statSync(it, { throwIfNoEntry: false })?.isFile());
}

function codeIn(root: string): string[] {
  return filesIn(root).filter((it) => /\.[cm]?[jt]sx?$/.test(it));
}

interface Places {
  readonly root: string;
  readonly outside: string;
  readonly origin: string;
}

/** One change per call, each described in words. */
function changesIn(
  { root, outside, origin }: Places,
  below: (limit: number) => number,
  seed: number,
) {
  const edits = randomEdits(seed);
  const any = <T>(them: readonly T[]) => them[below(them.length)]!;
  const files = () => filesIn(root);
  const code = () => codeIn(root);
  const textOf = (path: string) => readFileSync(path, 'utf8');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const stem = (path: string) => path.replace(/\.[^.]+$/, '');
  const changes: Readonly<Record<string, () => string>> = {
    edit() {
      const path = any(code());
      write(path, applied(textOf(path), edits.next(textOf(path))));
      return path;
    },
    'take out a line of': () => {
      const path = any(code());
      const lines = textOf(path).split('\n');
      lines.splice(below(lines.length), 1);
      write(path, lines.join('\n'));
      return path;
    },
    'write another file over': () => {
      const path = any(code());
      write(path, textOf(any(code())));
      return path;
    },
    'write something as long, with the time of before, over': () => {
      const path = any(code());
      const { atime, mtime } = statSync(path);
      write(
        path,
        textOf(path).replace(/\b(?:await|export|return|for|new)\b/, (it) => 'x'.repeat(it.length)),
      );
      utimesSync(path, atime, mtime);
      return path;
    },
    touch() {
      const path = any(files());
      utimesSync(path, new Date(), new Date());
      return path;
    },
    remove() {
      const path = any(code());
      rmSync(path);
      return path;
    },
    'remove the folder of': () => {
      const path = any(code());
      if (dirname(path) !== root) rmSync(dirname(path), { recursive: true });
      return path;
    },
    rename() {
      const path = any(code());
      renameSync(path, join(dirname(path), `r${below(9)}${basename(path)}`));
      return path;
    },
    'add a copy of': () => {
      const path = any(code());
      write(join(dirname(path), `c${below(9)}.ts`), textOf(path));
      return path;
    },
    shadow() {
      const path = any(code());
      const other = any(['.js', '.ts', '.tsx', '.mts', '/index.ts', '.d.ts', '/package.json']);
      const shadow = `${stem(path)}${other}`;
      if (existsSync(shadow) || existsSync(dirname(shadow)) !== !other.startsWith('/')) return path;
      write(shadow, other === '/package.json' ? '{ "main": "../c1" }' : textOf(any(code())));
      return shadow;
    },
    'break or repair a document': () => {
      const documents = files().filter((it) => /\.(?:json|ya?ml)$|Dockerfile$/.test(it));
      if (documents.length === 0) return 'none';
      const path = any(documents);
      write(path, applied(textOf(path), edits.next(textOf(path))));
      return path;
    },
    configure() {
      const path = join(dirname(any(code())), 'deadtime.config.json');
      const module = `./${relative(dirname(path), any(code()))}`;
      const text = any([
        '{ "rules": { "no-hot-path-sleep": "error" } }',
        '{ "rules": { "no-hot-path-sleep": "off" } }',
        `{ "types": { "${module}#run": { "effect": "db.read" } } }`,
        '{ "packages": { "treatAs": { "./db": "pg" } } }',
        '{',
      ]);
      write(path, text);
      return `${path} ${text}`;
    },
    deploy() {
      const text = `FROM node\nENV UV_THREADPOOL_SIZE=${below(3) * 32 + 4}\nCMD pm2 start app.js -i ${below(4) + 1}\n`;
      write(join(root, 'Dockerfile'), text);
      return text;
    },
    'begin or end a checkout in': () => {
      const path = join(dirname(any(code())), '.git');
      if (existsSync(path)) rmSync(path, { recursive: true });
      else mkdirSync(path);
      return path;
    },
    'install a driver': () => {
      const path = join(root, 'node_modules', any(['pg', 'mysql2']), 'package.json');
      write(path, `{ "version": "${below(9)}.0.0" }`);
      return path;
    },
    'name paths': () => {
      const target = dirname(relative(root, any(code())));
      const text = `{ "compilerOptions": { "paths": { "@/*": ["./${target}/*"] } } }`;
      write(join(dirname(any(code())), 'tsconfig.json'), text);
      return text;
    },
    ignore() {
      const path = relative(root, any(code()));
      write(join(root, '.gitignore'), `${path}\n`);
      return path;
    },
    'move outside, and link to': () => {
      const path = any([any(code()), dirname(any(code()))]);
      if (path === root || path.startsWith(join(root, '.git'))) return 'none';
      const target = join(outside, `${below(1e9)}-${basename(path)}`);
      renameSync(path, target);
      symlinkSync(target, path);
      return path;
    },
    'bring back': () => {
      rmSync(root, { recursive: true });
      cpSync(origin, root, { recursive: true });
      mkdirSync(join(root, '.git'), { recursive: true });
      return 'all';
    },
  };
  return () => {
    if (code().length < 3) return `bring back ${changes['bring back']!()}`;
    const name = below(25) === 0 ? 'bring back' : any(Object.keys(changes).slice(0, -1));
    return `${name} ${changes[name]!()}`;
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();

async function main(): Promise<void> {
  const { values, positionals } = readArguments(
    'npm run replay:changes -- DIR [--changes 1000] [--seed 1]',
    { changes: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
    (it) => it.positionals.length === 1,
  );
  const project = positionals[0]!;
  let [looks, remembered, files, findings] = [0, 0, 0, 0];
  const last = await replayChanges({
    project: resolve(process.env['INIT_CWD'] ?? process.cwd(), project),
    changes: Number(values.changes),
    seed: Number(values.seed),
    onLook(look) {
      looks++;
      remembered += look.remembered;
      files += look.files;
      findings += look.findings;
    },
  });
  if (!last.isSame) console.log(last.log.slice(-12).join('\n'));
  console.log(
    `${last.log.length} changes, ${looks} looks, ${findings} findings; ${remembered} of ${files} files were remembered; ${last.isSame ? 'as' : 'NOT as'} without the cache`,
  );
  process.exitCode = last.isSame ? 0 : 1;
}
