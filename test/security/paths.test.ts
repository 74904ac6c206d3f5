import { deepStrictEqual, strictEqual, throws } from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathInside, placeInside, Refusal, workspaceAt } from '../../src/mcp/workspace.ts';
import { fakeCli } from '../fakes/cli.ts';
import { folderWith } from '../fakes/folder.ts';

const files = {
  'project/.git/HEAD': '',
  'project/src/a.js': 'wait(9);\n',
  'secret/a.js': 'wait(8);\n',
};

describe('paths that an agent names', () => {
  function workspace() {
    const { path } = folderWith(files);
    const project = join(path, 'project');
    symlinkSync(join(path, 'secret'), join(project, 'linked'));
    symlinkSync(join(path, 'secret/none.js'), join(project, 'dangling.js'));
    return { path, project, workspace: workspaceAt(join(project, 'src')) };
  }

  it('stay in the workspace', () => {
    const { path, project, workspace: it } = workspace();
    strictEqual(pathInside(it, '../src/a.js'), join(project, 'src/a.js'));
    strictEqual(pathInside(it, project), project);
    strictEqual(placeInside(it, 'a.js:3:4'), `${join(project, 'src/a.js')}:3:4`);
    const outside = [
      ...['../../secret/a.js', '/etc/passwd', '/', `${project}/../secret`, `${project}-other/a.js`],
      ...['../linked', '../linked/a.js', '../linked/new/b.js', join(path, 'project/linked/b.js')],
    ];
    for (const name of outside) {
      throws(() => pathInside(it, name), Refusal, name);
      throws(() => placeInside(it, `${name}:1`), Refusal, name);
    }
  });

  it('are names of files, whatever they look like', () => {
    const { project, workspace: it } = workspace();
    const odd = ['file:///etc/passwd', '..%2f..%2fsecret%2fa.js', '~/a.js', '..\\..\\secret', '-x'];
    for (const name of odd.filter(() => process.platform !== 'win32')) {
      strictEqual(pathInside(it, name).startsWith(join(project, 'src/')), true, name);
    }
  });

  it('end at a character that no file has in its name', () => {
    const { workspace: it } = workspace();
    throws(() => pathInside(it, 'a.js\0../../../secret/a.js'), Refusal);
    throws(() => pathInside(it, '../../secret/a.js\0'), Refusal);
  });

  it('stay in the workspace when an editor’s hook says them', async () => {
    const { path, project } = workspace();
    const cli = await fakeCli();
    const home = folderWith({}).path;
    const call = (names: readonly string[]) =>
      cli.run(['hook'], {
        cwd: project,
        env: { HOME: home, XDG_CACHE_HOME: home },
        input: JSON.stringify({ cwd: project, tool_name: 'Edit', tool_input: { files: names } }),
      });
    const strays = ['../secret/a.js', join(path, 'secret/a.js'), 'linked/a.js', 'linked/new.js'];
    strays.push('a.js\0b.js');
    const { code, stderr } = await call(strays);
    const lines = stderr.trim().split('\n');
    deepStrictEqual(
      [code, lines.map((it) => it.replace(/^deadtime: .* is outside of .*: not scanned$/, ''))],
      [0, strays.map(() => '')],
    );
    cli.remove();
  });
});
