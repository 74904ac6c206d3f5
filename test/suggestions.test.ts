import { deepStrictEqual, ok } from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { rules } from '../rules/index.ts';
import { createTypeCheck, newAmong } from '../lab/suggestions/type-check.ts';
import { isSame, type Trial, trialsIn } from '../lab/suggestions/trials.ts';
import { edited } from '../lab/seeds/edited.ts';
import { findingsOf, fixturesOf, projectOf, withoutMarks } from './fixtures.ts';
import { temporaryProject } from './projects.ts';
import { syntaxErrorsOf } from './syntax.ts';
import { itInFull } from './lanes.ts';

/** Of packages that are not installed, as far as suggestions use them. */
const stubs = {
  'node_modules/p-map/index.d.ts': `
    export default function pMap<T, R>(
      input: Iterable<T>, mapper: (it: T, index: number) => R | Promise<R>, options?: { concurrency?: number },
    ): Promise<R[]>;`,
};

describe('suggested code', function () {
  // All declarations of the libraries are read.
  this.timeout(300_000);

  for (const rule of rules) {
    it(`parses and is not reported again: every suggestion of ${rule.id}`, () => {
      for (const { files, kind } of fixturesOf(rule.id)) {
        const factsAt = projectOf(files);
        for (const file of kind === 'reports' ? files : []) {
          const others = files.filter((it) => it !== file);
          for (const finding of findingsOf(rule, factsAt(file.virtualPath), file.settings)) {
            for (const { edits, isNote, messageId } of finding.suggestions) {
              const source = edited(file.source, edits);
              deepStrictEqual(syntaxErrorsOf(file.path, source), [], `${file.path}: ${messageId}`);
              if (isNote) continue;
              const facts = projectOf([...others, { ...file, source }])(file.virtualPath);
              const again = findingsOf(rule, facts, file.settings);
              deepStrictEqual(
                again.filter((it) => isSame(it, finding, edits)),
                [],
                `${file.path}: ${messageId}`,
              );
            }
          }
        }
      }
    });
  }

  itInFull('has no error of types that the code before has not', () => {
    const texts = new Map(Object.entries(stubs).map(([path, text]) => [resolve(path), text]));
    const pairs: (readonly [before: string, after: string])[] = [];
    for (const { files } of rules.flatMap(({ id }) => fixturesOf(id))) {
      const isMended = files.some((it) => existsSync(suggestedPath(it.path)));
      for (const { path, source } of isMended ? files : []) {
        const suggested = suggestedPath(path);
        const isSuggested = existsSync(suggested);
        const [before, after] = [resolve(path), resolve(path.replace('/reports/', '/taken/'))];
        texts.set(before, source);
        texts.set(after, isSuggested ? withoutMarks(readFileSync(suggested, 'utf8')) : source);
        if (isSuggested) pairs.push([before, after]);
      }
    }
    const { diagnosticsOf } = createTypeCheck(texts);
    ok(pairs.length > 0);
    deepStrictEqual(
      pairs.flatMap(([before, after]) => {
        const found = diagnosticsOf(after);
        const added = found.length > 0 ? newAmong(found, diagnosticsOf(before)) : [];
        return added.length > 0 ? [{ after, added }] : [];
      }),
      [],
    );
  });
});

function suggestedPath(path: string): string {
  return path.replace('/reports/', '/suggested/');
}

describe('npm run -w lab suggestions', function () {
  this.timeout(60_000);

  it('applies them one at a time, and reports errors afterwards', async () => {
    const files = {
      'tsconfig.json':
        '{ "compilerOptions": { "strict": true, "target": "es2022", "lib": ["es2022"] } }',
      'src/stock.ts': `import { Pool } from 'pg';

const pool = new Pool({ connectionTimeoutMillis: 1_000 });
pool.on('error', (error) => console.error(error));

export async function stock(sku: string) {
  const items = await pool.query('select * from items where sku = $1', [sku]);
  const prices = await pool.query('select * from prices where sku = $1', [sku]);
  return { items, prices };
}
`,
    };
    const project = temporaryProject(new Map(Object.entries(files)));
    try {
      const trials: Trial[] = [];
      for await (const trial of trialsIn(project.root)) trials.push(trial);
      deepStrictEqual(
        trials.map(({ syntax, types, isReportedAgain }) => ({ syntax, types, isReportedAgain })),
        [{ syntax: [], types: [], isReportedAgain: false }],
      );
      deepStrictEqual(readFileSync(project.pathOf('src/stock.ts'), 'utf8'), files['src/stock.ts']);
    } finally {
      project.remove();
    }
  });

  it('distinguishes errors of an edit from earlier ones', () => {
    const path = resolve('fixtures/taken.ts');
    const diagnosticsOf = (text: string) =>
      createTypeCheck(new Map([[path, text]])).diagnosticsOf(path);
    const before = diagnosticsOf(
      "import { gone } from './gone.ts';\nexport const n: number = gone;\n",
    );
    const after = diagnosticsOf(
      "import { gone } from './gone.ts';\nexport const n: number = '1';\nconsole.log(gone);\n",
    );
    deepStrictEqual(before.length, 1);
    deepStrictEqual(newAmong(after, before), [
      "TS2322: Type 'string' is not assignable to type 'number'.",
    ]);
  });

  it('reports no type arguments on a value of type any', () => {
    const path = resolve('fixtures/taken.ts');
    const text =
      'declare const tx: any;\nexport const rows = tx.from<{ id: number }>(1).map();\nexport const n: number = "1";\n';
    deepStrictEqual(createTypeCheck(new Map([[path, text]])).diagnosticsOf(path), [
      "TS2322: Type 'string' is not assignable to type 'number'.",
    ]);
  });
});
