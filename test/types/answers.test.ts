import { deepStrictEqual, match } from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { TypeAnswers, TypeQuestions } from '../../src/project/type-memory.ts';
import { typeAnswering, type TypeAnswering } from '../../src/project/typescript/answers.ts';
import type { TypeOrder } from '../../src/project/typescript/messages.ts';
import { typedProject, typescripts } from '../fakes/typed-project.ts';

const PROGRAM = `import { anything, contextOf, mysql, tenants } from 'tenants';
// Ümlaut, 😀: offsets count UTF-16 code units.
export async function run(request: object) {
  const ctx = contextOf(request);
  const client = await ctx.pool.connect();
  client.release();
  await tenants.named('a').query('select 1');
  const [all] = tenants.all;
  anything().query('select 1');
  return (await mysql())!.getConnection();
}
`;

/** The first place of each expression after the imports. */
function questions(path: string, text: string, expressions: readonly string[]): TypeQuestions {
  const ranges = expressions.map((it): [number, number] => {
    const start = text.indexOf(it, text.indexOf('\n'));
    return [start, start + it.length];
  });
  return { path, length: text.length, version: 1, ranges };
}

const pool = { kind: 'object', modules: ['pg'], name: 'Pool' };
const mysqlPool = { kind: 'object', modules: ['mysql2/promise', 'mysql2'], name: 'Pool' };

