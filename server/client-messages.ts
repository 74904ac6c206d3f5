import type { Readable } from 'node:stream';
import {
  type DataCallback,
  Emitter,
  ErrorCodes,
  type Message,
  type MessageReader,
  type MessageWriter,
  type PartialMessageInfo,
} from 'vscode-languageserver/node';

export interface ClientOptions {
  /** Where refusals go. */
  readonly writer: MessageWriter;
  /** The rest of the stream is unusable, because the start of the next message cannot be found. */
  onBroken(reason: string): void;
  onEnd(options: { readonly isShutDown: boolean }): void;
}

/** Longer ones come from no client. */
const MOST_HEADER_BYTES = 8_192;
/** Half of what V8 holds in one text. */
const MOST_BODY_BYTES = 2 ** 28;

/**
 * The messages of a client. The reader of the library ignores malformed messages and accepts them in any order; this one
 * answers each message that the server cannot process.
 */
export function clientMessages(input: Readable, options: ClientOptions): MessageReader {
  const { writer, onBroken, onEnd } = options;
  const errors = new Emitter<Error>();
  const closes = new Emitter<void>();
  const partials = new Emitter<PartialMessageInfo>();
  const order = messageOrder();
  const refuse = (id: Id, code: number, message: string) => {
    const response = { jsonrpc: '2.0', id, error: { code, message } };
    // A client that has gone reads none: its end comes by itself.
    writer.write(response as Message).catch(() => {});
  };

  const take = (body: string, callback: DataCallback) => {
    const message = messageIn(body);
    if (typeof message === 'string') {
      const code = message === NO_JSON ? ErrorCodes.ParseError : ErrorCodes.InvalidRequest;
      return refuse(null, code, message);
    }
    const refusal = order.refusalOf(message);
    if (!refusal) return callback(message as Message);
    if (message.id !== undefined) refuse(message.id, refusal.code, refusal.message);
  };
  const end = () => onEnd({ isShutDown: order.isShutDown() });
  return {
    ...{ onError: errors.event, onClose: closes.event, onPartialMessage: partials.event },
    listen(callback) {
      const onData = framesTo(
        (body) => take(body, callback),
        (reason) => {
          input.off('data', onData);
          onBroken(reason);
        },
      );
      input.on('data', onData);
      for (const event of ['end', 'close']) input.once(event, end);
      return { dispose: () => void input.off('data', onData) };
    },
    dispose() {
      for (const it of [errors, closes, partials]) it.dispose();
    },
  };
}

type Id = string | number | null;

interface Received {
  readonly id?: Id;
  readonly method?: string;
}

const NO_JSON = 'The message is not JSON.';
const NO_MESSAGE = 'The message is neither a request, nor a notification, nor a response.';

/** Or why it is none. */
function messageIn(body: string): Received | typeof NO_JSON | typeof NO_MESSAGE {
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch {
    return NO_JSON;
  }
  if (typeof message !== 'object' || message === null) return NO_MESSAGE;
  const isRequest = 'method' in message && typeof message.method === 'string';
  const isResponse = 'id' in message && ('result' in message || 'error' in message);
  return isRequest || isResponse ? message : NO_MESSAGE;
}

/** The protocol starts with `initialize`, and ends with `shutdown` and `exit`. */
function messageOrder() {
  let state: 'new' | 'initialized' | 'shut down' = 'new';
  return {
    isShutDown: () => state === 'shut down',
    refusalOf({ method }: Received) {
      if (method === undefined || method === 'exit') return undefined;
      if (state === 'shut down') {
        return { code: ErrorCodes.InvalidRequest, message: 'The server is shutting down.' };
      }
      if (method === 'initialize') {
        if (state === 'initialized') {
          return { code: ErrorCodes.InvalidRequest, message: 'initialize was sent before.' };
        }
        state = 'initialized';
      } else if (state === 'new') {
        return { code: ErrorCodes.ServerNotInitialized, message: 'Send initialize first.' };
      }
      if (method === 'shutdown') state = 'shut down';
      return undefined;
    },
  };
}

/** Puts pieces of a stream together to the bodies of messages. */
function framesTo(
  onBody: (body: string) => void,
  onBroken: (reason: string) => void,
): (piece: Buffer) => void {
  let pieces: Buffer[] = [];
  let size = 0;
  let length: number | undefined;
  const taken = (count: number, skipped = 0) => {
    const all = Buffer.concat(pieces);
    pieces = [all.subarray(count + skipped)];
    size -= count + skipped;
    return all.toString('utf8', 0, count);
  };
  return (piece) => {
    pieces.push(piece);
    size += piece.length;
    for (;;) {
      if (length === undefined) {
        const header = Buffer.concat(pieces).subarray(0, MOST_HEADER_BYTES).indexOf('\r\n\r\n');
        if (header === -1) {
          if (size > MOST_HEADER_BYTES) onBroken('a message starts without a header');
          return;
        }
        const text = taken(header, 4);
        length = lengthIn(text);
        if (length === undefined)
          return onBroken(
            `the header of a message is ${JSON.stringify(text)}: it has no Content-Length from 0 to ${MOST_BODY_BYTES}`,
          );
      }
      if (size < length) return;
      const body = taken(length);
      length = undefined;
      onBody(body);
    }
  };
}

function lengthIn(header: string): number | undefined {
  const lines = header.split('\r\n').map((it) => it.split(':'));
  const value = lines
    .find(([name]) => name?.trim().toLowerCase() === 'content-length')?.[1]
    ?.trim();
  const length = value !== undefined && /^\d{1,10}$/.test(value) ? Number(value) : Infinity;
  return length <= MOST_BODY_BYTES ? length : undefined;
}
