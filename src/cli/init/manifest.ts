import { parse } from 'jsonc-parser';
import type { Read } from './step.ts';

/** What package.json of the project states. */
export interface Manifest {
  /** Whether its `.js` files are ES modules. */
  readonly isModule: boolean;
  /** The packages that it installs. */
  readonly packages: ReadonlySet<string>;
}

export function manifestIn(read: Read): Manifest {
  const known = parse(read('package.json') ?? '') as unknown;
  const { type, dependencies, devDependencies } = (isObject(known) ? known : {}) as Readonly<
    Record<string, unknown>
  >;
  const namesIn = (it: unknown) => (isObject(it) ? Object.keys(it) : []);
  return {
    isModule: type === 'module',
    packages: new Set([...namesIn(dependencies), ...namesIn(devDependencies)]),
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The command that adds packages to the project, by its lock file. */
export function addCommand(packages: Iterable<string>, read: Read): string {
  const has = (path: string) => read(path) !== undefined;
  const command = has('pnpm-lock.yaml')
    ? 'pnpm add --save-dev'
    : has('yarn.lock')
      ? 'yarn add --dev'
      : 'npm install --save-dev';
  return [command, ...packages].join(' ');
}
