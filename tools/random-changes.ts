import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { applied, randomEdits } from './random-edits.ts';

export interface Places {
  readonly root: string;
  readonly outside: string;
  readonly origin: string;
}

/** A project that is changed at random. */
interface Ground extends Places {
  readonly edits: ReturnType<typeof randomEdits>;
  below(limit: number): number;
  any<T>(them: readonly T[]): T;
  files(): readonly string[];
  code(): readonly string[];
}

/** By its name: makes a change, and returns in words what it has changed. */
type Changes = Readonly<Record<string, (ground: Ground) => string>>;

/** One change per call, each described in words. */
export function randomChanges(
  places: Places,
  below: (limit: number) => number,
  seed: number,
): () => string {
  const ground: Ground = {
    ...{ ...places, below, edits: randomEdits(seed) },
    any: (them) => them[below(them.length)]!,
    files: () => filesIn(places.root),
    code: () => codeIn(places.root),
  };
  const changes = { ...ofTexts, ...ofFiles, ...aroundFiles, ...ofLinks };
  return () => {
    const isUsedUp = ground.code().length < 3;
    if (isUsedUp || below(25) === 0) return `bring back ${broughtBack(places)}`;
    const name = ground.any(Object.keys(changes));
    return `${name} ${changes[name]!(ground)}`;
  };
}

const ofTexts: Changes = {
  edit({ edits, any, code }) {
    const path = any(code());
    write(path, applied(textOf(path), edits.next(textOf(path))));
    return path;
  },
  'take out a line of': ({ below, any, code }) => {
    const path = any(code());
    const lines = textOf(path).split('\n');
    lines.splice(below(lines.length), 1);
    write(path, lines.join('\n'));
    return path;
  },
  'write another file over': ({ any, code }) => {
    const path = any(code());
    write(path, textOf(any(code())));
    return path;
  },
  'write something as long, with the time of before, over': ({ any, code }) => {
    const path = any(code());
    const { atime, mtime } = statSync(path);
    write(
      path,
      textOf(path).replace(/\b(?:await|export|return|for|new)\b/, (it) => 'x'.repeat(it.length)),
    );
    utimesSync(path, atime, mtime);
    return path;
  },
};

const ofFiles: Changes = {
  touch({ any, files }) {
    const path = any(files());
    utimesSync(path, new Date(), new Date());
    return path;
  },
  remove({ any, code }) {
    const path = any(code());
    rmSync(path);
    return path;
  },
  'remove the folder of': ({ root, any, code }) => {
    const path = any(code());
    if (dirname(path) !== root) rmSync(dirname(path), { recursive: true });
    return path;
  },
  rename({ below, any, code }) {
    const path = any(code());
    renameSync(path, join(dirname(path), `r${below(9)}${basename(path)}`));
    return path;
  },
  'add a copy of': ({ below, any, code }) => {
    const path = any(code());
    write(join(dirname(path), `c${below(9)}.ts`), textOf(path));
    return path;
  },
  shadow({ any, code }) {
    const path = any(code());
    const other = any(['.js', '.ts', '.tsx', '.mts', '/index.ts', '.d.ts', '/package.json']);
    const shadow = `${withoutExtension(path)}${other}`;
    if (existsSync(shadow) || existsSync(dirname(shadow)) !== !other.startsWith('/')) return path;
    write(shadow, other === '/package.json' ? '{ "main": "../c1" }' : textOf(any(code())));
    return shadow;
  },
};

/** What a scan reads besides code. */
const aroundFiles: Changes = {
  'break or repair a document': ({ edits, any, files }) => {
    const documents = files().filter((it) => /\.(?:json|ya?ml)$|Dockerfile$/.test(it));
    if (documents.length === 0) return 'none';
    const path = any(documents);
    write(path, applied(textOf(path), edits.next(textOf(path))));
    return path;
  },
  configure({ any, code }) {
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
  deploy({ root, below }) {
    const text = `FROM node\nENV UV_THREADPOOL_SIZE=${below(3) * 32 + 4}\nCMD pm2 start app.js -i ${below(4) + 1}\n`;
    write(join(root, 'Dockerfile'), text);
    return text;
  },
  'begin or end a checkout in': ({ any, code }) => {
    const path = join(dirname(any(code())), '.git');
    if (existsSync(path)) rmSync(path, { recursive: true });
    else mkdirSync(path);
    return path;
  },
  'install a driver': ({ root, below, any }) => {
    const path = join(root, 'node_modules', any(['pg', 'mysql2']), 'package.json');
    write(path, `{ "version": "${below(9)}.0.0" }`);
    return path;
  },
  'name paths': ({ root, any, code }) => {
    const target = dirname(relative(root, any(code())));
    const text = `{ "compilerOptions": { "paths": { "@/*": ["./${target}/*"] } } }`;
    write(join(dirname(any(code())), 'tsconfig.json'), text);
    return text;
  },
  ignore({ root, any, code }) {
    const path = relative(root, any(code()));
    write(join(root, '.gitignore'), `${path}\n`);
    return path;
  },
};

const ofLinks: Changes = {
  'move outside, and link to': ({ root, outside, below, any, code }) => {
    const path = any([any(code()), dirname(any(code()))]);
    if (path === root || path.startsWith(join(root, '.git'))) return 'none';
    const target = join(outside, `${below(1e9)}-${basename(path)}`);
    renameSync(path, target);
    symlinkSync(target, path);
    return path;
  },
};

function broughtBack({ root, origin }: Places): string {
  rmSync(root, { recursive: true });
  cpSync(origin, root, { recursive: true });
  mkdirSync(join(root, '.git'), { recursive: true });
  return 'all';
}

function filesIn(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((it) => join(root, it))
    .filter((it) => !it.includes('/.git') && statSync(it, { throwIfNoEntry: false })?.isFile());
}

export function codeIn(root: string): readonly string[] {
  return filesIn(root).filter((it) => /\.[cm]?[jt]sx?$/.test(it));
}

function textOf(path: string): string {
  return readFileSync(path, 'utf8');
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function withoutExtension(path: string): string {
  return path.replace(/\.[^.]+$/, '');
}
