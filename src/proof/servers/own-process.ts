import { extname } from 'node:path';
import { startModule } from '../../system/processes.ts';

/** One of our own processes, which answers each message with one, and ends when its channel closes: with us at the latest. */
export interface OwnProcess<Message extends string | object, Report> {
  /** The answer to a message; undefined when the process has ended. */
  ask(message: Message): Promise<Report | undefined>;
  /** From now on it does not keep this process alive. */
  release(): void;
  /** Settles when it has ended by itself. */
  end(): Promise<void>;
}

/** Its module is the same file in the sources and in the build, where it is next to cli.js. */
export function startOwnProcess<Message extends string | object, Report>(
  name: 'keeper' | 'delay-proxy',
  options: { readonly detached?: boolean } = {},
): OwnProcess<Message, Report> {
  const extension = extname(new URL(import.meta.url).pathname);
  const child = startModule(new URL(`./${name}${extension}`, import.meta.url), options);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    // It could not be started; what comes later has a callback of its own.
    child.on('error', () => {
      if (child.pid === undefined) resolve();
    });
  });
  return {
    async ask(message) {
      child.channel?.ref();
      const answer = new Promise<Report>((resolve) => child.once('message', resolve));
      if (child.connected) child.send(message, () => {});
      return Promise.race([answer, ended.then(() => undefined)]);
    },
    release() {
      child.unref();
      child.channel?.unref();
    },
    async end() {
      child.ref();
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
