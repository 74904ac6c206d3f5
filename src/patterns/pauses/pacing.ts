import {
  pacing,
  retrying,
  simulation,
  spreading,
  waiting,
  waitingFirst,
} from '../../analysis/words/pacing.ts';
import { patternOf } from '../../analysis/words/word-list.ts';
import {
  contains,
  functionAround,
  getterOf,
  isFunction,
  type Node,
  propertyName,
  walk,
} from '../../analysis/syntax/ast.ts';
import { PRETENDED } from '../../analysis/contexts/pretended.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { LoopPause } from '../../analysis/loops/pauses.ts';
import { commentsBetween } from '../../analysis/syntax/comments.ts';
import { endsAt, startsAt } from '../../analysis/syntax/places.ts';
import { functionNames, nameOfFunction } from '../../analysis/syntax/function-names.ts';
import { escaped, wordsOf } from '../../analysis/syntax/words.ts';

/** Why a pause is intended, as far as names, comments and the origin of its time show. */
export type Intention =
  | 'purpose'
  | 'pacing-word'
  | 'retry-word'
  | 'caller-decides'
  | 'computed-time'
  | 'abortable'
  | 'limiter'
  | 'simulation'
  | 'wait-function';

/**
 * Words that say that somebody wants the loop to be slow. `rate` alone counts unless it is the loop's own frequency
 * (`updateRate`, `refresh rate`).
 */
const PACING = patternOf(pacing);

const RETRY = patternOf(retrying);

const SPREADING = patternOf(spreading);

/** What systems need time for; a name for one of these, `the index`, asks for none. */
const SETTLING =
  /(?<!\b(?:the|an?|each|every|this|that|its|our|next|new) )(?:settle|stabili[sz]e|propagate|replicate|(?:re)?connect|become|finish|complete|catch up|come up|start up|warm up|index|sync|distinguish|tell \w+ apart|be told apart|make [\w ]+ (?:distinct|distinguishable|unique))\b/
    .source;

/** What another system comes to by itself, later than it has answered. */
const SETTLED =
  /(?:finali[sz]ation|finality|confirmations?|propagation|replication|consistency|settlement|stabili[sz]ation)/
    .source;

/** `FINALIZATION_DELAY`, `propagation ms`: a time that is called by what it is left for. */
const TIME_OF = new RegExp(
  String.raw`\b${SETTLED} (?:delay|pause|wait|time|period|lag|ms|millis|seconds)\b`,
  'i',
);

/**
 * What a comment says that a pause is for: `give the worker time to connect`, `small delay to make events distinguishable`.
 * To keep a loop from spinning, or to do what comes next, is no reason where there is work.
 */
const PURPOSE = new RegExp(
  [
    String.raw`\b(?:giv(?:e|es|ing)|lets?|letting|allow(?:s|ing)?) (?!(?:up|me|us|one)\b)(?![^.\n]* at a time\b)(?:[\w-]+ ){1,8}?(?:${SETTLING}|(?:time|chance) to start\b)`,
    String.raw`\b(?:delay|pause|sleep|wait)\w*\b[^.;\n]*? so that (?:[\w-]+ ){1,5}?${SETTLING}`,
    String.raw`\b(?:delay|pause|sleep|wait)\w* (?:for|until) (?:[\w-]+ ){0,4}?${SETTLED}\b`,
    String.raw`\b(?:delay|pause|sleep|wait)\w*\b[^.;\n]*? to ${SETTLING}(?! (?:the|this|that|all|each|every|an?|next)\b)`,
  ].join('|'),
  'i',
);

/** Functions that wait for something, stop something or pretend; the loop in them is not work. */
const WAITING = [patternOf(waitingFirst, { isFirst: true }), patternOf(waiting)];

/** Calls beside which a pause imitates a person. */
const SIMULATION = patternOf(simulation);

/** The loop around a pause, or the function where there is none. */
type Around = Pick<LoopPause['loop'], 'body'> & { readonly node: Node };

