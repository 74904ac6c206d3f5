import { createHash } from 'node:crypto';
import type { ExternalDependency } from '../../engine/dependencies.ts';
import type { Files } from '../../project/files.ts';

/** What src/project/observer.ts notes is a disk's, with times and inodes; these files may come from git. */
export interface Answer {
  readonly dependency: Asked;
  /** Of what was answered; undefined where there was nothing. */
  readonly digest?: string | undefined;
}

type Asked = Extract<ExternalDependency, { readonly kind: keyof typeof questions }>;

const questions = {
  document: 'read',
  folder: 'list',
  link: 'real',
  presence: 'stamp',
  program: 'run',
} as const satisfies Partial<Record<ExternalDependency['kind'], keyof Files>>;

/** The same files, and what they have answered so far. */
export interface Recorded {
  readonly files: Files;
  answers(): readonly Answer[];
}

export function recorded(files: Files): Recorded {
  const answers = new Map<string, Answer>();
  const noted = <T>(kind: Asked['kind'], path: string, answer: T): T => {
    const digest = digestOf(kind, answer);
    answers.set(`${kind} ${path}`, { dependency: { kind, path }, digest });
    return answer;
  };
  return {
    files: {
      read: (path) => noted('document', path, files.read(path)),
      list: (directory) => noted('folder', directory, files.list(directory)),
      real: (path) => noted('link', path, files.real(path)),
      stamp: (path) => noted('presence', path, files.stamp(path)),
      ...(files.run && { run: (path) => noted('program', path, files.run!(path)) }),
    },
    answers: () => [...answers.values()],
  };
}

/** Whether the files answer all of it the same again. */
export function areUnchanged(files: Files, answers: readonly Answer[]): boolean {
  return answers.every(
    ({ dependency: { kind, path }, digest }) =>
      digestOf(kind, files[questions[kind]]?.(path)) === digest,
  );
}

function digestOf(kind: Asked['kind'], answer: unknown): string | undefined {
  if (answer === undefined) return undefined;
  // The content of a text is a separate read: of a stamp, only its existence counts.
  if (kind === 'presence') return '';
  // A disk lists in any order.
  const plain = answer instanceof Map ? [...answer].sort() : answer;
  const text = typeof plain === 'string' ? plain : JSON.stringify(plain);
  return createHash('sha256').update(text).digest('base64');
}
