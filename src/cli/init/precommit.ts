import { template } from './ci.ts';
import { type ManagerName, managerNames } from './names.ts';
import type { Read, Step } from './step.ts';
import { appendStep, fileStep } from './text.ts';

const traces: Readonly<Record<ManagerName, readonly string[]>> = {
  husky: ['.husky'],
  lefthook: ['lefthook.yml', 'lefthook.yaml', '.lefthook.yml', '.lefthook.yaml'],
  'pre-commit': ['.pre-commit-config.yaml'],
};

/** The hook manager of the project; undefined where there is none, or more than one. */
export function managerIn(exists: (path: string) => boolean): ManagerName | undefined {
  const [first, ...others] = managerNames.filter((it) => traces[it].some(exists));
  return others.length === 0 ? first : undefined;
}

export function precommitSteps(name: ManagerName, read: Read): readonly Step[] {
  return [stepOf[name](read)];
}

const command = 'deadtime review --staged';

const stepOf: Readonly<Record<ManagerName, (read: Read) => Step>> = {
  husky(read) {
    const step = appendStep('.husky/pre-commit', template('husky-pre-commit'), command, read);
    return step.kind === 'write' ? { ...step, isExecutable: true } : step;
  },
  lefthook(read) {
    const path = traces.lefthook.find((it) => read(it) !== undefined) ?? 'lefthook.yml';
    const text = template('lefthook.yml');
    // YAML is merged by whole top-level keys only: what is inside of one, its owner puts in.
    if (/^pre-commit:/m.test(read(path) ?? '') && !read(path)?.includes(command)) {
      return { kind: 'by-hand', path, because: 'it already has a "pre-commit"', text };
    }
    return appendStep(path, text, command, read);
  },
  'pre-commit'(read) {
    const path = '.pre-commit-config.yaml';
    const text = template('pre-commit-config.yaml');
    const before = read(path);
    if (before === undefined) return fileStep(path, text, read);
    if (before.includes(command)) return { kind: 'present', path };
    const indent = lastListOf(before, 'repos');
    if (indent === undefined) {
      return { kind: 'by-hand', path, because: 'its "repos" is not its last key', text };
    }
    const eol = before.includes('\r\n') ? '\r\n' : '\n';
    const [, ...items] = text.trimEnd().split('\n');
    const added = items.map((it) => `${indent}${it.replace(/^ {2}/, '')}`);
    return { kind: 'write', path, before, after: [before.trimEnd(), ...added, ''].join(eol) };
  },
};

/** How far the elements of the text's last key are indented, where that is `key` and holds a list in lines. */
function lastListOf(text: string, key: string): string | undefined {
  const [, list] = text.split(new RegExp(`^${key}:[ \\t]*(?:#.*)?\\r?\\n`, 'm'));
  if (list === undefined || /^[^\s#-]/m.test(list)) return undefined;
  return /^([ \t]*)- /m.exec(list)?.[1];
}
