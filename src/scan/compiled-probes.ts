import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Finding } from '../../rules/define-rule.ts';
import { factsOf } from '../analysis/facts.ts';
import type { FileFacts } from '../analysis/file/file.ts';
import { endsAt, startsAt } from '../analysis/syntax/places.ts';
import {
  type FileProbes,
  keyOfText,
  type PlannedFinding,
  type PlannedFrame,
  type PlannedPool,
  type PlannedSite,
  type PlannedSource,
} from '../runtime/plan.ts';
import { type Files, within } from '../project/files.ts';
import { regularText } from '../system/regular-file.ts';
import { isFailure, sourceOf } from './parse.ts';
import { type Position, type Positions, positionsOf } from './positions.ts';
import { probesOf } from './probes.ts';

/** The probes of a file that a compiler has written, for what it was written from. */
export interface CompiledFile {
  /** Absolute. */
  readonly path: string;
  /** The source file: absolute. */
  readonly of: string;
  readonly probes: FileProbes;
}

/**
 * The files below a folder that a compiler has written from one of the scanned files each, with a source map next to them. What they
 * await is measured as what the source awaits. `probesByPath`: of the scanned files.
 */
export function compiledFilesIn(
  folder: string,
  probesByPath: ReadonlyMap<string, FileProbes>,
  files: Pick<Files, 'list'>,
): readonly CompiledFile[] {
  return mapsIn(folder, files).flatMap((path): CompiledFile | readonly CompiledFile[] => {
    try {
      return compiledFile(path, probesByPath) ?? [];
    } catch {
      // A map that cannot be read, or a file that is gone: it runs without probes.
      return [];
    }
  });
}

/** So many entries of folders are looked through. */
const MOST_ENTRIES = 100_000;

function mapsIn(root: string, files: Pick<Files, 'list'>): readonly string[] {
  const found: string[] = [];
  const folders = [root];
  let left = MOST_ENTRIES;
  for (let folder = folders.pop(); folder !== undefined && left > 0; folder = folders.pop()) {
    const listing = files.list(folder);
    for (const [name, kind] of listing?.kinds ?? []) {
      left--;
      if (listing?.links.has(name) || name === 'node_modules' || name.startsWith('.')) continue;
      if (kind === 'directory') folders.push(within(folder, name));
      else if (/\.[cm]?js\.map$/.test(name)) found.push(within(folder, name));
    }
  }
  return found;
}

function compiledFile(
  mapPath: string,
  probesByPath: ReadonlyMap<string, FileProbes>,
): CompiledFile | undefined {
  const map = JSON.parse(regularText(mapPath)) as Partial<SourceMapPayload>;
  const [source, ...others] = map.sources ?? [];
  // A bundle has no source of its own.
  if (source === undefined || others.length > 0) return undefined;
  const of = resolve(dirname(mapPath), map.sourceRoot ?? '', source);
  const planned = probesByPath.get(of);
  if (!planned) return undefined;
  const original = regularText(of);
  if (keyOfText(original, crc32) !== planned.text) return undefined;
  const path = mapPath.slice(0, -'.map'.length);
  const text = regularText(path);
  const parsed = sourceOf(text, path);
  if (isFailure(parsed)) return undefined;
  const positions = positionsOf(text);
  const places = new SourceMap(map as SourceMapPayload);
  const originalAt = (offset: number): Position | undefined => {
    const { line, column } = positions.at(offset);
    const entry = places.findEntry(line - 1, column - 1);
    return 'originalLine' in entry
      ? { line: entry.originalLine + 1, column: entry.originalColumn + 1 }
      : undefined;
  };
  const file = factsOf(parsed);
  const hasCalls = planned.pools.length > 0 || planned.sites.some(isBlocking);
  const calls = hasCalls ? callsIn(file) : [];
  const ofSource = positionsOf(original);
  const callAt = (start: number) => {
    const { line, column } = ofSource.at(start);
    return calls.find((it) => {
      const place = originalAt(it.start);
      return place?.line === line && place.column === column;
    });
  };
  const blocking = planned.sites.filter(isBlocking).flatMap((it): Finding['range'][] => {
    const call = callAt(it.start);
    return call ? [[call.start, call.end]] : [];
  });
  const own = probesOf(file, positions, [], blocking);
  return {
    ...{ path, of },
    probes: translated(own, { planned, positions: ofSource, callAt, originalAt }),
  };
}

function isBlocking({ kind }: PlannedSite): boolean {
  return kind === 'blocking';
}

