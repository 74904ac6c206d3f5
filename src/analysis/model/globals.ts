import { each } from './members.ts';
import { bodyMembers, receivedBody } from './bodies.ts';
import type { Library } from './schema.ts';

/** The globals of Node.js and Bun. */
export const globals: Library = {
  name: 'node',
  modules: [],
  verifiedWith: '20.20.2',
  ambient: ['Response', 'Request'],
  exports: {
    fetch: {
      returns: 'Promise<Response>',
      acquires: 'body',
      effect: { env: 'http', op: 'method' },
    },
    Bun: { type: 'bun.Namespace' },
    HTMLRewriter: { construct: { returns: '@cloudflare/workers-types.HTMLRewriter' } },
    caches: { type: '@cloudflare/workers-types.CacheStorage' },
  },
  types: {
    Request: {
      members: {
        ...receivedBody,
        ...each('bytes', receivedBody.json!),
        clone: { returns: 'this' },
      },
    },
    Response: {
      members: {
        // The body is on its way: the wait was the request's.
        ...each('json text arrayBuffer blob bytes formData', {
          returns: 'Promise<any>',
          effect: { env: 'http', op: 'read', memo: true },
          body: 'reads',
        }),
        ...bodyMembers,
        body: { type: 'Body', body: 'part' },
        ...each('ok status statusText headers url redirected', { body: 'tells' }),
      },
    },
    Body: {
      // Nobody waits for what is no longer wanted.
      members: {
        cancel: { returns: 'Promise<void>', effect: { env: 'http', op: 'read', memo: true } },
      },
    },
  },
};

/** Names that JavaScript and Node.js have given something of their own: no program puts its pool there. */
export const builtInNames: ReadonlySet<string> = new Set(
  [
    'AbortController AbortSignal AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Blob Boolean',
    'BroadcastChannel Buffer Crypto CryptoKey CustomEvent DOMException DataView Date Error EvalError Event EventTarget File',
    'FinalizationRegistry Float32Array Float64Array FormData Function Headers Int16Array Int32Array Int8Array Intl Iterator',
    'JSON Map Math MessageChannel Number Object Performance PerformanceObserver Promise Proxy RangeError ReadableStream',
    'ReferenceError Reflect RegExp Request Response Set SharedArrayBuffer String Symbol SyntaxError TextDecoder',
    'TextEncoder TransformStream TypeError URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array',
    'Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly WebSocket WritableStream atob btoa clearImmediate clearInterval',
    'clearTimeout console crypto decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval fetch isFinite isNaN',
    'parseFloat parseInt performance process queueMicrotask require setImmediate setInterval setTimeout structuredClone',
    'unescape',
  ].flatMap((it) => it.split(' ')),
);
