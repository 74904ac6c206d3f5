import type { FileProbes, PlannedFile, PlannedFrame, PlannedLoop } from '../plan.ts';

/**
 * What the inserted code calls, as global variables of the program: a global is found from modules of each kind.
 * `frame` begins a run of a function and `leave` ends it; `open` is called before an awaited expression, `evaluated` with its value before
 * the wait, `close` with its result; `iteration` begins one of a loop, and `iterated` ends one of a loop over messages; `pool` gets a new
 * pool and returns it.
 */
export const NAMES = {
  frame: '__deadtime_frame',
  leave: '__deadtime_leave',
  open: '__deadtime_open',
  evaluated: '__deadtime_evaluated',
  close: '__deadtime_close',
  iteration: '__deadtime_iteration',
  iterated: '__deadtime_iterated',
  pool: '__deadtime_pool',
} as const;

/** The variable with the run of the function around. */
const OWN = '__deadtime_own';

/** The text with its probes, each in the line of the code that it measures; undefined where the text has such names itself. */
export function rewritten(
  text: string,
  { probes, firstSite, firstSource, firstPool }: Pick<PlannedFile, 'probes'> & Firsts,
): string | undefined {
  if (text.includes('__deadtime_')) return undefined;
  const edits = [
    ...framesOf(probes, firstSource),
    ...probes.sources.flatMap(({ loop }, i) => (loop ? iterationsOf(loop, firstSource + i) : [])),
    ...probes.pools.flatMap(({ start, end }, i): Edit[] => [
      [start, 7, `${NAMES.pool}(${firstPool + i},`],
      [end, 0, ')'],
    ]),
    ...probes.sites.flatMap(({ start, end, isReturned, kind }, i): Edit[] => {
      const opening = `${NAMES.close}(${NAMES.open}(${OWN},${firstSite + i}),`;
      if (kind === 'blocking')
        return [
          [start, 6, opening],
          [end, 1, ')'],
        ];
      const evaluated = ` ${NAMES.evaluated}(${OWN},`;
      return isReturned
        ? [
            [start, 6, `${opening}await${evaluated}`],
            [end, 1, '))'],
          ]
        : [
            [start, 6, opening],
            [start + 'await'.length, 6, evaluated],
            [end, 1, '))'],
          ];
    }),
  ];
  return withEdits(
    text,
    edits.toSorted(([a, inA], [b, inB]) => a - b || inA - inB),
  );
}

interface Firsts {
  readonly firstSite: number;
  readonly firstSource: number;
  readonly firstPool: number;
}

/** At one offset, inner ends come before outer ends, and these before outer starts and inner starts. */
type Edit = readonly [offset: number, order: number, inserted: string];

function iterationsOf(
  { start, end, hasBraces, endsWithBody }: PlannedLoop,
  source: number,
): readonly Edit[] {
  const [brace, endBrace] = hasBraces ? ['', ''] : ['{', '}'];
  if (!endsWithBody) {
    const opening: Edit = [start, 5, `${brace}${NAMES.iteration}(${OWN},${source});`];
    return hasBraces ? [opening] : [opening, [end, 2, endBrace]];
  }
  // Its function has waited for the message.
  return [
    [start, 5, `${brace}${NAMES.iteration}(${OWN},${source},true);try{`],
    [end, 2, `}finally{${NAMES.iterated}(${OWN})}${endBrace}`],
  ];
}

function framesOf({ frames }: FileProbes, firstSource: number): readonly Edit[] {
  return frames.flatMap((it): Edit[] => {
    const source = it.source === undefined ? '' : firstSource + it.source;
    const begin = `const ${OWN}=${NAMES.frame}(${source});`;
    const { after, end } = AROUND[it.kind];
    const semicolon = it.isAfterDirective ? ';' : '';
    const brace = it.kind === 'expression' ? '{' : '';
    const opening: Edit = [it.start, 4, `${semicolon}${brace}${begin}${after}`];
    return end === '' ? [opening] : [opening, [it.end, 3, end]];
  });
}

const END = `}finally{${NAMES.leave}(${OWN})}`;

/** A module has no end: what it awaits is measured until the program ends. */
const AROUND: Readonly<
  Record<PlannedFrame['kind'], { readonly after: string; readonly end: string }>
> = {
  block: { after: 'try{', end: END },
  expression: { after: 'try{return(', end: `)${END}}` },
  module: { after: '', end: '' },
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
