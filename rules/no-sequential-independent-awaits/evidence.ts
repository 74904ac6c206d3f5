import { bare, type Node } from '../../src/analysis/syntax/ast.ts';
import { isOnceIn } from '../../src/analysis/loops/effect-places.ts';
import type { Effect } from '../../src/analysis/effects/effects.ts';
import type { FileFacts } from '../../src/analysis/file/file.ts';
import type {
  Follower,
  IndependentRun,
  PresumedRun,
} from '../../src/patterns/independence/independence.ts';
import { keepsDocuments, libraryNamed } from '../../src/analysis/model/index.ts';
import type { IndependentRead } from '../../src/patterns/independence/group.ts';
import { rangeOf } from '../../src/analysis/syntax/places.ts';
import type { Evidence, Related } from '../define-rule.ts';

type MessageId = 'likely' | 'pageAndCount' | 'presumed' | 'reads' | 'slowest';

export function evidenceOf(
  file: FileFacts,
  run: IndependentRun | PresumedRun,
  messageId: MessageId,
): Evidence {
  const { reads } = run;
  const effects = reads.flatMap((it) => it.effects);
  return {
    count: reads.length,
    calls: reads.map((it) => callText(file.textOf(askedIn(it.shape.node.argument)))).join(', '),
    ...('assumed' in run ? { assumed: run.assumed } : { what: whatIsRead(effects) }),
    envs: [...new Set(effects.map((it) => it.env))].sort().join(' '),
    ...(messageId === 'pageAndCount' ? { both: statementForBoth(effects) } : {}),
  };
}

function statementForBoth(effects: readonly Effect[]): string {
  return effects.some((it) => keepsDocuments(it.library)) ? '`$facet`' : '`count(*) over ()`';
}

/** Of `isOld(id) ? archive.find(id) : shelf.find(id)`, the first that may be waited for. */
function askedIn(argument: Node): Node {
  const it = bare(argument);
  return it.type === 'ConditionalExpression' ? askedIn(it.consequent) : it;
}

/**
 * The call without its arguments: `getUser()`, `db.select()`; with them where they identify it: `db('books')`,
 * `c.get('db').query()`, `db.getRepository(Book).find()`, `getDb().select()`, `Promise.all(ids.map())`.
 */
