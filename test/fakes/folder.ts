import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Folder {
  readonly path: string;
  write(files: Readonly<Record<string, string | Buffer>>): void;
}

/** A folder for one test, with these files; mocha's `afterEach` removes it. */
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

afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});
