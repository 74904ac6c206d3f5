import { ok } from 'node:assert/strict';
import { createModules } from '../../src/project/modules.ts';
import { isFailure, sourceOf } from '../../src/scan/parse.ts';
import { createScanner } from '../../src/scan/scan.ts';
import { everywhere } from '../../lab/robustness/examination.ts';
import { filesOf } from '../fakes/files.ts';
import { callsIn } from '../fakes/work.ts';

type Texts = Readonly<Record<string, string>>;

/** What is looked at is `main.js`. */
function analyse(texts: Texts): void {
  const modules = createModules({
    root: '/project',
    files: filesOf('/project', texts),
    parse(text, path, all) {
      const source = sourceOf(text, path, { modules: () => all });
      return isFailure(source) ? undefined : source;
    },
  });
  const scanner = createScanner({ rules: everywhere, profile: 'audit', modules });
  const { notices } = scanner.scan(texts['main.js']!, '/project/main.js', { isNamed: true });
  ok(notices.length === 0, notices[0]?.message);
}

const times = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');
const pool = "import { Pool } from 'pg';\nconst pool = new Pool();\n";
const inFunction = (code: string) => `export async function run(rows) {\n${code}\n}`;
const alone = (code: string): Texts => ({ 'main.js': pool + code });

describe('the work for a text twice as long', function () {
  this.timeout(120_000);
  const shapes: Readonly<Record<string, (size: number) => Texts>> = {
    'links of a promise': (it) => alone(inFunction(`await load()${'.then(next)'.repeat(it)};`)),
    'reads one at a time': (it) =>
      alone(inFunction(times(it, (i) => `const row${i} = await pool.query('select ${i}');`))),
    'reads that need the one before': (it) =>
      alone(inFunction(times(it, () => "rows = await pool.query('select $1', [rows]);"))),
    'waits one at a time': (it) =>
      alone(inFunction(times(it, (i) => `const row${i} = await load(${i});`))),
    'connections of one function': (it) =>
      alone(
        inFunction(
          times(
            it,
            (i) =>
              `const client${i} = await pool.connect();\n` +
              `try { await client${i}.query('select 1'); } finally { client${i}.release(); }`,
          ),
        ),
      ),
    'tries in a row': (it) =>
      alone(inFunction(times(it, () => 'try { await load(); } catch (e) { log(e); } finally {}'))),
    'loops in a row': (it) =>
      alone(inFunction(times(it, () => "for (const row of rows) await pool.query('a', [row]);"))),
    'waits of one loop': (it) =>
      alone(inFunction(`for (;;) {\n${times(it, () => "await pool.query('delete from a');")}\n}`)),
    'methods that call each other': (it) =>
      alone(`class Jobs {\n${times(it, (i) => `async m${i}() { await this.m${i + 1}(); }`)}\n}`),
    'functions of an object': (it) =>
      alone(`export const jobs = {\n${times(it, (i) => `f${i}: () => jobs.f${i + 1}(),`)}\n};`),
    'functions in a circle': (it) =>
      alone(
        times(it, (i) => `async function f${i}(rows) { await f${(i + 1) % it}(rows); }`) +
          '\nf0([]);',
      ),
    'files that hand a name on': (it) => ({
      'main.js': `import { pool } from './m0.js';\n${inFunction("await pool.query('a');")}`,
      [`m${it}.js`]: `${pool}export { pool };`,
      ...Object.fromEntries(
        Array.from({ length: it }, (_, i) => [`m${i}.js`, `export * from './m${i + 1}.js';`]),
      ),
    }),
    'blocks in blocks': (it) => alone(inFunction('{'.repeat(it) + '}'.repeat(it))),
    'templates in templates': (it) =>
      alone(inFunction(`return ${'`${'.repeat(it)}1${'}`'.repeat(it)};`)),
    'conditions in conditions': (it) => alone(inFunction(`return ${'a ? b : '.repeat(it)}c;`)),
    'uses of what makes options': (it) => ({
      'main.js':
        "import { Model, Sequelize } from 'sequelize';\n" +
        "const sequelize = new Sequelize('postgres://localhost/shop');\n" +
        "class User extends Model {}\nUser.init({}, { sequelize, modelName: 'user' });\n" +
        `const app = make(() => {\n${times(it, (i) => `app.m${i}();`)}\n});\n` +
        inFunction(
          'const transaction = await sequelize.transaction();\n' +
            'const users = await User.findAll(app.options(rows));\n' +
            'const all = await User.count(app.options(rows));\nreturn { users, all };',
        ),
    }),
    'elements of a list': (it) => alone(`export const zeros = [${'0, '.repeat(it)}];`),
  };
  before(() => analyse(alone(inFunction('const client = await pool.connect();'))));

  for (const [name, shape] of Object.entries(shapes)) {
    it(`is at most two and a half times as much: ${name}`, () => {
      const [small, large] = [800, 1_600].map((it) => callsIn(() => analyse(shape(it))));
      ok(large! < 2.5 * small!, `${small} calls, then ${large}`);
    });
  }
});
