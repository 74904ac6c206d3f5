import { packageFile } from '../package.ts';
import type { CiName } from './names.ts';
import type { Read, Step } from './step.ts';
import { appendStep, fileStep } from './text.ts';

/** Where a project is built, by the files of its CI; GitHub where it has none. */
export function ciIn(exists: (path: string) => boolean): CiName {
  return exists('.gitlab-ci.yml') && !exists('.github/workflows') ? 'gitlab' : 'github';
}

export function ciSteps(name: CiName, read: Read): readonly Step[] {
  const job = template(`${name}.yml`).replace('npm ci', installCommand(read));
  return name === 'github'
    ? [fileStep('.github/workflows/deadtime.yml', job, read)]
    : [fileStep('.gitlab/deadtime.yml', job, read), includeStep(read)];
}

/** By its lock file. */
function installCommand(read: Read): string {
  if (read('pnpm-lock.yaml') !== undefined) {
    return 'corepack enable && pnpm install --frozen-lockfile';
  }
  return read('yarn.lock') === undefined ? 'npm ci' : 'corepack enable && yarn install --immutable';
}

/** YAML is merged by whole top-level keys only: what is inside of one, its owner puts in. */
function includeStep(read: Read): Step {
  const path = '.gitlab-ci.yml';
  const text = read(path);
  const piece = 'include:\n  - local: .gitlab/deadtime.yml\n';
  if (text && /^include:/m.test(text) && !text.includes('.gitlab/deadtime.yml')) {
    return { kind: 'by-hand', path, because: 'it already has an "include"', text: piece };
  }
  return appendStep(path, piece, '.gitlab/deadtime.yml', read);
}

export function template(name: string): string {
  const text = packageFile(`src/cli/init/templates/${name}`);
  if (text === undefined) throw new Error(`the package has no src/cli/init/templates/${name}`);
  return text;
}
