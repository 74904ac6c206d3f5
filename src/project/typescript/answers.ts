import type { TypeAnswers, TypeQuestions } from '../type-memory.ts';
import type { Change, Checker } from './checker.ts';
import { installedFor } from './load.ts';
import type { TypeOrder, TypeReply } from './messages.ts';

/** Answers orders with the TypeScript of the files that are asked about; never throws. */
export interface TypeAnswering {
  replyTo(order: TypeOrder): TypeReply;
  /** Ends the compilers that were started. */
  end(): void;
}

export function typeAnswering(): TypeAnswering {
  const texts = new Map<string, string>();
  /** By the folder of their package; the reason where one cannot be used. */
  const loaded = new Map<string, Checker | string>();

  return {
    replyTo({ id, texts: edits, changed, questions }) {
      for (const [path, text] of edits) {
        if (text === undefined) texts.delete(path);
        else texts.set(path, text);
      }
      const edited = edits.map(([path]) => path);
      const failures = new Set<string>();
      const groups = new Map<Checker, string[]>();
      const checkers = questions.map(({ path }) => {
        const checker = checkerFor(path);
        if (typeof checker === 'string') failures.add(checker);
        else groups.set(checker, [...(groups.get(checker) ?? []), path]);
        return checker;
      });
      // Files without questions must also be in the program.
      for (const checker of loaded.values()) {
        if (typeof checker === 'string') continue;
        const change: Change = { texts, edited, changed, asked: groups.get(checker) ?? [] };
        const failure = attempted(() => checker.update(change));
        if (failure !== undefined) failures.add(failure);
      }
      const answers = questions.map((it, i): TypeAnswers => {
        const checker = checkers[i];
        return typeof checker === 'object' ? answersOf(checker, it, failures) : [];
      });
      return { id, answers, failures: [...failures] };
    },
    end() {
      for (const it of loaded.values()) if (typeof it === 'object') attempted(() => it.end());
    },
  };

  function checkerFor(path: string): Checker | string {
    const found = installedFor(path);
    if (!found) return 'no TypeScript is installed';
    let checker = loaded.get(found.folder);
    if (checker === undefined) {
      const failure = attempted(() => void (checker = found.load()));
      checker ??= `${found.folder} cannot be used: ${failure}`;
      loaded.set(found.folder, checker);
    }
    return checker;
  }
}

function answersOf(checker: Checker, asked: TypeQuestions, failures: Set<string>): TypeAnswers {
  let answers: TypeAnswers | undefined;
  const failure = attempted(() => void (answers = checker.answersTo(asked)));
  if (failure !== undefined) failures.add(`${asked.path}: ${failure}`);
  return answers ?? [];
}

/** What went wrong. */
function attempted(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
