import type { Step } from '../../src/cli/init/step.ts';

/** Texts by path. */
export type Files = Readonly<Record<string, string>>;

/** The texts after the steps, and what is left to a person: `path: because`. */
export function outcome(
  stepsFor: (read: (path: string) => string | undefined) => readonly Step[],
  files: Files,
) {
  const steps = stepsFor((path) => files[path]);
  const written = steps.flatMap((it) =>
    it.kind === 'write' ? [[it.path, it.after] as const] : [],
  );
  const byHand = steps.flatMap((it) =>
    it.kind === 'by-hand' ? [`${it.path}: ${it.because}`] : [],
  );
  return { written: Object.fromEntries(written), byHand };
}
