import type { Random } from './random.ts';

/** How a program is written and started. */
export type Form = 'esm' | 'commonjs' | 'tsx' | 'stripped';

/** A wait that the generated program has. */
export interface Wait {
  readonly id: number;
  /** The expression that starts it. */
  readonly text: string;
}

/** An await of which the truth is determined by the waits that it awaits. */
export interface TrueSite {
  readonly shape: string;
  /** Negative: the checkout in front of the statement of that number. */
  readonly ids: readonly number[];
  /** Of several, the last one ends it, or the first one. */
  readonly settles: 'last' | 'first';
  /** It begins at the end of this wait, where that comes later than the start of its own. */
  readonly after?: number;
  /** How often each of its waits begins for one await. */
  readonly times: number;
}

export interface Answer {
  readonly ms: number;
  readonly fails: boolean;
}

/** The two files of a program. */
export type FileName = 'main' | 'lib';

/** Writes the parts of a program, and notes the truth of each await. */
export class Writer {
  readonly random: Random;
  readonly isTyped: boolean;
  readonly sites: TrueSite[] = [];
  readonly answers: Record<number, Answer> = {};
  readonly top: Readonly<Record<FileName, string[]>> = { main: [], lib: [] };
  /** What `lib` exports for `main`. */
  readonly exported: string[] = ['pool', 'sleep', 'rested', 'limited'];
  shape = '';
  /** That of the functions of a shape, which call each other. */
  file: FileName = 'lib';
  #lastId = 0;
  #lastName = 0;

  constructor(random: Random, isTyped: boolean) {
    this.random = random;
    this.isTyped = isTyped;
  }

  /** A pause of a literal time. */
  sleep(least = 8, most = 22): Wait {
    const { id, fraction } = this.pause();
    return { id, text: `sleep(${this.random.between(least, most)}${fraction})` };
  }

  /** The number of a pause, as the fraction of its time in ms: `.017`. */
  pause(): { readonly id: number; readonly fraction: string } {
    const id = ++this.#lastId;
    return { id, fraction: `.${String(id).padStart(3, '0')}` };
  }

  /** A statement on the pool, or on a client of it. */
  statement({ on = 'pool', ms = this.random.between(6, 18), fails = false } = {}): Wait {
    const id = this.answer(ms, fails);
    return { id, text: `${on}.query('SELECT n FROM t${id} WHERE id = $1', [${id}])` };
  }

  request(): Wait {
    const id = this.answer(this.random.between(8, 20), false);
    return { id, text: `fetch('https://prices.example/v1/${id}')` };
  }

  answer(ms: number, fails: boolean): number {
    const id = ++this.#lastId;
    this.answers[id] = { ms, fails };
    return id;
  }

  /** Marks the line of the await that follows. */
  at(
    waits: Wait | number | readonly (Wait | number)[],
    { settles = 'last', times = 1, after }: Partial<Omit<TrueSite, 'ids' | 'shape'>> = {},
  ): string {
    const ids = [waits].flat().map((it) => (typeof it === 'number' ? it : (it as Wait).id));
    const rest = { settles, times, ...(after !== undefined && { after }) };
    this.sites.push({ shape: this.shape, ids, ...rest });
    return `«${this.sites.length - 1}»`;
  }

  /** `await` of one wait. */
  awaited(wait: Wait): string {
    return `${this.at(wait)}await ${wait.text}`;
  }

  /** A name that the program has once. */
  name(of: string): string {
    return `${of}${++this.#lastName}`;
  }

  /** Declares what has this name, in one of the files. */
  declare(name: string, lines: readonly string[], file = this.file): void {
    this.top[file].push(...lines, '');
    if (file === 'lib') this.exported.push(name);
  }

  /** A function around some lines; its result is the call of it. */
  helper(lines: readonly string[], name = this.name('load')): string {
    this.declare(name, [`async function ${name}() {`, ...lines.map((it) => `  ${it}`), '}']);
    return `${name}()`;
  }

  /** An annotation, in TypeScript only. */
  type(of: string): string {
    return this.isTyped ? `: ${of}` : '';
  }
}
