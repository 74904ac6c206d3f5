import assert from 'node:assert/strict';
import type { ProjectModules } from '../src/project/project-modules.ts';
import { filesOf as filesAt } from './fakes/files.ts';
import { exportOf, modulesOver, POOL } from './fakes/modules.ts';

/** A project in memory. */
const filesOf = (texts: Record<string, string>) => filesAt('/app', texts);

/** What a file makes of a name, and which files were parsed for it. */
function askedOf(texts: Record<string, string>, path: string, name: string) {
  const parsed: string[] = [];
  const files = filesOf({ 'package.json': '{}', ...texts });
  const modules = modulesOver(files, { onParse: (it) => parsed.push(it) });
  return { value: exportOf(modules, path, name), parsed };
}

const barrels = {
  'index.ts': "export * from './jobs'\nexport * from './stores'",
  'jobs/index.ts': "export * from './mail'",
  'jobs/mail.ts': "export const mail = []\nexport type * from '.'",
  'stores/index.ts': "export * from './db'",
  'stores/db.ts': POOL,
};

/** Texts of `jobs/index.ts` that may hand on any name. */
const unclear = {
  'a library': "export * from 'pg'",
  'what CommonJS sets': "exports[name] = make(); export * from './mail'",
  'a file that is not there': "export * from './gone'",
  'a source behind a comment': "export * from /* so far */ './mail'",
};
const CLIENT = POOL.replaceAll('Pool', 'Client');

describe('the files behind a barrel', () => {
  it('parses no file that does not mention what is imported', () => {
    const texts = {
      'index.ts': "export * from './jobs'\nexport * from './db'\nexport * from './mail'",
      'jobs.ts': 'export const jobs = []',
      'mail.ts': 'export const mail = []',
      'db.ts': POOL,
    };
    assert.deepEqual(askedOf(texts, '/app/index.ts', 'pool'), {
      value: 'pg.Pool',
      parsed: ['/app/index.ts', '/app/db.ts'],
    });
  });

  it('parses no barrel without an export of the imported name', () => {
    assert.deepEqual(askedOf(barrels, '/app/index.ts', 'pool').parsed, [
      ...['/app/index.ts', '/app/stores/index.ts', '/app/stores/db.ts'],
    ]);
    assert.deepEqual(askedOf(barrels, '/app/index.ts', 'port').parsed, ['/app/index.ts']);
  });

  for (const [what, text] of Object.entries(unclear)) {
    it(`parses a barrel that may hand on any name: ${what}`, () => {
      const { parsed } = askedOf({ ...barrels, 'jobs/index.ts': text }, '/app/index.ts', 'Client');
      assert.equal(parsed.includes('/app/jobs/index.ts'), true);
    });
  }

  /** Ways for a text to become another one. */
  type Write = (path: string, text: string) => unknown;
  const ways: Readonly<
    Record<string, (modules: ProjectModules, texts: Record<string, string>) => Write>
  > = {
    'an editor': (modules) => (path, text) => modules.overlay(path, text),
    'a file that is written': (modules, texts) => (path, text) => {
      texts[path.slice('/app/'.length)] = text;
      modules.changed([path]);
    },
  };
  for (const [what, wayOf] of Object.entries(ways)) {
    it(`follows changes of files behind barrels: ${what}`, () => {
      const app = "import { pool } from './index'\nexport const it = pool";
      const texts: Record<string, string> = { 'package.json': '{}', ...barrels, 'app.ts': app };
      const modules = modulesOver(filesOf(texts));
      const write = wayOf(modules, texts);
      // Gathers what stands behind the barrels, which an editor does not.
      assert.equal(exportOf(modules, '/app/app.ts', 'it'), 'pg.Pool');
      const steps = [
        ['app.ts', app, 'pg.Pool'],
        ['jobs/mail.ts', CLIENT, 'pg.Client'],
        ['jobs/index.ts', "export * from './none'", 'pg.Pool'],
        ['jobs/none.ts', CLIENT, 'pg.Client'],
        ['jobs/index.ts', 'export const none = 1', 'pg.Pool'],
        ['jobs/index.ts', "export * from './mail'", 'pg.Client'],
        ['jobs/mail.ts', 'export const mail = []', 'pg.Pool'],
      ] as const;
      const values = steps.map(([path, text]) => {
        write(`/app/${path}`, text);
        return exportOf(modules, '/app/app.ts', 'it');
      });
      assert.deepEqual(
        values,
        steps.map(([, , value]) => value),
      );
    });
  }

  it('asks one file at a time where too many are behind a barrel', () => {
    /** Whether the barrel is parsed for a name that nobody behind it exports. */
    const isParsed = (count: number) => {
      const names = Array.from({ length: count }, (_, i) => `m${i}`);
      const texts = Object.fromEntries(names.map((it) => [`${it}.ts`, `export const ${it} = 1`]));
      const index = names.map((it) => `export * from './${it}'`).join('\n');
      const app = "export { pool } from './index'";
      const { parsed } = askedOf(
        { ...texts, 'index.ts': index, 'app.ts': app },
        '/app/app.ts',
        'pool',
      );
      return parsed.includes('/app/index.ts');
    };
    assert.deepEqual([999, 1_000].map(isParsed), [false, true]);
  });
});
