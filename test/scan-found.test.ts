import { deepStrictEqual, notStrictEqual, rejects, strictEqual } from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { scanFound } from '../src/cli/scan-found.ts';
import { disk, diskOfScan } from '../src/project/files.ts';
import { type Clock, createClock } from '../src/scan/clock.ts';
import { filesOf } from '../src/scan/files.ts';
import { folderWith } from './fakes/folder.ts';

/** Calls back when the scan reads a file. */
function clockWith(onRead: () => void): Clock {
  const clock = createClock();
  return {
    ...clock,
    measure(stage, work) {
      if (stage === 'read') onRead();
      return clock.measure(stage, work);
    },
  };
}

async function scan(onRead: () => void): Promise<void> {
  const { path: root } = folderWith({ 'jobs.js': 'export const jobs = [];\n' });
  const found = filesOf(['.'], { cwd: root });
  await scanFound(found, { root, clock: clockWith(onRead), disk: diskOfScan(disk) });
}

describe('a scan of files', () => {
  // The tag is made of V8's version and of all its flags.
  it('restores the flags of V8 that it sets', async () => {
    const before = cachedDataVersionTag();
    let within: number | undefined;
    await scan(() => (within = cachedDataVersionTag()));
    notStrictEqual(within, undefined);
    notStrictEqual(within, before);
    strictEqual(cachedDataVersionTag(), before);
  });

  it('also restores them when it fails', async () => {
    const before = cachedDataVersionTag();
    const failure = new Error('the disk is gone');
    await rejects(
      scan(() => {
        throw failure;
      }),
      failure,
    );
    strictEqual(cachedDataVersionTag(), before);
  });
});

describe('the disk of one scan', () => {
  it('lists a folder once, and gives what was read of a file to its scan, once', () => {
    const read: string[] = [];
    const listed: string[] = [];
    const { path: root } = folderWith({ 'jobs.js': 'export const jobs = [];\n' });
    const shared = diskOfScan({
      ...disk,
      read: (path) => (read.push(path), disk.read(path)),
      list: (path) => (listed.push(path), disk.list(path)),
    });
    const path = join(root, 'jobs.js');
    const link = join(root, 'link.js');
    symlinkSync(path, link);
    strictEqual(shared.taken(join(root, 'other.js')), undefined);
    strictEqual(shared.listing(root).length, 2);
    strictEqual(shared.list(root)?.kinds.get('jobs.js'), 'file');
    strictEqual(shared.list(join(root, 'none')), undefined);
    strictEqual(shared.list(join(root, 'none')), undefined);
    deepStrictEqual(listed, [join(root, 'none')]);
    const text = shared.read(path);
    strictEqual(text, 'export const jobs = [];\n');
    strictEqual(shared.read(path), text);
    strictEqual(shared.read(link), text);
    deepStrictEqual(read, [path, link]);
    strictEqual(shared.taken(path), text);
    strictEqual(shared.taken(path), undefined);
    shared.read(path);
    // Nobody takes it any more.
    strictEqual(shared.taken(path), undefined);
  });
});
