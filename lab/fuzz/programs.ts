import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import fc from 'fast-check';
import { globSync } from 'tinyglobby';
import { withoutMarks } from '../../test/fixtures.ts';
import { randomEdits } from '../../tools/random-edits.ts';
import type { Program } from './invariants.ts';
import { mutated, mutationKinds } from './mutations.ts';

type Base = Omit<Program, 'edit'>;

/** Every file of the fixtures, with those that it may import. */
export function baseProgramsIn(folder: string): readonly Base[] {
  const paths = globSync(`${folder}/**/*.{ts,tsx,js,jsx,mjs,cjs,mts,cts}`).sort();
  const texts = new Map(paths.map((it) => [it, withoutMarks(readFileSync(it, 'utf8'))]));
  const byRoot = new Map<string, string[]>();
  for (const path of paths) byRoot.set(rootOf(path), [...(byRoot.get(rootOf(path)) ?? []), path]);
  return paths.map((path) => {
    const root = rootOf(path);
    const others = byRoot.get(root)!.filter((it) => it !== path);
    const beside = others.map((it) => [relative(root, it), texts.get(it)!] as const);
    return {
      path: relative(root, path) || basename(path),
      text: texts.get(path)!,
      beside: Object.fromEntries(beside),
    };
  });
}

/** The folder of a project, `fixtures/RULE/KIND/PROJECT`; a file on its own has a folder to itself. */
function rootOf(path: string): string {
  const parts = path.split('/');
  return parts.length > 4 ? parts.slice(0, 4).join('/') : path;
}

/** Fixtures after up to six mutations, for which other fixtures give pieces, and an edit. */
export function programsFrom(bases: readonly Base[]): fc.Arbitrary<Program> {
  const number = fc.nat(2 ** 30);
  const mutation = fc.record({
    kind: fc.constantFrom(...mutationKinds),
    ...{ at: number, other: number, donor: fc.nat(bases.length - 1) },
  });
  return fc
    .record({
      base: fc.nat(bases.length - 1),
      mutations: fc.array(mutation, { minLength: 1, maxLength: 6 }),
      edit: number,
    })
    .map(({ base, mutations, edit }) => {
      const program = bases[base]!;
      const text = mutations.reduce(
        (it, one) => mutated({ ...program, text: it }, one, bases[one.donor]!),
        program.text,
      );
      return { ...program, text, edit: randomEdits(edit).next(text) };
    });
}
