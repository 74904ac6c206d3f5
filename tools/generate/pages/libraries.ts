import { drivers, libraries, mappers } from '../../../src/analysis/model/index.ts';
import type { PoolFacts } from '../../../src/analysis/model/pool-facts.ts';
import type { Effect, Environment, Library } from '../../../src/analysis/model/schema.ts';
import { markdownTable } from './table.ts';

/** docs/reference/libraries.md: every library of the model, with the version that it was checked with. */
export function librariesPage(): string {
  const others = libraries.filter((it) => !drivers.concat(mappers).some(isSame(it)));
  return [
    '<!-- Written by `npm run docs` from src/analysis/model/. -->',
    '',
    '# Supported drivers and libraries',
    '',
    'Deadtime resolves what these packages export, what their calls wait for, and what has to be released.',
    'It does not report code whose connections come from a package that is not listed.',
    'A package of your own that wraps one of them needs a line of configuration: [`packages.treatAs`](configuration.md#packages-that-wrap-a-driver).',
    'Another version works where it has the same exports and methods as the version that was checked.',
    '',
    '## Databases, caches and brokers',
    '',
    pooledTable(drivers),
    '',
    '## Query builders and mappers',
    '',
    pooledTable(mappers),
    '',
    '## Other libraries and Node.js modules',
    '',
    otherTable(others.filter((it) => waitsOf(it) !== '')),
    '',
    '## Frameworks, helpers and packages that compute',
    '',
    'Their own calls wait for nothing outside of the process; what they are given to run is followed:',
    '',
    ...computingLines(others.filter((it) => waitsOf(it) === '')),
    '',
  ].join('\n');
}

function isSame({ name }: Library) {
  return (it: Library) => it.name === name;
}

function pooledTable(those: readonly Library[]): string {
  return markdownTable(
    [
      'Library',
      'Also imported as',
      'Checked with',
      'Default pool size',
      'Default wait for a connection',
    ],
    byName(those).map((it) => [
      `\`${it.name}\``,
      otherSpecifiersOf(it),
      it.verifiedWith,
      ...poolCells(it),
    ]),
  );
}

function poolCells(library: Library): readonly [string, string] {
  const pool = Object.values(library.types).find((it) => it.pool?.max !== undefined)?.pool;
  if (!pool) return ['', ''];
  return [`${pool.max} (\`${pool.maxOption}\`)`, waitOf(pool)];
}

function waitOf({ waitMs, waitOption }: PoolFacts): string {
  if (waitMs === undefined) return '';
  const option = waitOption === undefined ? '' : ` (\`${waitOption}\`)`;
  return `${waitMs === Number.POSITIVE_INFINITY ? 'no time-out' : `${waitMs / 1_000} s`}${option}`;
}

function otherTable(those: readonly Library[]): string {
  return markdownTable(
    ['Library', 'Also imported as', 'Checked with', 'What its calls wait for'],
    byName(those).map((it) => [
      `\`${it.name}\``,
      otherSpecifiersOf(it),
      it.verifiedWith,
      waitsOf(it),
    ]),
  );
}

/** A line for each letter of the alphabet, so that none is too long. */
function computingLines(those: readonly Library[]): readonly string[] {
  const lines = new Map<string, string[]>();
  for (const { name, verifiedWith } of byName(those)) {
    const letter = /[a-z]/i.exec(name)?.[0].toUpperCase() ?? '';
    const line = lines.get(letter) ?? [];
    lines.set(letter, [...line, `\`${name}\` ${verifiedWith}`]);
  }
  return [...lines].sort().map(([, names]) => `- ${names.join(', ')}`);
}

/** Those that code imports. */
function byName(those: readonly Library[]): readonly Library[] {
  return those.filter((it) => !isInternal(it)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Nothing imports it: another library returns its objects. */
function isInternal({ modules, modulePattern }: Library): boolean {
  return modules.length === 0 && modulePattern === undefined;
}

/** Besides its name; a pattern means names that no list can hold. */
function otherSpecifiersOf({ name, modules, modulePattern }: Library): string {
  const listed = modules.filter((it) => it !== name).map((it) => `\`${it}\``);
  if (modulePattern === undefined) return listed.join(', ');
  return [...listed, modules.length > 0 ? 'generated clients' : `\`${name}/…\``].join(', ');
}

function waitsOf(library: Library): string {
  const found = new Set(effectsIn([library.exports, library.types, library.exportPatterns]));
  return [...found].map((it) => words[it]).join(', ');
}

const words: Readonly<Record<Environment, string>> = {
  db: 'a database',
  redis: 'Redis',
  http: 'HTTP',
  dns: 'DNS',
  fs: 'files',
  queue: 'a queue',
  email: 'mail',
  proc: 'processes',
  cpu: 'computation',
  timer: 'timers',
  lock: 'locks',
  console: 'output',
};

/** The model is nested data: an effect is an object with `env`, wherever it is. */
function* effectsIn(value: unknown): Iterable<Environment> {
  if (typeof value !== 'object' || value === null) return;
  if ('env' in value && 'op' in value) yield (value as Effect).env;
  else if ('sleep' in value || 'yield' in value) yield 'timer';
  for (const it of Object.values(value)) yield* effectsIn(it);
}
