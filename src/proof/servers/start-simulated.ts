import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Ready } from './keeper-messages.ts';
import * as protocol from './simulated-protocol.ts';
import { statementOf } from './simulated-statements.ts';

/** As of the real servers that are started here. */
const MAX_CONNECTIONS = 220;

const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const VERSION_3 = 196_608;

/**
 * A server with PostgreSQL's protocol that can wait: enough for benchmarks whose cost is waiting, where no PostgreSQL runs. It
 * keeps no data, flushes nothing, and starts no process for a connection.
 */
export async function startSimulated(): Promise<Ready> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    const hasRoom = sockets.size < MAX_CONNECTIONS;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    serve(socket, { hasRoom });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    label: 'simulated server',
    dataFolder: undefined,
    isOnDisk: false,
    async stop() {
      for (const it of sockets) it.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function serve(socket: Socket, { hasRoom }: { readonly hasRoom: boolean }): void {
  const reader = protocol.createReader();
  const session = createSession(socket);
  let hasStarted = false;
  let isBusy = false;

  const greet = () => {
    for (let code = reader.startupCode(); code !== undefined; code = reader.startupCode()) {
      // No encryption: the client goes on in the clear.
      if (code === SSL_REQUEST || code === GSS_REQUEST) socket.write('N');
      else if (code !== VERSION_3) socket.destroy();
      else if (!hasRoom)
        socket.end(protocol.errorResponse('53300', 'sorry, too many clients already'));
      else {
        hasStarted = true;
        socket.write(protocol.welcome());
        return;
      }
    }
  };
  const work = async () => {
    if (!hasStarted) greet();
    if (!hasStarted || isBusy) return;
    isBusy = true;
    for (let it = reader.message(); it; it = reader.message()) await session(it);
    isBusy = false;
  };
  socket.on('data', (data) => {
    reader.add(data);
    // The sender of anything but PostgreSQL messages waits for no answer.
    work().catch(() => socket.destroy());
  });
}

/** One connection's messages, sequentially: a statement that waits delays those behind it. */
function createSession(socket: Socket) {
  const prepared = new Map<string, string>();
  const conversation = createConversation(socket);
  const { say, describe, execute, sync } = conversation;
  let portal: Portal = { text: '', values: [] };

  return async ({ type, body }: protocol.Message): Promise<void> => {
    // After an error all is skipped up to Sync.
    if (conversation.hasFailed() && type !== 'S') return;
    const [first = '', second = ''] = protocol.stringsOf(body, 2);
    switch (type) {
      case 'Q':
        describe(first);
        if (!conversation.hasFailed()) await execute({ text: first, values: [] });
        return sync();
      case 'P':
        prepared.set(first, second);
        return say(protocol.parseComplete);
      case 'B':
        portal = { text: prepared.get(second) ?? '', values: protocol.boundValues(body) };
        return say(protocol.bindComplete);
      case 'D':
        // Of a portal: `pg` asks for no other.
        return describe(portal.text);
      case 'E':
        return execute(portal);
      case 'C':
        return say(protocol.closeComplete);
      case 'S':
        return sync();
      case 'X':
        socket.end();
    }
  };
}

/** A statement with its values. */
interface Portal {
  readonly text: string;
  readonly values: readonly string[];
}

/** The message of the server at the end of an answer, as in PostgreSQL. */
function createConversation(socket: Socket) {
  let unsent: readonly Buffer[] = [];
  let state: protocol.TransactionState = 'I';
  let hasFailed = false;

  const say = (it: Buffer) => {
    unsent = [...unsent, it];
  };
  const fail = (text: string) => {
    hasFailed = true;
    const said = `the simulated server does not support "${text.slice(0, 80)}"; that needs PostgreSQL`;
    say(protocol.errorResponse('0A000', said));
  };
  return {
    say,
    hasFailed: () => hasFailed,
    describe(text: string): void {
      const statement = statementOf(text);
      if (statement) say(protocol.rowDescription(statement.columns));
      else fail(text);
    },
    async execute({ text, values }: Portal): Promise<void> {
      const statement = statementOf(text);
      if (!statement) return fail(text);
      const { columns, tag } = statement;
      const waitMs = statement.waitMs(values);
      if (waitMs > 0) await delay(waitMs);
      if (columns.length > 0) say(protocol.dataRow(columns.map((it) => it.value(values))));
      else state = tag === 'BEGIN' ? 'T' : 'I';
      say(protocol.commandComplete(tag));
    },
    sync(): void {
      hasFailed = false;
      socket.write(Buffer.concat([...unsent, protocol.readyForQuery(state)]));
      unsent = [];
    },
  };
}
