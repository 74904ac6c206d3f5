import type { DependencySet, ExternalDependency } from '../engine/dependencies.ts';
import type { FileRead, FileReads } from './basis.ts';
import type { NameKey } from './text-names.ts';

/**
 * The dependencies of the analysis of a project's files outside of their trees: one object for each, so that sets contain each
 * once.
 */
export interface ExternalDependencies {
  file(path: string): ExternalDependency;
  refused(name: string): ExternalDependency;
  naming(key: NameKey): ExternalDependency;
  lacking(path: string, names: readonly string[]): ExternalDependency;
}

export function externalDependencies(): ExternalDependencies {
  const made = new Map<string, ExternalDependency>();
  const once = (dependency: ExternalDependency, ...fields: readonly string[]) => {
    const key = [dependency.kind, ...fields].join('\0');
    const known = made.get(key);
    if (!known) made.set(key, dependency);
    return known ?? dependency;
  };
  return {
    file: (path) => once({ kind: 'file', path }, path),
    refused: (name) => once({ kind: 'refused', name }, name),
    naming: (key) => once({ kind: 'naming', key }, key),
    lacking: (path, names) => once({ kind: 'lacking', path, names }, path, ...names),
  };
}

/** The dependencies of the findings of a file. */
export function fileReadsOf(dependencies: DependencySet | undefined): FileReads {
  return [...(dependencies?.external ?? [])] as readonly FileRead[];
}
