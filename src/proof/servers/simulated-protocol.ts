import type { Column } from './simulated-statements.ts';

// PostgreSQL's protocol, version 3: https://www.postgresql.org/docs/current/protocol-message-formats.html

/** A message of the client after the first: its letter, and what follows the length. */
export interface Message {
  readonly type: string;
  readonly body: Buffer;
}

/** Object ids of the types in pg_type. */
const typeIds = { integer: 23, text: 25, void: 2278 };

/** The state of a connection in the server's message after each answer: idle, or in a transaction. */
export type TransactionState = 'I' | 'T';

/** No message of a benchmark is longer; a client that announces more does not speak PostgreSQL. */
const LONGEST = 1_048_576;

/** Cuts what came in so far into messages; throws when it is none. */
export function createReader() {
  let rest: Buffer = Buffer.alloc(0);
  const take = (bytes: number) => {
    const taken = rest.subarray(0, bytes);
    rest = rest.subarray(bytes);
    return taken;
  };
  const lengthAt = (offset: number) => {
    const length = rest.readInt32BE(offset);
    if (length < 4 || length > LONGEST) throw new Error('not a message of PostgreSQL');
    return length;
  };
  return {
    add(data: Buffer) {
      rest = Buffer.concat([rest, data]);
    },
    /** The first messages have no letter: the code of a request, or of the version. */
    startupCode(): number | undefined {
      if (rest.length < 8 || rest.length < lengthAt(0)) return undefined;
      return take(lengthAt(0)).readInt32BE(4);
    },
    message(): Message | undefined {
      if (rest.length < 5 || rest.length < 1 + lengthAt(1)) return undefined;
      const whole = take(1 + lengthAt(1));
      return { type: String.fromCharCode(whole[0]!), body: whole.subarray(5) };
    },
  };
}

/** The zero-terminated strings at the beginning of a message. */
export function stringsOf(body: Buffer, count: number): readonly string[] {
  return body.toString('utf8').split('\0', count);
}

/** The values of a Bind message, all as text. */
export function boundValues(body: Buffer): readonly string[] {
  let at = 0;
  const skipString = () => {
    at = body.indexOf(0, at) + 1;
  };
  const short = () => body.readInt16BE((at += 2) - 2);
  skipString();
  skipString();
  const formats = short();
  at += 2 * formats;
  return Array.from({ length: short() }, () => {
    const length = body.readInt32BE(at);
    at += 4;
    if (length < 0) return '';
    at += length;
    return body.toString('utf8', at - length, at);
  });
}

const text = (value: string) => Buffer.from(`${value}\0`);
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const int16 = (value: number) => {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
};

function message(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** The server's messages after a login. */
export function welcome(): Buffer {
  const settings = { server_version: '18.4', client_encoding: 'UTF8', DateStyle: 'ISO, MDY' };
  return Buffer.concat([
    message('R', int32(0)),
    ...Object.entries(settings).map(([name, value]) => message('S', text(name), text(value))),
    message('K', int32(process.pid), int32(0)),
    readyForQuery('I'),
  ]);
}

export const readyForQuery = (state: TransactionState) => message('Z', Buffer.from(state));
export const parseComplete = message('1');
export const bindComplete = message('2');
export const closeComplete = message('3');

export function rowDescription(columns: readonly Column[]): Buffer {
  if (columns.length === 0) return message('n');
  const fields = columns.flatMap(({ name, type }) => [
    ...[text(name), int32(0), int16(0)],
    ...[int32(typeIds[type]), int16(-1), int32(-1), int16(0)],
  ]);
  return message('T', int16(columns.length), ...fields);
}

export function dataRow(row: readonly string[]): Buffer {
  const values = row.flatMap((it) => [int32(Buffer.byteLength(it)), Buffer.from(it)]);
  return message('D', int16(row.length), ...values);
}

export const commandComplete = (tag: string) => message('C', text(tag));

export function errorResponse(code: string, said: string): Buffer {
  const fields = ['SERROR', 'VERROR', `C${code}`, `M${said}`];
  return message('E', ...fields.map(text), Buffer.from([0]));
}
