import type { Source } from '../source.ts';

/** `from 'node:fs'`, `require("http")`: no browser has that. */
const BUILT_IN =
  /['"](?:node:[\w/]+|(?:assert|async_hooks|buffer|child_process|cluster|crypto|dgram|dns|events|fs|https?|http2|net|os|path|perf_hooks|process|readline|stream|timers|tls|url|util|v8|vm|worker_threads|zlib)(?:\/[\w/]+)?)['"]/;

/** Whether only browsers run the file: its package is made for them, and it asks for nothing of Node's. */
export function isForBrowsersAlone({
  path,
  text,
  modules,
}: Pick<Source, 'path' | 'text' | 'modules'>): boolean {
  return modules?.runsInBrowsers(path) === true && !BUILT_IN.test(text);
}
