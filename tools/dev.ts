import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { installVSCode } from '../test/e2e/vscode/install.ts';
import { startServer } from '../test/e2e/vscode/server.ts';
import { buildExtension } from './build/build-extension.ts';
import { packageExtension } from './build/package-extension.ts';

const shop = 'fixtures/editor/shop';

// With VS Code on the machine, in a window of its own; else in a browser, where the extension is installed as users do.
if (spawnSync('code', ['--version'], { stdio: 'ignore' }).status === 0) {
  await buildExtension();
  const parameters = ['--new-window', '--extensionDevelopmentPath=extension', shop];
  spawnSync('code', parameters, { stdio: 'inherit' });
} else {
  installVSCode();
  const server = await startServer({ folders: [shop], vsix: await packageExtension() });
  console.log(`${server.url}/?folder=${server.workspace}`);
  console.log('Open it in a browser; Ctrl+C ends it.');
  await once(process, 'SIGINT');
  await server.stop();
}
