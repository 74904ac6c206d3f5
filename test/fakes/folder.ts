import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Folder {
  readonly path: string;
  write(files: Readonly<Record<string, string | Buffer>>): void;
}

/** A folder for one test, with these files; it is removed when the process ends. */
export function folderWith(files: Readonly<Record<string, string | Buffer>>): Folder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'deadtime-')));
  made.push(path);
  const folder: Folder = {
    path,
    write(more) {
      for (const [name, content] of Object.entries(more)) {
        mkdirSync(dirname(join(path, name)), { recursive: true });
        writeFileSync(join(path, name), content);
      }
    },
  };
  folder.write(files);
  return folder;
}

const made: string[] = [];

// A hook of mocha's would hold for the first file of tests that a process runs, and for no other.
process.once('exit', () => {
  for (const path of made) rmSync(path, { recursive: true, force: true });
});
