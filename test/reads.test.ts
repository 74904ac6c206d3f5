import { deepStrictEqual } from 'node:assert/strict';
import {
  addFile,
  addGround,
  addPath,
  addReads,
  closeReads,
  isStanding,
  leave,
  leaveFile,
  newGround,
  ownReads,
  type Reader,
} from '../facts/engine/reads.ts';

describe('what answers rest on', () => {
  const reader = (): Reader => ({ reads: undefined });
  const said = ({ reads }: Reader) => [...(reads?.paths ?? [])].sort();

  it('comes with an answer that was computed before', () => {
    const [answer, file] = [reader(), reader()];
    addPath(answer, 'db.ts');
    closeReads(answer);
    addReads(file, answer.reads);
    deepStrictEqual(said(file), ['db.ts']);
  });

  it('is whole for whoever asks for one of two answers that need each other', () => {
    const [outer, inner, file] = [reader(), reader(), reader()];
    ownReads(outer);
    addPath(inner, 'inner.ts');
    addReads(inner, outer.reads);
    closeReads(inner);
    addReads(outer, inner.reads);
    addPath(outer, 'later.ts');
    closeReads(outer);
    addReads(file, inner.reads);
    closeReads(file);
    deepStrictEqual(said(file), ['inner.ts', 'later.ts']);
  });

  it('is gone with any of very many things, however they are said', () => {
    const grounds = Array.from({ length: 100_000 }, newGround);
    const some = grounds.filter((_, i) => i % 8_192 === 1);
    for (const it of some) {
      const [answer, other] = [reader(), reader()];
      for (const said of [...some, ...some]) {
        addGround(answer, said);
        addGround(other, said);
      }
      for (const reader of [answer, other]) closeReads(reader);
      deepStrictEqual(isStanding(answer.reads!, 1), true);
      leave(it);
      deepStrictEqual(isStanding(answer.reads!, 2), false);
      some.splice(some.indexOf(it), 1, newGround());
    }
  });

  it('is gone with one of several files, and with no other', () => {
    const [answer, own, other, foreign] = [reader(), ...[1, 2, 3].map(newGround)] as const;
    for (const it of [own!, other!]) addFile(answer, it);
    closeReads(answer);
    const stands = (edit: number) => isStanding(answer.reads!, edit);
    deepStrictEqual(stands(1), true);
    leaveFile(foreign!);
    deepStrictEqual(stands(2), true);
    leaveFile(other!);
    deepStrictEqual(stands(3), false);
    deepStrictEqual(stands(4), false);
  });
});
