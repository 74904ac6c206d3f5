import { readFileSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import type { Plan } from '../plan.ts';
import { changed, type Loaded } from './loading.ts';
import { Sources } from './sources.ts';

// Node.js 20 loads modules with the hooks of a thread.

let sources: Sources | undefined;
let port: MessagePort | undefined;

export function initialize(data: { readonly planPath: string; readonly port: MessagePort }): void {
  try {
    sources = new Sources(JSON.parse(readFileSync(data.planPath, 'utf8')) as Plan);
    port = data.port;
  } catch {
    // The program runs as it is.
  }
}

export async function load(
  url: string,
  context: unknown,
  next: (url: string, context: unknown) => Promise<Loaded>,
): Promise<Loaded> {
  const loaded = await next(url, context);
  if (!sources) return loaded;
  const result = changed(sources, url, loaded, false);
  for (const it of sources.leftAlone) port?.postMessage(it);
  for (const it of sources.probed) port?.postMessage([it, undefined]);
  sources.leftAlone.clear();
  sources.probed.clear();
  return result;
}
