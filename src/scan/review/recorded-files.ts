import { createHash } from 'node:crypto';
import type { Files } from '../../project/files.ts';

/** What src/project/observer.ts notes is a disk's, with times and inodes; these files may come from git. */
export interface Answer {
  readonly question: keyof Files;
  readonly path: string;
  /** Of what was answered; undefined where there was nothing. */
  readonly digest?: string | undefined;
}

/** The same files, and what they have answered so far. */
export interface Recorded {
  readonly files: Files;
  answers(): readonly Answer[];
}

export function recorded(files: Files): Recorded {
  const answers = new Map<string, Answer>();
  const noted = <T>(question: keyof Files, path: string, answer: T): T => {
    const digest = digestOf(question, answer);
    answers.set(`${question} ${path}`, { question, path, digest });
    return answer;
  };
  return {
    files: {
      read: (path) => noted('read', path, files.read(path)),
      list: (directory) => noted('list', directory, files.list(directory)),
      real: (path) => noted('real', path, files.real(path)),
      stamp: (path) => noted('stamp', path, files.stamp(path)),
      ...(files.run && { run: (path) => noted('run', path, files.run!(path)) }),
    },
    answers: () => [...answers.values()],
  };
}

/** Whether the files answer all of it the same again. */
export function areUnchanged(files: Files, answers: readonly Answer[]): boolean {
  return answers.every(
    ({ question, path, digest }) => digestOf(question, files[question]?.(path)) === digest,
  );
}

function digestOf(question: keyof Files, answer: unknown): string | undefined {
  if (answer === undefined) return undefined;
  // The content of a text is a separate read: of a stamp, only its existence counts.
  if (question === 'stamp') return '';
  // A disk lists in any order.
  const plain = answer instanceof Map ? [...answer].sort() : answer;
  const text = typeof plain === 'string' ? plain : JSON.stringify(plain);
  return createHash('sha256').update(text).digest('base64');
}
