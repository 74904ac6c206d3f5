import { deepStrictEqual } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import * as typescriptParser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import plugin from '../src/eslint/plugin.ts';
import { builtCli } from './fakes/built-cli.ts';
import { editorFor } from './fakes/editor.ts';
import { folderWith } from './fakes/folder.ts';
import { worker } from './fakes/worker.ts';

/** What people call the folders that they keep projects in, and that say much where they are part of one. */
const above = ['bin', 'examples', 'test', 'tools/cli', 'migrations', 'old', 'frontend'];
/** What tells where a project begins; without any of them, where the host was started. */
const marks = ['.git/HEAD', 'package.json', 'pnpm-workspace.yaml', 'tsconfig.json', undefined];

const code = {
  'src/orders.ts': worker,
  'src/jobs/orders.ts': worker,
  'scripts/fill.ts': worker,
  'src/scripts/fill.ts': worker,
  'packages/api/bin/fill.ts': worker,
};
const found = ['src/jobs/orders.ts', 'src/orders.ts'];

const places = [
  ...above.map((folder) => ({ folder, mark: 'package.json' })),
  ...marks.map((mark) => ({ folder: 'scripts', mark })),
];

function projectBelow(folder: string, mark: string | undefined): string {
  const own = mark === undefined ? {} : { [mark]: '{}' };
  const files = Object.entries({ ...own, ...code });
  const { path } = folderWith(
    Object.fromEntries(files.map(([name, text]) => [`${folder}/app/${name}`, text])),
  );
  return join(path, folder, 'app');
}

describe('a project below any folder', () => {
  for (const { folder, mark = 'nothing' } of places) {
    const root = () => projectBelow(folder, mark === 'nothing' ? undefined : mark);

    it(`is judged by what lies in it: below ${folder}, with ${mark}, on the command line`, async () => {
      const cli = await builtCli();
      const cwd = root();
      const asked = ['check', '.', '--format', 'json', '--no-cache', '--fail-on', 'off'];
      const { stdout } = await promisify(execFile)(process.execPath, [cli, ...asked], { cwd });
      const { findings } = JSON.parse(stdout) as { findings: { file: string }[] };
      deepStrictEqual(findings.map((it) => it.file).sort(), found);
    });

    it(`is judged by what lies in it: below ${folder}, with ${mark}, in an editor`, async () => {
      const path = root();
      const editor = await editorFor({ folders: [path] });
      const seen: string[] = [];
      for (const [file, text] of Object.entries(code)) {
        const uri = pathToFileURL(join(path, file)).href;
        await editor.open(uri, text);
        if ((await editor.itemsOf(uri)).length > 0) seen.push(file);
      }
      deepStrictEqual(seen.sort(), found);
    });

    it(`is judged by what lies in it: below ${folder}, with ${mark}, in ESLint`, () => {
      const cwd = root();
      const linter = new Linter({ configType: 'flat', cwd });
      const config = [
        {
          ...plugin.configs.recommended,
          files: ['**/*.ts'],
          languageOptions: { parser: typescriptParser as Linter.Parser },
        },
        plugin.configs['tests-off'],
      ];
      const seen = Object.entries(code).filter(
        ([file, text]) => linter.verify(text, config, join(cwd, file)).length > 0,
      );
      deepStrictEqual(seen.map(([file]) => file).sort(), found);
    });
  }
});