describe('types of an installed TypeScript', function () {
  this.timeout(60_000);
  const open: TypeAnswering[] = [];
  afterEach(() => open.splice(0).forEach((it) => it.end()));
  const answering = () => {
    open.push(typeAnswering());
    return open.at(-1)!;
  };

  for (const [name, typescript] of Object.entries(typescripts)) {
    describe(name, () => {
      function asking(files: Readonly<Record<string, string>>) {
        const project = typedProject(files, typescript);
        const types = answering();
        const ask = (
          file: string,
          text: string,
          expressions: readonly string[],
          order: Partial<TypeOrder> = {},
        ) => {
          const asked = questions(join(project.path, file), text, expressions);
          const reply = types.replyTo({
            id: 1,
            texts: [],
            changed: [],
            questions: [asked],
            ...order,
          });
          deepStrictEqual(reply.failures, []);
          return reply.answers[0]!;
        };
        return { project, ask };
      }

      it('are those of the libraries that declare them', () => {
        const { ask } = asking({ 'src/app.ts': PROGRAM });
        const expected: Readonly<Record<string, TypeAnswers[number]>> = {
          'ctx.pool': pool as TypeAnswers[number],
          client: { kind: 'object', modules: ['pg'], name: 'PoolClient' },
          "tenants.named('a')": { kind: 'object', modules: ['tenants'], name: 'TenantPool' },
          'tenants.all': {
            kind: 'array',
            of: { kind: 'promise', of: pool },
          } as TypeAnswers[number],
          'await mysql()': mysqlPool as TypeAnswers[number],
          'anything()': undefined,
        };
        const names = Object.keys(expected);
        const answers = ask('src/app.ts', PROGRAM, names);
        deepStrictEqual(Object.fromEntries(names.map((it, i) => [it, answers[i]])), expected);
      });

      it('are of the unsaved texts, and follow each edit', () => {
        const { project, ask } = asking({
          'src/db.ts': "export const db = undefined as unknown as import('pg').Pool;\n",
          'src/app.ts': '\nexport {};\n',
        });
        const [app, db] = [join(project.path, 'src/app.ts'), join(project.path, 'src/db.ts')];
        const text = "import { db } from './db.js';\nvoid db.query('select 1');\n";
        deepStrictEqual(ask('src/app.ts', text, ['db'], { texts: [[app, text]] }), [pool]);
        const other = "export const db = undefined as unknown as import('mysql2/promise').Pool;\n";
        deepStrictEqual(ask('src/app.ts', text, ['db'], { texts: [[db, other]] }), [mysqlPool]);
        const longer = `${text.replace('\n', '\n\n')}`;
        deepStrictEqual(ask('src/app.ts', longer, ['db'], { texts: [[app, longer]] }), [mysqlPool]);
        deepStrictEqual(ask('src/app.ts', text, ['db']), [], 'questions about the text before');
        deepStrictEqual(ask('src/app.ts', longer, ['db'], { texts: [[db, undefined]] }), [pool]);
      });

      it('follow what changes on the disk, new files as well', () => {
        const text = "import { db } from './db.js';\nvoid db.query('select 1');\n";
        const { project, ask } = asking({ 'src/app.ts': text });
        const db = join(project.path, 'src/db.ts');
        deepStrictEqual(ask('src/app.ts', text, ['db']), [undefined]);
        project.write({ 'src/db.ts': "export declare const db: import('pg').Pool;\n" });
        deepStrictEqual(ask('src/app.ts', text, ['db'], { changed: [db] }), [pool]);
        project.write({ 'src/db.ts': "export declare const db: import('mysql2/promise').Pool;\n" });
        deepStrictEqual(ask('src/app.ts', text, ['db'], { changed: [db] }), [mysqlPool]);
        project.write({ 'src/db.ts': "export declare const db: import('pg').Pool | undefined;\n" });
        deepStrictEqual(ask('src/app.ts', text, ['db'], { changed: 'all' }), [pool]);
      });

      it('are found in projects that a tsconfig.json refers to', () => {
        const text = "declare const db: import('pg').Pool;\nvoid db.query('select 1');\n";
        const { ask } = asking({
          'tsconfig.json': '{ "files": [], "references": [{ "path": "./server" }] }',
          'server/tsconfig.json':
            '{ "compilerOptions": { "composite": true, "module": "preserve" }, "include": ["."] }',
          'server/app.ts': text,
        });
        deepStrictEqual(ask('server/app.ts', text, ['db']), [pool]);
      });

      it('are those of another project’s sources where what it builds is imported and not there', () => {
        const options = '"composite": true, "module": "preserve"';
        const text = "import { db } from '../store/dist/db';\nvoid db.query('select 1');\n";
        const { ask } = asking({
          'server/tsconfig.json': `{ "compilerOptions": { ${options} }, "include": ["."], "references": [{ "path": "../store" }] }`,
          'server/app.ts': text,
          'store/tsconfig.json': `{ "compilerOptions": { ${options}, "rootDir": "src", "outDir": "dist" }, "include": ["src"] }`,
          'store/src/db.ts': "export declare const db: import('pg').Pool;\n",
        });
        deepStrictEqual(ask('server/app.ts', text, ['db']), [pool]);
      });

      it('follow packages that are installed', () => {
        const text = "import { db } from 'store';\nvoid db.query('select 1');\n";
        const { project, ask } = asking({ 'src/app.ts': text });
        deepStrictEqual(ask('src/app.ts', text, ['db']), [undefined]);
        const folder = 'node_modules/store';
        project.write({
          [`${folder}/package.json`]: '{ "name": "store", "types": "db.d.ts" }',
          [`${folder}/db.d.ts`]: "export declare const db: import('pg').Pool;\n",
        });
        const manifest = join(project.path, folder, 'package.json');
        deepStrictEqual(ask('src/app.ts', text, ['db'], { changed: [manifest] }), [pool]);
      });

      // TypeScript 7 asks no more until it is told.
      if (name === 'TypeScript 6') {
        it('follow packages that are installed and files that are begun without a word, from the next edit on', () => {
          const text = "import { db } from 'store';\nvoid db.query('select 1');\n";
          const { project, ask } = asking({ 'src/app.ts': text });
          const edit = (to: string, ...others: readonly (readonly [string, string])[]) => {
            const texts = [[join(project.path, 'src/app.ts'), to] as const, ...others];
            return ask('src/app.ts', to, ['db'], { texts });
          };
          deepStrictEqual(ask('src/app.ts', text, ['db']), [undefined]);
          project.write({
            'node_modules/store/package.json': '{ "name": "store", "types": "db.d.ts" }',
            'node_modules/store/db.d.ts': "export declare const db: import('pg').Pool;\n",
          });
          deepStrictEqual(edit(`${text}// Installed\n`), [pool]);
          const local = text.replace('store', './local');
          deepStrictEqual(edit(local), [undefined]);
          const begun = "export declare const db: import('pg').Pool;\n";
          const file = [join(project.path, 'src/local.ts'), begun] as const;
          deepStrictEqual(edit(`${local}// Begun\n`, file), [pool]);
        });
      }

      it('are none for files that no tsconfig.json includes', () => {
        const text = "declare const db: import('pg').Pool;\nvoid db.query('select 1');\n";
        const { ask } = asking({ 'tools/app.ts': text, 'src/app.ts': 'export {};\n' });
        deepStrictEqual(ask('tools/app.ts', text, ['db']), []);
      });
    });
  }

  it('are none without a TypeScript, and none with a broken one', () => {
    const text = "declare const db: import('pg').Pool;\nvoid db.query('select 1');\n";
    const project = typedProject({ 'src/app.ts': text }, 'none');
    const path = join(project.path, 'src/app.ts');
    const failuresOf = () => {
      const reply = answering().replyTo({
        id: 1,
        texts: [],
        changed: [],
        questions: [questions(path, text, ['db'])],
      });
      deepStrictEqual(reply.answers, [[]]);
      return reply.failures.join();
    };
    match(failuresOf(), /^no TypeScript is installed$/);
    const link = join(project.path, 'node_modules/typescript');
    project.write({
      'broken/package.json': '{ "name": "typescript" }',
      'broken/index.js': 'throw new Error("half installed")',
    });
    symlinkSync(join(project.path, 'broken'), link, 'dir');
    match(failuresOf(), /broken cannot be used: half installed$/);
  });
});
