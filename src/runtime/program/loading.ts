import { Module, register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import type { DriverPlan } from '../plan.ts';
import type { LeftAloneReason } from '../raw.ts';
import { changeRead } from './reading.ts';
import type { Sources } from './sources.ts';

/** What a hook of Node.js gets and returns. */
export interface Loaded {
  readonly format?: string | null | undefined;
  readonly source?: string | ArrayBuffer | Uint8Array | null | undefined;
}

type Load = (
  url: string,
  context: unknown,
  next: (url: string, context: unknown) => Loaded,
) => Loaded;

interface Compiling {
  _compile(this: { exports: unknown }, content: string, path: string, ...rest: unknown[]): unknown;
}

/** What a file of a driver exports. */
type OnDriver = (exported: unknown, driver: DriverPlan) => void;

/**
 * Changes the modules that the program loads from now on. `onDriver` is called with what a driver exports. The result asks a
 * thread of hooks which files run with probes, and which without.
 */
export function changeModules(sources: Sources, onDriver: OnDriver, planPath: string): () => void {
  Object.defineProperty(globalThis, HANDS_OVER, {
    value: (exported: unknown, path: string) => handOver(sources, onDriver, { exported, path }),
  });
  const { registerHooks } = Module as unknown as {
    readonly registerHooks?: (hooks: { readonly load: Load }) => void;
  };
  const hasRead = changeRead(sources);
  changeCompiled(sources, onDriver, { hasThread: !registerHooks, hasRead });
  if (registerHooks) {
    const isSound = givesSources(process.versions.node);
    registerHooks({
      load: (url, context, next) => changed(sources, url, next(url, context), isSound),
    });
    return () => {};
  }
  const { port1, port2 } = new MessageChannel();
  register('./loader-thread.js', import.meta.url, {
    data: { planPath, port: port2 },
    transferList: [port2],
  });
  return () => {
    for (let it = receiveMessageOnPort(port1); it; it = receiveMessageOnPort(port1)) {
      const [path, reason] = it.message as [string, LeftAloneReason | undefined];
      sources.note(path, reason);
    }
  };
}

/** What a hook returns for a module of the program. */
export function changed(
  sources: Sources,
  url: string,
  loaded: Loaded,
  changesCommonJs: boolean,
): Loaded {
  const { source, format } = loaded;
  if (source === null || source === undefined || !url.startsWith('file:')) return loaded;
  if (!changesCommonJs && format?.startsWith('commonjs')) return loaded;
  try {
    const path = fileURLToPath(url);
    const isDriver = format === 'module' && sources.driverAt(path) !== undefined;
    if (!isDriver && !sources.has(path)) return loaded;
    const text =
      typeof source === 'string' ? source : new TextDecoder('utf-8', KEEPING).decode(source);
    const result = isDriver ? handingOver(text, url, path) : sources.textFor(path, text);
    return result === undefined ? loaded : { ...loaded, source: result };
  } catch {
    // The program runs as it is.
    return loaded;
  }
}

const KEEPING = { ignoreBOM: true };

/** The global function that gets what an ES module of a driver exports. */
const HANDS_OVER = '__deadtime_driver';

/**
 * An ES module may import itself, and no other text sees its classes before the program does: whichever thread loads it, it hands
 * them over where it is evaluated.
 */
function handingOver(text: string, url: string, path: string): string {
  return `${text}\nimport * as ${HANDS_OVER}_self from ${JSON.stringify(url)};globalThis.${HANDS_OVER}?.(${HANDS_OVER}_self,${JSON.stringify(path)});`;
}

function handOver(
  sources: Sources,
  onDriver: OnDriver,
  { exported, path }: { readonly exported: unknown; readonly path: string },
): void {
  tried(() => {
    const driver = sources.driverAt(path);
    if (driver) onDriver(exported, driver);
  });
}

/** `require()` compiles what it loads with a method of modules. */
function changeCompiled(
  sources: Sources,
  onDriver: OnDriver,
  { hasThread, hasRead }: { readonly hasThread: boolean; hasRead(): void },
): void {
  const modules = Module.prototype as unknown as Compiling;
  const original = modules._compile;
  modules._compile = function (content, path, ...rest) {
    hasRead();
    const text = tried(() => sources.textFor(path, content)) ?? content;
    if (hasThread && rest[0] === 'module') tried(() => sources.required(path, content));
    const result = original.call(this, text, path, ...rest);
    handOver(sources, onDriver, { exported: this.exports, path });
    return result;
  };
}

function tried<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    // The program runs as it is.
    return undefined;
  }
}

/** Whether a changed source of a CommonJS module has the module's own `require`. */
function givesSources(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const since = SOUND.find(([it]) => it === major);
  if (!since) return major > 25;
  return minor > since[1] || (minor === since[1] && patch >= since[2]);
}

const SOUND: readonly (readonly [major: number, minor: number, patch: number])[] = [
  [22, 22, 3],
  [24, 11, 1],
  [25, 1, 0],
];