function callText(text: string): string {
  // Of `(await fetch(url)).json()`, what is asked.
  const asked = text.replaceAll(/\s+/g, ' ').replace(/^\( ?await /, '');
  // `(prisma.user as any).count()` without its type.
  const untyped = asked.replace(/^\(\s?([\w$.]+) as [\w$.[\]]+\s?\)/, '$1');
  const plain = untyped.replaceAll(' .', '.').replaceAll('( ', '(');
  const ofNamed = /^[\w$.#?!]+\.get\((['"])[\w.]{1,24}\1\)\.[\w$]+(?=\()/.exec(plain)?.[0];
  if (ofNamed) return `${ofNamed}()`;
  const builder = /^[\w$.#?!]+\((['"])[\w.]{1,24}\1\)/.exec(plain)?.[0];
  if (builder) return builder;
  const ofEntity = /^[\w$.#?!]+\([A-Z][\w$]*\)\.[\w$]+(?=\()/.exec(plain)?.[0];
  if (ofEntity) return `${ofEntity}()`;
  const ofCall = /^[\w$]+\(\)\.[\w$.]+(?=\()/.exec(plain)?.[0];
  if (ofCall) return `${ofCall}()`;
  if (/^\(async (?:\(|\w+ =>)/.test(plain)) return '(async () => …)()';
  const ofModule = /^import\([^()]*\)\)\.([\w$.]+)(?=\()/.exec(plain)?.[1];
  if (ofModule) return `${ofModule}()`;
  const made = /^new [\w$.]+/.exec(plain)?.[0];
  if (made) return `${made}()`;
  const ofAll = /^Promise\.\w+\([\w$.#?!]*\.(?:flatMap|map)(?=\()/.exec(plain)?.[0];
  if (ofAll) return `${ofAll}())`;
  const name = /^[\w$.#?!]+/.exec(plain)?.[0];
  // A statement that was put together before is awaited by its name.
  if (name === plain) return name;
  return name ? `${name}()` : plain.slice(0, 40);
}

const NAMES = {
  db: 'the database',
  http: 'over HTTP',
  redis: 'Redis',
  fs: 'files',
  declared: 'what `treatAsRead` lists',
} as const;

function whatIsRead(effects: readonly Effect[]): string {
  const queries = effects.filter((it) => it.env === 'db');
  // Some of the tables would look like all of them.
  const areKnown = queries.every((it) => it.keys.length > 0);
  const tables = areKnown ? [...new Set(queries.flatMap((it) => it.keys))] : [];
  const further = tables.length > 4 ? ', …' : '';
  const called = [...new Set(effects.flatMap((it) => calledBy(it) ?? []))];
  const envs = effects.filter((it) => calledBy(it) === undefined).map((it) => it.env);
  const names = [...new Set(envs)].map((env) => {
    const isCache = effects.some((it) => it.env === env && it.readThrough);
    const name = isCache ? 'a cache in Redis (which they fill)' : NAMES[env as keyof typeof NAMES];
    return env === 'db' && tables.length > 0
      ? `${name} (${tables.slice(0, 4).join(', ')}${further})`
      : name;
  });
  return [...names, ...called].join(' and ');
}

/** What the library itself calls what is read: `Workers KV`. */
function calledBy({ library }: Effect): string | undefined {
  return libraryNamed(library)?.called;
}

/** Where each of them reads, and what else could run concurrently with them. */
export function relatedOf(file: FileFacts, run: IndependentRun): Related[] {
  const { reads, follower, growths } = run;
  const places = reads.map(({ shape, effects }, i) => {
    const [effect] = effects;
    return {
      path: effect!.at.file.path,
      range:
        i === 0 && effect!.at.node === shape.node ? rangeOf(shape.node) : rangeOf(effect!.at.node),
      message: `read ${i + 1}: ${effect!.library} ${effect!.method}`,
    };
  });
  const copies = growths.map((it) => ({
    path: file.path,
    range: rangeOf(it),
    message:
      'an earlier read receives this list: to run concurrently, pass it a copy (`[...list]`)',
  }));
  return [...places, ...copies, ...(follower ? [earlyStart(file, reads, follower)] : [])];
}

/** Only words: a promise that waits unattended while another read fails is an unhandled rejection. */
function earlyStart(
  file: FileFacts,
  reads: readonly IndependentRead[],
  { shape, needed, unneeded }: Follower,
): Related {
  const numbers = (some: readonly IndependentRead[]) =>
    some.map((it) => `read ${reads.indexOf(it) + 1}`).join(', ');
  return {
    path: file.path,
    range: rangeOf(shape.node),
    message:
      `this needs only ${numbers(needed)}: start ${numbers(unneeded)} first and await it last, so that it runs alongside both ` +
      '(add a catch to its promise immediately)',
  };
}

export function messageOf(file: FileFacts, run: IndependentRun | PresumedRun): MessageId {
  if ('assumed' in run) return 'presumed';
  if (run.mayVeto) return 'likely';
  if (isPageAndCount(file, run)) return 'pageAndCount';
  // A database and a service answer in times of their own.
  const envs = new Set(
    run.reads.flatMap(({ effects }) => effects.map((it) => calledBy(it) ?? it.env)),
  );
  return envs.size === 1 && run.reads.every((it) => isOneRoundTrip(file, it)) ? 'reads' : 'slowest';
}

function isOneRoundTrip(file: FileFacts, { effects, shape }: IndependentRead): boolean {
  const [effect, ...others] = effects;
  if (!effect || others.length > 0 || effect.env === 'fs') return false;
  // Sometimes it is none.
  if (shape.condition) return false;
  if (!isOnceIn(file, shape.node, effect)) return false;
  // What belongs to the rows is asked for by statements of its own.
  const isNested = libraryNamed(effect.library)?.nestsRelated === true;
  const further = isNested ? /\binclude\s*:/ : /\.populate\(/;
  return !further.test(textOf(effect));
}

/** A page of rows, and how many there are in all. */
function isPageAndCount(file: FileFacts, { reads }: IndependentRun): boolean {
  const [a, b, ...others] = reads.flatMap((it) => it.effects);
  if (!a || !b || others.length > 0 || reads.length !== 2) return false;
  if (!reads.every((it) => isOneRoundTrip(file, it))) return false;
  const [page, count] = counts(a) ? [b, a] : [a, b];
  const asked = ownPart(textOf(page));
  return (
    counts(count) &&
    !counts(page) &&
    page.keys.length > 0 &&
    page.keys.join() === count.keys.join() &&
    /\b(?:limit|take|offset|skip)\b/i.test(asked) &&
    !ONE_ROW.test(asked)
  );
}

/** The latest of them, which has no pages. */
const ONE_ROW = /\b(?:limit|take)[\s(:]*1\b/i;

/** Without the arguments for related rows: `{ include: { notes: { take: 1 } } }`. */
function ownPart(text: string): string {
  let depth = 0;
  return Array.from(text, (it) => {
    if (it === '}') depth--;
    const shown = depth < 2 ? it : '';
    if (it === '{') depth++;
    return shown;
  }).join('');
}

function counts(effect: Effect): boolean {
  return /count/i.test(effect.method) || /\bselect\s+count\s*\(/i.test(textOf(effect));
}

function textOf({ at }: Effect): string {
  return at.file.textOf(at.node);
}