export function intentionOf(
  file: FileFacts,
  { pause, node, loop }: Pick<LoopPause, 'pause' | 'node'> & { readonly loop: Around },
  options: { readonly words: readonly string[]; readonly ignoresParameters: boolean },
): Intention | undefined {
  const { traits, parameters } = pause.duration;
  if (pause.isConditional) return 'limiter';
  if (traits.has('clock') || traits.has('random') || traits.has('power')) return 'computed-time';
  if (traits.has('variable')) return 'computed-time';
  if (pause.abort && !isTestedBy(file, loop.node, pause.abort)) return 'abortable';
  if (options.ignoresParameters && parameters.some((it) => isAround(it.defs[0]?.node, node))) {
    return 'caller-decides';
  }
  const names = [...pause.duration.names, ...pause.through.map((it) => nameOfFunction(it.node))];
  const around = functionNames(node);
  const comments = commentsNear(file, pause, node);
  const said = [...names.map(wordsOf), ...comments];
  if (comments.some((it) => PURPOSE.test(it)) || said.some((it) => TIME_OF.test(it))) {
    return 'purpose';
  }
  const own =
    options.words.length > 0
      ? new RegExp(`\\b(?:${options.words.map(escaped).join('|')})`, 'i')
      : undefined;
  const paced = [...said, ...around.map(wordsOf), ...commentsOfFunction(file, node)];
  if (paced.some((it) => PACING.test(it) || own?.test(it))) {
    return 'pacing-word';
  }
  const named = [...said, ...around.map(wordsOf)];
  if (named.some((it) => RETRY.test(it))) return 'retry-word';
  // The least of such a time is no matter of chance.
  const isBounded = pause.duration.value !== undefined && pause.duration.range !== undefined;
  if (!isBounded && named.some((it) => SPREADING.test(it))) return 'computed-time';
  if (around.some((name) => WAITING.some((it) => it.test(wordsOf(name))))) return 'wait-function';
  if (said.some((it) => PRETENDED.test(it))) return 'simulation';
  return SIMULATION.test(wordsOf(calledNamesIn(loop.body))) ? 'simulation' : undefined;
}

/** The parameter belongs to a function around the pause: its caller has chosen the time. */
function isAround(fn: Node | undefined, node: Node): boolean {
  return fn !== undefined && isFunction(fn) && contains(fn, node);
}

/** `while (!signal.aborted)`: the signal that ends the pause ends the loop, so it is for shutting down. */
export function isTestedBy(file: FileFacts, loop: Node, abort: Node): boolean {
  if (loop.type !== 'WhileStatement' && loop.type !== 'ForStatement') return false;
  const asked = loop.test && (getterIn(loop.test) ?? loop.test);
  return asked !== null && file.textOf(asked).includes(`${file.textOf(abort)}.aborted`);
}

/** `while (!this.stopping)`, where `get stopping()` looks at the signal. */
function getterIn(test: Node): Node | undefined {
  let getter: Node | undefined;
  walk(test, (it) => {
    getter ??= getterOf(it);
  });
  return getter;
}

/** Comments within three lines of the pause, and those at the constant that it takes its time from. */
function commentsNear(file: FileFacts, pause: LoopPause['pause'], node: Node): readonly string[] {
  const places = [
    { file, node },
    ...pause.duration.declarations,
    ...pause.through.map((it) => ({ file: it.file, node: it.node as Node })),
  ];
  return places.flatMap(({ file: where, node: place }, i) => {
    const before = i === 0 ? 3 : 2;
    const from = where.lines.startAt(startsAt(place), before);
    const to = lineEnd(where, i === 0 ? endOfHead(where, place) : startsAt(place), i === 0 ? 1 : 0);
    return commentsBetween(where.source.comments, from, to).map(({ value }) => value);
  });
}

/** What is written above the function that pauses; a declaration is one with what exports it. */
function commentsOfFunction(file: FileFacts, node: Node): readonly string[] {
  let it: Node | undefined = functionAround(node);
  while (it?.parent && DECLARES.test(it.parent.type)) it = it.parent;
  if (!it) return [];
  const [from, to] = [file.lines.startAt(startsAt(it), 2), startsAt(it)];
  return commentsBetween(file.source.comments, from, to).map(({ value }) => value);
}

const DECLARES = /^(?:Export|Variable|MethodDefinition|Property)/;

/** The end of the statement, or of its first line where the pause holds the whole next round. */
function endOfHead(file: FileFacts, node: Node): number {
  return Math.min(endsAt(node), file.lines.endAt(startsAt(node)));
}

function lineEnd({ lines }: FileFacts, offset: number, linesAfter: number): number {
  let at = offset;
  for (let i = 0; i <= linesAfter; i++) at = lines.endAt(at + 1);
  return at;
}

/** The names of what is called in the body, for words that give a purpose away. */
function calledNamesIn(body: Node): string {
  const names: string[] = [];
  walk(body, (it) => {
    if (it.type !== 'CallExpression') return;
    const { callee } = it;
    if (callee.type === 'Identifier') names.push(callee.name);
    else if (callee.type === 'MemberExpression') names.push(propertyName(callee) ?? '');
  });
  return names.join(' ');
}