/** What may create a pool, or block, an outer call before those in it: which of them does, the source states. */
function callsIn({ nodes }: FileFacts): readonly Pick<PlannedPool, 'start' | 'end'>[] {
  return [...nodes.all('NewExpression'), ...nodes.all('CallExpression')]
    .map((it) => ({ start: startsAt(it), end: endsAt(it) }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
}

interface Original {
  readonly planned: FileProbes;
  /** Of the source. */
  readonly positions: Positions;
  /** The call of the compiled text that is at an offset of the source. */
  callAt(start: number): Pick<PlannedPool, 'start' | 'end'> | undefined;
  /** The place in the source of an offset in the compiled text. */
  originalAt(offset: number): Position | undefined;
}

/** The probes of the compiled text, as those of its source, which states what each await and each call is. */
function translated(
  own: FileProbes,
  { planned, positions, callAt, originalAt }: Original,
): FileProbes {
  const awaits = planned.sites.flatMap((it, at) => (isBlocking(it) ? [] : [at]));
  const siteAt = placeFinder(awaits.map((at) => positions.at(planned.sites[at]!.start)));
  const pairs = own.sites.flatMap((site) => {
    if (isBlocking(site)) {
      const at = planned.sites.findIndex(
        (it) => isBlocking(it) && callAt(it.start)?.start === site.start,
      );
      return at === -1 ? [] : [{ site, at }];
    }
    const at = siteAt(originalAt(site.start));
    return at === undefined ? [] : [{ site, at: awaits[at]! }];
  });
  const sites = pairs.map(({ site, at }) => ofSource(site, planned.sites[at]!));
  const pools = planned.pools.flatMap(({ start, line }, at) => {
    const call = callAt(start);
    return call ? [{ at, pool: { ...call, line } }] : [];
  });
  const loops = own.sources.map((it): PlannedSource => {
    const line = it.loop && originalAt(it.loop.start)?.line;
    return line === undefined ? it : { ...it, line };
  });
  const { frames, sources } = withHandlers(own.frames, loops, { planned, pairs });
  return {
    ...{ text: own.text, sites, frames, sources },
    pools: pools.map((it) => it.pool),
    findings: planned.findings.flatMap((it): PlannedFinding[] => {
      const { pool: ofSourcePool, ...finding } = it;
      const itsSites = it.sites.flatMap((i) => pairs.findIndex(({ at }) => at === i));
      const pool = pools.findIndex(({ at }) => at === ofSourcePool);
      if (itsSites.includes(-1) || (ofSourcePool !== undefined && pool === -1)) return [];
      return [{ ...finding, sites: itsSites, ...(pool !== -1 && { pool }) }];
    }),
  };
}

/** The index of what begins at a place, or of the only one on its line. */
function placeFinder(
  places: readonly Position[],
): (place: Position | undefined) => number | undefined {
  const byPlace = new Map(places.map(({ line, column }, i) => [`${line}:${column}`, i]));
  const onLine = new Map<number, number>();
  for (const { line } of places) onLine.set(line, (onLine.get(line) ?? 0) + 1);
  return (place) => {
    if (!place) return undefined;
    const exact = byPlace.get(`${place.line}:${place.column}`);
    if (exact !== undefined || onLine.get(place.line) !== 1) return exact;
    return places.findIndex((it) => it.line === place.line);
  };
}

function ofSource({ start, end, depth, isReturned, loop }: PlannedSite, source: PlannedSite) {
  const { isReturned: wasReturned, loop: _, ...stated } = source;
  return {
    ...{ ...stated, start, end, depth },
    ...(isReturned && wasReturned && { isReturned }),
    ...(loop !== undefined && { loop }),
  } satisfies PlannedSite;
}

/** Decorators and types say in the source what is a handler: its frame is that of one of its awaits. */
function withHandlers(
  frames: readonly PlannedFrame[],
  sources: readonly PlannedSource[],
  {
    planned,
    pairs,
  }: {
    readonly planned: FileProbes;
    readonly pairs: readonly { readonly site: PlannedSite; readonly at: number }[];
  },
): Pick<FileProbes, 'frames' | 'sources'> {
  const added: PlannedSource[] = [];
  const ofFrame = new Map<PlannedFrame, number>();
  for (const handler of planned.frames) {
    const source = handler.source === undefined ? undefined : planned.sources[handler.source];
    const pair =
      source && pairs.find(({ at }) => frameAround(planned.frames, planned.sites[at]!) === handler);
    const frame = pair && frameAround(frames, pair.site);
    if (!source || !frame || frame.source !== undefined) continue;
    ofFrame.set(frame, sources.length + added.length);
    added.push(source);
  }
  return {
    sources: [...sources, ...added],
    frames: frames.map((it) => {
      const source = ofFrame.get(it);
      return source === undefined ? it : { ...it, source };
    }),
  };
}

function frameAround(
  frames: readonly PlannedFrame[],
  { start, end }: PlannedSite,
): PlannedFrame | undefined {
  return frames
    .filter((it) => it.kind !== 'module' && it.start <= start && end <= it.end)
    .toSorted((a, b) => b.start - a.start)[0];
}
