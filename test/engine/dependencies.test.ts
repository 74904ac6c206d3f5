import { deepStrictEqual } from 'node:assert/strict';
import {
  addFileDependency,
  addDependency,
  addPath,
  addDependencies,
  closeDependencies,
  isValid,
  invalidate,
  invalidateFile,
  newDependency,
  ownDependencies,
  type ActiveQuery,
} from '../../src/engine/dependencies.ts';

describe('what answers rest on', () => {
  const reader = (): ActiveQuery => ({ dependencies: undefined });
  const said = ({ dependencies: reads }: ActiveQuery) => [...(reads?.paths ?? [])].sort();

  it('comes with an answer that was computed before', () => {
    const [answer, file] = [reader(), reader()];
    addPath(answer, 'db.ts');
    closeDependencies(answer);
    addDependencies(file, answer.dependencies);
    deepStrictEqual(said(file), ['db.ts']);
  });

  it('is whole for whoever asks for one of two answers that need each other', () => {
    const [outer, inner, file] = [reader(), reader(), reader()];
    ownDependencies(outer);
    addPath(inner, 'inner.ts');
    addDependencies(inner, outer.dependencies);
    closeDependencies(inner);
    addDependencies(outer, inner.dependencies);
    addPath(outer, 'later.ts');
    closeDependencies(outer);
    addDependencies(file, inner.dependencies);
    closeDependencies(file);
    deepStrictEqual(said(file), ['inner.ts', 'later.ts']);
  });

  it('is gone with any of very many things, however they are said', () => {
    const grounds = Array.from({ length: 100_000 }, newDependency);
    const some = grounds.filter((_, i) => i % 8_192 === 1);
    for (const it of some) {
      const [answer, other] = [reader(), reader()];
      for (const said of [...some, ...some]) {
        addDependency(answer, said);
        addDependency(other, said);
      }
      for (const reader of [answer, other]) closeDependencies(reader);
      deepStrictEqual(isValid(answer.dependencies!, 1), true);
      invalidate(it);
      deepStrictEqual(isValid(answer.dependencies!, 2), false);
      some.splice(some.indexOf(it), 1, newDependency());
    }
  });

  it('is gone with one of several files, and with no other', () => {
    const [answer, own, other, foreign] = [reader(), ...[1, 2, 3].map(newDependency)] as const;
    for (const it of [own!, other!]) addFileDependency(answer, it);
    closeDependencies(answer);
    const stands = (edit: number) => isValid(answer.dependencies!, edit);
    deepStrictEqual(stands(1), true);
    invalidateFile(foreign!);
    deepStrictEqual(stands(2), true);
    invalidateFile(other!);
    deepStrictEqual(stands(3), false);
    deepStrictEqual(stands(4), false);
  });
});
