import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TypeProvider, TypeQuestions } from '../type-memory.ts';
import { startTalking } from '../../system/processes.ts';
import type { PathText, TypeOrder, TypeReply } from './messages.ts';
import { replyFrom } from './reply.ts';

/**
 * The TypeScript of a project, in its own process, which starts with the first question. Loading it runs code of the project:
 * only for trusted projects.
 */
export interface InstalledTypes extends TypeProvider {
  answersTo(
    questions: readonly TypeQuestions[],
    texts?: readonly PathText[],
  ): ReturnType<TypeProvider['answersTo']>;
  /** Files were written, made or removed. */
  changed(paths: readonly string[] | 'all'): void;
  end(): void;
}

export interface TypesOptions {
  /** The reasons for missing answers, each once. */
  onFailure(reason: string): void;
  /** A process that takes longer is ended, and after the second time none is started any more. */
  readonly maximumMs?: number;
  /** A process without questions is stopped. */
  readonly idleMs?: number;
  /** The most that it may hold in its heap, and the compiler that it starts as well; in megabytes. */
  readonly maximumMemoryMb?: number;
  readonly start?: StartTypes;
}

/** A process, or for tests something like it: `onEnd` is called once. */
export type StartTypes = (options: {
  readonly maximumMemoryMb: number;
  onReply(reply: TypeReply): void;
  onEnd(reason: string): void;
}) => RunningTypes;

export interface RunningTypes {
  post(order: TypeOrder): void;
  end(): void;
}

interface Running extends RunningTypes {
  readonly open: Map<number, (reply: TypeReply | undefined) => void>;
}

const FAILURES = 2;

export function installedTypes({
  onFailure,
  maximumMs = 60_000,
  idleMs = 300_000,
  maximumMemoryMb = 1_536,
  start = startProcess,
}: TypesOptions): InstalledTypes {
  const pending = new Pending();
  const tell = onceEach(onFailure);
  let running: Running | undefined;
  let idle: NodeJS.Timeout | undefined;
  let failures = 0;
  let last = 0;

  return {
    async answersTo(questions, texts = []) {
      pending.edit(texts);
      if (questions.length === 0 || failures >= FAILURES) return questions.map(() => []);
      clearTimeout(idle);
      const isNew = !running;
      running ??= started();
      const reply = await asked(running, { ...pending.take({ isNew }), questions });
      restLater();
      for (const it of reply?.failures ?? []) tell(it);
      return questions.map((_, i) => reply?.answers[i] ?? []);
    },
    changed: (paths) => pending.change(paths),
    end,
  };

  function started(): Running {
    const open: Running['open'] = new Map();
    const begun = start({
      maximumMemoryMb,
      onReply(reply) {
        if (running !== it) return;
        const settle = open.get(reply.id);
        open.delete(reply.id);
        if (settle) settle(reply);
        else failed('the type checker sends an answer without a question');
      },
      onEnd(reason) {
        if (running === it) failed(reason);
      },
    });
    const it: Running = { ...begun, open };
    return it;
  }

  function asked(to: Running, order: Omit<TypeOrder, 'id'>): Promise<TypeReply | undefined> {
    const id = ++last;
    return new Promise((settle) => {
      const slow = setTimeout(() => {
        if (running === to) failed(`no answer within ${maximumMs / 1000} s`);
      }, maximumMs);
      to.open.set(id, (reply) => {
        clearTimeout(slow);
        settle(reply);
      });
      to.post({ id, ...order });
    });
  }

  function failed(reason: string): void {
    failures++;
    tell(reason);
    end();
  }

  function end(): void {
    clearTimeout(idle);
    const it = running;
    running = undefined;
    it?.end();
    for (const settle of it?.open.values() ?? []) settle(undefined);
  }

  function restLater(): void {
    clearTimeout(idle);
    idle = setTimeout(() => {
      if (running?.open.size === 0) end();
    }, idleMs);
    idle.unref();
  }
}

/** The messages that the process has not got yet. */
class Pending {
  /** All that a restarted one needs. */
  readonly #unsaved = new Map<string, string>();
  readonly #edits = new Map<string, string | undefined>();
  #changed: readonly string[] | 'all' = [];

  edit(texts: readonly PathText[]): void {
    for (const [path, text] of texts) {
      this.#edits.set(path, text);
      if (text === undefined) this.#unsaved.delete(path);
      else this.#unsaved.set(path, text);
    }
  }

  change(paths: readonly string[] | 'all'): void {
    const all = paths === 'all' || this.#changed === 'all';
    this.#changed = all ? 'all' : [...this.#changed, ...paths];
  }

  /** For a process, which has it from then on. */
  take({ isNew }: { readonly isNew: boolean }): Pick<TypeOrder, 'texts' | 'changed'> {
    const texts = [...(isNew ? this.#unsaved : this.#edits)];
    const changed = this.#changed;
    this.#edits.clear();
    this.#changed = [];
    return { texts, changed };
  }
}

/** Reasons for a person; a project can have one for each of its files. */
const MOST_TOLD = 10;

/** Reports each reason once, and at most so many. */
function onceEach(report: (reason: string) => void): (reason: string) => void {
  const told = new Set<string>();
  return (reason) => {
    if (told.has(reason) || told.size > MOST_TOLD) return;
    told.add(reason);
    report(told.size > MOST_TOLD ? 'there are more reasons, which are omitted' : reason);
  };
}

/** A reply has some bytes for each expression that is asked about. */
const MOST_CHARACTERS = 1 << 26;

/** Its module is the same file in the sources and in the build, where it is next to cli.js. */
const startProcess: StartTypes = ({ maximumMemoryMb, onReply, onEnd }) => {
  const url = import.meta.url;
  const module = fileURLToPath(new URL(`./type-process${extname(new URL(url).pathname)}`, url));
  const { send, end } = startTalking(module, {
    nodeOptions: [`--max-old-space-size=${maximumMemoryMb}`],
    environment: { GOMEMLIMIT: `${maximumMemoryMb}MiB` },
    mostCharacters: MOST_CHARACTERS,
    onLine(line) {
      const reply = replyFrom(line);
      if (reply) onReply(reply);
      else onEnd('the type checker sends an invalid answer');
    },
    onEnd: (reason) => onEnd(`the type checker has ended. ${reason}`),
  });
  return { post: (order) => send(JSON.stringify(order)), end };
};
