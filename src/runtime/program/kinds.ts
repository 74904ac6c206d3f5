import { Histogram } from '../histogram.ts';
import type { RawEntryKind, RawEntrySite, RawRun } from '../raw.ts';
import { Busy } from './busy.ts';
import type { Entry } from './entry.ts';
import { deadMsIn, PART_COUNT } from '../parts.ts';
import { Slices } from './slices.ts';

/** More names of requests than this are added up under `OTHERS`: an address with unfolded numbers must not fill the memory. */
const MOST_NAMES = 500;
const OTHERS = 'other requests';

/** The sums over all entries of a kind. */
export class Kinds {
  readonly #kinds = new Map<string | number, Kind>();
  readonly #sources = new WeakMap<Entry, number>();

  /** The entry comes from this source of work. */
  start(entry: Entry, source: number): void {
    this.#sources.set(entry, source);
  }

  add(
    entry: Entry,
    ms: number,
    { name, isAborted }: { readonly name: string | undefined; readonly isAborted: boolean },
  ): void {
    const kind = this.#of(this.#sources.get(entry) ?? name ?? OTHERS);
    if (isAborted) kind.aborted++;
    else kind.add(entry, ms);
  }

  /** An entry that is not measured: its source, or its name. */
  count(key: string | number): void {
    this.#of(key).unmeasured++;
  }

  /** `nameOf` returns the name of a request that goes on. */
  plain(
    open: Iterable<Entry>,
    nameOf: (entry: Entry) => string | undefined,
  ): readonly RawEntryKind[] {
    const counts = new Map<string | number, number>();
    for (const entry of open) {
      const key = this.#sources.get(entry) ?? nameOf(entry) ?? OTHERS;
      this.#of(key);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return Array.from(this.#kinds, ([key, kind]) => ({
      ...(typeof key === 'number' ? { source: key } : { name: key }),
      open: counts.get(key) ?? 0,
      ...kind.plain(),
    }));
  }

  /** By statement and line, the most often that it was sent in one entry. */
  mostOf(site: number, statement: string): number {
    const mosts = Array.from(this.#kinds.values(), (it) => it.mostOf(site, statement));
    return Math.max(0, ...mosts);
  }

  #of(key: string | number): Kind {
    const isFull = this.#kinds.size >= MOST_NAMES && !this.#kinds.has(key);
    const name = isFull && typeof key === 'string' ? OTHERS : key;
    let kind = this.#kinds.get(name);
    if (!kind) this.#kinds.set(name, (kind = new Kind()));
    return kind;
  }
}

class Kind {
  aborted = 0;
  unmeasured = 0;
  readonly #time = new Histogram();
  readonly #slices = new Slices();
  readonly #busy = new Busy();
  #firstMs = Infinity;
  #lastMs = 0;
  readonly #partsMs = new Float64Array(PART_COUNT);
  readonly #sites = new Map<number, Mutable<RawEntrySite>>();
  readonly #runs = new Map<number, Mutable<RawRun>>();
  readonly #mosts = new Map<string, number>();
  /** For how many entries the measured ones stand. */
  #weight = 0;

  add(entry: Entry, ms: number): void {
    const { weight } = entry;
    this.#weight += weight;
    this.#time.add(ms, weight);
    this.#slices.add({
      count: weight,
      totalMs: ms * weight,
      deadMs: deadMsIn(entry.parts) * weight,
    });
    this.#busy.add(entry.startMs, entry.startMs + ms);
    this.#firstMs = Math.min(this.#firstMs, entry.startMs);
    this.#lastMs = Math.max(this.#lastMs, entry.startMs + ms);
    for (let i = 0; i < PART_COUNT; i++) this.#partsMs[i]! += entry.parts[i]! * weight;
    for (const { id, count, exclusiveMs, statements } of entry.sites.values()) {
      let site = this.#sites.get(id);
      if (!site)
        this.#sites.set(id, (site = { id, count: 0, most: 0, entries: 0, exclusiveMs: 0 }));
      site.count += count * weight;
      site.most = Math.max(site.most, count);
      site.entries += weight;
      site.exclusiveMs += exclusiveMs * weight;
      for (const [statement, times] of statements ?? []) this.#count(id, statement, times);
    }
    for (const { first, totalMs, togetherMs } of entry.runs ?? []) {
      let run = this.#runs.get(first);
      if (!run) this.#runs.set(first, (run = { first, count: 0, totalMs: 0, togetherMs: 0 }));
      run.count += weight;
      run.totalMs += totalMs * weight;
      run.togetherMs += togetherMs * weight;
    }
  }

  /** Weights change what share each entry has of the sums, and not of how many entries these are. */
  plain(): Omit<RawEntryKind, 'open'> {
    const scale = this.#time.count / Math.max(this.#weight, 1);
    const scaled = (its: number) => its * scale;
    return {
      aborted: this.aborted,
      unmeasured: this.unmeasured,
      time: this.#time.plain(),
      slices: this.#slices.plain().map(({ count, totalMs, deadMs }) => ({
        ...{ count: scaled(count), totalMs: scaled(totalMs), deadMs: scaled(deadMs) },
      })),
      firstMs: Math.min(this.#firstMs, this.#lastMs),
      lastMs: this.#lastMs,
      busyMs: this.#busy.ms,
      partsMs: Array.from(this.#partsMs, scaled),
      sites: Array.from(this.#sites.values(), ({ id, count, most, entries, exclusiveMs }) => ({
        ...{ id, count: Math.round(scaled(count)), most, entries: Math.round(scaled(entries)) },
        exclusiveMs: scaled(exclusiveMs),
      })),
      runs: Array.from(this.#runs.values(), ({ first, count, totalMs, togetherMs }) => ({
        ...{ first, count: scaled(count), totalMs: scaled(totalMs) },
        togetherMs: scaled(togetherMs),
      })),
    };
  }

  mostOf(site: number, statement: string): number {
    return this.#mosts.get(`${site} ${statement}`) ?? 0;
  }

  #count(site: number, statement: string, times: number): void {
    // Once is what most are: only more is worth the memory.
    if (times < 2) return;
    const key = `${site} ${statement}`;
    this.#mosts.set(key, Math.max(this.#mosts.get(key) ?? 0, times));
  }
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };
