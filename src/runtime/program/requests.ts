import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
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
  readonly #names = new WeakMap<Entry, Message['request']>();
  readonly #entries = new WeakMap<IncomingMessage, Entry>();

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** `enter` makes the entry that of the code that handles the request. */
  listen(enter: (entry: Entry) => void): void {
    subscribe('http.server.request.start', (message) => {
      const { request, response } = message as Message;
      const entry = this.#recorder.beginEntry();
      this.#entries.set(request, entry);
      this.#names.set(entry, request);
      response.once('close', () => this.#end(request, true));
      enter(entry);
    });
    subscribe('http.server.response.finish', (message) =>
      this.#end((message as Message).request, false),
    );
  }

  nameOf(entry: Entry): string | undefined {
    const request = this.#names.get(entry);
    return request && nameOf(request);
  }

  #end(request: Message['request'], isAborted: boolean): void {
    const entry = this.#entries.get(request);
    if (entry) this.#recorder.endEntry(entry, { name: nameOf(request), isAborted });
  }
}

/** `GET /orders/:id`. */
function nameOf({ method = '', url = '', route, baseUrl }: Message['request']): string {
  const pattern = route?.path;
  const path =
    typeof pattern === 'string'
      ? `${typeof baseUrl === 'string' ? folded(baseUrl) : ''}${pattern}`
      : folded(url.split(/[?#]/, 1)[0]!);
  return `${method} ${path || '/'}`;
}

/** Without what identifies one thing: numbers, keys, long names, mail addresses. */
function folded(path: string): string {
  return path
    .split('/')
    .slice(0, 12)
    .map((it) => (isIdentifier(it) ? ':id' : it))
    .join('/');
}

function isIdentifier(segment: string): boolean {
  if (/^v\d{1,2}$/.test(segment)) return false;
  return segment.length > 40 || /\d|[@%=]/.test(segment);
}
