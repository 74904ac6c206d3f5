import { deepStrictEqual } from 'node:assert/strict';
import {
  addFileDependency,
  addDependency,
  addExternal,
  type ExternalDependency,
  addDependencies,
  closeDependencies,
  isValid,
  invalidate,
  invalidateFile,
  newDependency,
  ownDependencies,
  type ActiveQuery,
} from '../../src/engine/dependencies.ts';

describe('dependencies', () => {
  const reader = (): ActiveQuery => ({ dependencies: undefined });
  const paths = ({ dependencies }: ActiveQuery) =>
    [...(dependencies?.external ?? [])].map((it) => ('path' in it ? it.path : '')).sort();
  const file = (path: string): ExternalDependency => ({ kind: 'file', path });

  it('come with a cached result', () => {
    const [answer, other] = [reader(), reader()];
    addExternal(answer, file('db.ts'));
    closeDependencies(answer);
    addDependencies(other, answer.dependencies);
    deepStrictEqual(paths(other), ['db.ts']);
  });

  it('are complete for the dependant of one of two results that need each other', () => {
    const [outer, inner, dependant] = [reader(), reader(), reader()];
    ownDependencies(outer);
    addExternal(inner, file('inner.ts'));
    addDependencies(inner, outer.dependencies);
    closeDependencies(inner);
    addDependencies(outer, inner.dependencies);
    addExternal(outer, file('later.ts'));
    closeDependencies(outer);
    addDependencies(dependant, inner.dependencies);
    closeDependencies(dependant);
    deepStrictEqual(paths(dependant), ['inner.ts', 'later.ts']);
  });

  it('are invalid with any of very many, in any order of adding', () => {
    const all = Array.from({ length: 100_000 }, newDependency);
    const some = all.filter((_, i) => i % 8_192 === 1);
    for (const it of some) {
      const [answer, other] = [reader(), reader()];
      for (const one of [...some, ...some]) {
        addDependency(answer, one);
        addDependency(other, one);
      }
      for (const reader of [answer, other]) closeDependencies(reader);
      deepStrictEqual(isValid(answer.dependencies!, 1), true);
      invalidate(it);
      deepStrictEqual(isValid(answer.dependencies!, 2), false);
      some.splice(some.indexOf(it), 1, newDependency());
    }
  });

  it('are invalid with one of several files, and with no other', () => {
    const [answer, own, other, foreign] = [reader(), ...[1, 2, 3].map(newDependency)] as const;
    for (const it of [own!, other!]) addFileDependency(answer, it);
    closeDependencies(answer);
    const isStillValid = (edit: number) => isValid(answer.dependencies!, edit);
    deepStrictEqual(isStillValid(1), true);
    invalidateFile(foreign!);
    deepStrictEqual(isStillValid(2), true);
    invalidateFile(other!);
    deepStrictEqual(isStillValid(3), false);
    deepStrictEqual(isStillValid(4), false);
  });
});
