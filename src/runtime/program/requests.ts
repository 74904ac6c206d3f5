import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Histogram } from '../histogram.ts';
import type { Entry } from './entry.ts';
import type { Recorder } from './recorder.ts';

interface Message {
  readonly request: IncomingMessage & {
    /** Of frameworks on `node:http`: the pattern that has matched, and where its router is mounted. */
    readonly route?: { readonly path?: unknown };
    readonly baseUrl?: unknown;
  };
  readonly response: ServerResponse;
}

/** Each request of a server of `node:http`, and so of the frameworks on it, is an entry from its head to the end of its response. */
export class Requests {
  readonly #recorder: Recorder;
  readonly #open = new Map<Message['request'], Entry>();
  /** From the end of a response to the next request of its connection: of a client that waits for each answer, its own time. */
  readonly between = new Histogram();
  /** By connection, when its last response ended. */
  readonly #answeredMs = new WeakMap<object, number>();

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** `enter` makes the entry that of the code that handles the request. */
  listen(enter: (entry: Entry) => void): void {
    subscribe('http.server.request.start', (message) => {
      const { request, response } = message as Message;
      const answeredMs = this.#answeredMs.get(request.socket);
      if (answeredMs !== undefined)
        this.between.add(Math.max(0, this.#recorder.clock.now() - answeredMs));
      const entry = this.#recorder.beginRequest();
      if (!entry) return;
      this.#open.set(request, entry);
      // It follows the end of a response, too.
      response.once('close', () => {
        this.#open.delete(request);
        const isAborted = !response.writableFinished;
        this.#recorder.endEntry(entry, { name: nameOf(request), isAborted });
      });
      enter(entry);
    });
    subscribe('http.server.response.finish', (message) => {
      const { request } = message as Message;
      this.#answeredMs.set(request.socket, this.#recorder.clock.now());
      if (!this.#open.has(request)) this.#recorder.kinds.count(nameOf(request));
    });
  }

  /** The names of those that go on and are measured. */
  names(): ReadonlyMap<Entry, string> {
    return new Map(Array.from(this.#open, ([request, entry]) => [entry, nameOf(request)]));
  }
}

/** `GET /orders/:id`. */
function nameOf({ method = '', url = '', route, baseUrl }: Message['request']): string {
  const pattern = route?.path;
  const path =
    typeof pattern === 'string'
      ? `${typeof baseUrl === 'string' ? folded(baseUrl) : ''}${pattern}`
      : folded(url);
  return `${method} ${path || '/'}`;
}

/** Paths of different text are remembered up to this number; after that, each costs its folding again. */
const MOST_KNOWN = 1_000;

const known = new Map<string, string>();

/** Without a query, and without what identifies one thing: numbers, keys, long names, mail addresses. */
function folded(url: string): string {
  const cached = known.get(url);
  if (cached !== undefined) return cached;
  const path = url
    .split(/[?#]/, 1)[0]!
    .split('/')
    .slice(0, 12)
    .map((it) => (isIdentifier(it) ? ':id' : it))
    .join('/');
  if (known.size < MOST_KNOWN) known.set(url, path);
  return path;
}

function isIdentifier(segment: string): boolean {
  if (/^v\d{1,2}$/.test(segment)) return false;
  return segment.length > 40 || /\d|[@%=]/.test(segment);
}
