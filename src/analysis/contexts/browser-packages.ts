import type { Source } from '../file/source.ts';

/** `from 'node:fs'`, `require("http")`: no browser has that. */
const BUILT_IN =
  /['"](?:node:[\w/]+|(?:assert|async_hooks|buffer|child_process|cluster|crypto|dgram|dns|events|fs|https?|http2|net|os|path|perf_hooks|process|readline|stream|timers|tls|url|util|v8|vm|worker_threads|zlib)(?:\/[\w/]+)?)['"]/;

/** What only the programs of servers are given; builds put the variables that begin so into pages. */
const SECRET =
  /\bprocess\.env\b(?!(?:\.|\[['"])(?:(?:REACT_APP|VUE_APP|VITE|PUBLIC|NEXT_PUBLIC|EXPO_PUBLIC|GATSBY|STORYBOOK)_|NODE_ENV|PUBLIC_URL|BASE_URL|CI\b))|\b(?:Deno|Bun)\./;

/** Whether only browsers run the file: its package is made for them, and it asks for nothing that they do not have. */
export function isForBrowsersAlone({
  path,
  text,
  modules,
}: Pick<Source, 'path' | 'text' | 'modules'>): boolean {
  return modules?.runsInBrowsers(path) === true && !BUILT_IN.test(text) && !SECRET.test(text);
}
