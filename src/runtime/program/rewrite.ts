import type { FileProbes, PlannedFile, PlannedFrame } from '../plan.ts';

/**
 * What the inserted code calls, as global variables of the program: a global is found from modules of each kind.
 * `frame` begins a run of a function and `leave` ends it; `open` is called before an awaited expression, `evaluated` with its value before
 * the wait, `close` with its result; `iteration` begins one of a worker's loop; `pool` gets a new pool and returns it.
 */
export const NAMES = {
  frame: '__deadtime_frame',
  leave: '__deadtime_leave',
  open: '__deadtime_open',
  evaluated: '__deadtime_evaluated',
  close: '__deadtime_close',
  iteration: '__deadtime_iteration',
  pool: '__deadtime_pool',
} as const;

/** The variable with the run of the function around. */
const OWN = '__deadtime_own';

/** The text with its probes, each in the line of the code that it measures; undefined where the text has such names itself. */
export function rewritten(
  text: string,
  { probes, firstSite, firstLoop, firstPool }: Pick<PlannedFile, 'probes'> & Firsts,
): string | undefined {
  if (text.includes('__deadtime_')) return undefined;
  const edits = [
    ...framesOf(probes),
    ...probes.loops.flatMap(({ start, end, hasBraces }, i): Edit[] => [
      [start, 5, `${hasBraces ? '' : '{'}${NAMES.iteration}(${OWN},${firstLoop + i});`],
      ...(hasBraces ? [] : [[end, 2, '}'] as const]),
    ]),
    ...probes.pools.flatMap(({ start, end }, i): Edit[] => [
      [start, 7, `${NAMES.pool}(${firstPool + i},`],
      [end, 0, ')'],
    ]),
    ...probes.sites.flatMap(({ start, end }, i): Edit[] => [
      [start, 6, `${NAMES.close}(${NAMES.open}(${OWN},${firstSite + i}),`],
      [start + 'await'.length, 6, ` ${NAMES.evaluated}(${OWN},`],
      [end, 1, '))'],
    ]),
  ];
  return withEdits(
    text,
    edits.toSorted(([a, inA], [b, inB]) => a - b || inA - inB),
  );
}

interface Firsts {
  readonly firstSite: number;
  readonly firstLoop: number;
  readonly firstPool: number;
}

/** At one offset, inner ends come before outer ends, and these before outer starts and inner starts. */
type Edit = readonly [offset: number, order: number, inserted: string];

function framesOf({ frames }: FileProbes): readonly Edit[] {
  return frames.flatMap((it): Edit[] => {
    const { begin, end } = AROUND[it.kind];
    const opening: Edit = [it.start, 4, `${it.isAfterDirective ? ';' : ''}${begin}`];
    return end === '' ? [opening] : [opening, [it.end, 3, end]];
  });
}

const BEGIN = `const ${OWN}=${NAMES.frame}();`;
const END = `}finally{${NAMES.leave}(${OWN})}`;

/** A module has no end: what it awaits is measured until the program ends. */
const AROUND: Readonly<
  Record<PlannedFrame['kind'], { readonly begin: string; readonly end: string }>
> = {
  block: { begin: `${BEGIN}try{`, end: END },
  expression: { begin: `{${BEGIN}try{return(`, end: `)${END}}` },
  module: { begin: BEGIN, end: '' },
};

function withEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let from = 0;
  for (const [offset, , inserted] of edits) {
    result += text.slice(from, offset) + inserted;
    from = offset;
  }
  return result + text.slice(from);
}
