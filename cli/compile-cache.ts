import module from 'node:module';
import { join } from 'node:path';
import { userCacheFolder } from '../benchmarks/servers/folders.ts';

/** Lets the next run find our code compiled: reading it is half of what a short command does. Node 20 has no such cache. */
export function keepCompiled(): void {
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => void };
  enableCompileCache?.(join(userCacheFolder(), 'compiled'));
}
