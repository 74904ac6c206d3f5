import { join } from 'node:path';
import { shop, suite } from './suite.ts';

describe('the extension in a workspace of two folders', function () {
  this.timeout(90_000);
  const vs = suite('multi-root', { folders: [shop, 'fixtures/editor/mail'] });

  it('goes by the configuration of each folder', async () => {
    const [first, second] = vs.server.folders;
    await vs.window.open(join(first!, 'src/jobs.ts'));
    await vs.underlined('warning').first().waitFor();
    await vs.hasStatus('Deadtime: 2 findings');
    await vs.window.open(join(second!, 'src/letters.ts'));
    await vs.underlined('warning').first().waitFor();
    await vs.hasStatus('Deadtime: 1 finding');
  });
});
