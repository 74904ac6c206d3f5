import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type DriverPlan, keyOfText, type Plan, type PlannedFile } from '../plan.ts';
import type { LeftAloneReason } from '../raw.ts';
import { rewritten } from './rewrite.ts';

/** The texts of a program that are changed while it loads them. */
export class Sources {
  readonly #files: ReadonlyMap<string, PlannedFile>;
  readonly #drivers: ReadonlyMap<string, DriverPlan>;
  /** The files that run without probes. */
  readonly leftAlone = new Map<string, LeftAloneReason>();
  /** Those that run with probes. */
  readonly probed = new Set<string>();

  constructor({ files, drivers }: Pick<Plan, 'files' | 'drivers'>) {
    this.#files = new Map(files.map((it) => [it.path, it]));
    this.#drivers = new Map(drivers.map((it) => [it.file, it]));
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  /** With its probes; undefined where the text stays as it is. */
  textFor(path: string, text: string): string | undefined {
    const file = this.#files.get(path);
    // A hashbang and a byte order mark are part of the text, as they were for the scan.
    if (!file || file.probes.frames.length + file.probes.pools.length === 0) return undefined;
    if (file.probes.text === keyOfText(text, crc32)) {
      const result = rewritten(text, file);
      this.note(path, result === undefined ? 'failed' : undefined);
      return result;
    }
    if (!text.includes('__deadtime_')) this.note(path, reasonFor(text));
    return undefined;
  }

  /** `reason`: why a file runs without probes; undefined where it has them. */
  note(path: string, reason: LeftAloneReason | undefined): void {
    if (reason !== undefined) this.leftAlone.set(path, reason);
    else {
      this.leftAlone.delete(path);
      this.probed.add(path);
    }
  }

  /** An ES module that `require()` loads: what it imports gets no probes where hooks run in a thread. */
  required(path: string, text: string): void {
    for (const [, specifier = ''] of text.matchAll(IMPORTS)) {
      const imported = realPath(join(dirname(path), specifier));
      if (imported === undefined || !this.has(imported) || this.leftAlone.has(imported)) continue;
      this.leftAlone.set(imported, 'required');
      this.required(imported, readFileSync(imported, 'utf8'));
    }
  }

  /** The numbers of the sites in a file. */
  sitesOf(path: string): readonly number[] {
    const file = this.#files.get(path);
    return file ? file.probes.sites.map((_, i) => file.firstSite + i) : [];
  }

  /** The driver whose classes this file has. */
  driverAt(path: string): DriverPlan | undefined {
    const file = path.replaceAll('\\', '/');
    const end = file.lastIndexOf(PACKAGES);
    return end === -1 ? undefined : this.#drivers.get(file.slice(end + PACKAGES.length));
  }
}

/** `import { a } from './a.js'`, `export * from './a.js'`, `import './a.js'`. */
const IMPORTS = /^[ \t]*(?:import|export|\})[^'"\n;]*['"](\.{1,2}\/[^'"\n]+)['"]/gm;

function realPath(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? realpathSync(path) : undefined;
}
const PACKAGES = '/node_modules/';

/** A text that a loader has generated contains, or names, its source map. */
function reasonFor(text: string): LeftAloneReason {
  return /\/\/[#@] sourceMappingURL=/.test(text.slice(-200_000)) ? 'generated' : 'changed';
}
