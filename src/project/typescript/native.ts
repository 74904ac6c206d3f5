import { existsSync } from 'node:fs';
import type { CheckedType } from '../../analysis/file/source.ts';
import { checkedType, type TypeView } from '../checked-type.ts';
import type { Change, Checker } from './checker.ts';
import type {
  FileChanges,
  NativeApi,
  NativeChecker,
  NativeNode,
  NativeSymbol,
  NativeType,
  Snapshot,
  SnapshotChange,
} from './native-api.ts';
import { nodeAt } from './node-at.ts';

/** The parts of 7.1 with different names in 7.0. */
export interface NativeNames {
  /** 7.1: stands for the file system of the compiler itself in callbacks, of which all have to be given. */
  readonly serverFS?: { readonly useOS: symbol; readonly noop: symbol };
}

/** TypeScript 7: a client of its compiler, which this process starts, and which ends with it. */
export function nativeChecker({ API }: NativeApi, names: NativeNames, folder: string): Checker {
  const { serverFS } = names;
  let texts: Change['texts'] = new Map();
  const client = new API({ cwd: folder, fs: callbacks() });
  /** The tsconfig.json of each file that was asked for. */
  const configs = new Map<string, string | undefined>();
  let snapshot: Snapshot | undefined;

  return {
    update({ texts: present, edited, changed, asked }) {
      texts = present;
      if (changed === 'all') configs.clear();
      const unseen = asked.filter((it) => !configs.has(it) && existsSync(it));
      if (unseen.length > 0) find(unseen);
      if (unseen.length === 0 && edited.length === 0 && changed.length === 0) return;
      const changes = fileChanges(edited, changed);
      const projects = [...new Set(configs.values())].filter((it) => it !== undefined);
      advance({
        ...(unseen.length > 0 ? { closeFiles: unseen } : {}),
        // 7.1 reads again only what is asked for again.
        ...(unseen.length > 0 || serverFS ? { openProjects: projects } : {}),
        ...(serverFS ? { fileNotifications: changes } : { fileChanges: changes }),
      });
    },
    answersTo({ path, length, ranges }) {
      const project = configs.get(path) && snapshot?.getDefaultProjectForFile(path);
      const file = project ? project.program.getSourceFile(path) : undefined;
      if (!project || file?.text.length !== length) return undefined;
      const nodes = ranges.map((it) => nodeAt<NativeNode>(file, it));
      const types = project.checker.getTypeAtLocation(nodes.filter((it) => it !== undefined));
      const checked = checkedIn(project.checker);
      let next = 0;
      return nodes.map((it) => checked(it && types[next++]));
    },
    end: () => client.close(),
  };

  function find(paths: readonly string[]): void {
    advance({ openFiles: paths });
    for (const path of paths) {
      const config = snapshot?.getDefaultProjectForFile(path)?.configFileName;
      configs.set(path, config !== undefined && existsSync(config) ? config : undefined);
    }
  }

  function advance(change: SnapshotChange): void {
    const previous = snapshot;
    snapshot =
      previous?.update?.(change) ??
      // 7.1 has a private method of the other name.
      (client.createSnapshot ? client.createSnapshot(change) : client.updateSnapshot?.(change));
    previous?.dispose();
  }

  function callbacks(): unknown {
    if (!serverFS) return { readFile: (path: string) => texts.get(path) };
    const { useOS, noop } = serverFS;
    return {
      ...{ directoryExists: useOS, fileExists: useOS, getAccessibleEntries: useOS },
      ...{ realpath: useOS, stat: useOS, writeFile: noop, removeFile: noop },
      readFile: (path: string) => texts.get(path) ?? useOS,
    };
  }
}

function fileChanges(edited: readonly string[], changed: Change['changed']): FileChanges {
  if (changed === 'all' || changed.some((it) => !/\.[cm]?[jt]sx?$/.test(it))) {
    return { invalidateAll: true };
  }
  const there = changed.filter((it) => existsSync(it));
  const deleted = changed.filter((it) => !there.includes(it));
  return { changed: [...edited, ...there], created: there, deleted };
}

/** One type is often asked for many times, and every question to it is a message. */
function checkedIn(
  checker: NativeChecker,
): (type: NativeType | undefined) => CheckedType | undefined {
  const view = viewOf(checker);
  const known = new Map<number, CheckedType | undefined>();
  return (type) => {
    if (!type) return undefined;
    if (!known.has(type.id)) known.set(type.id, checkedType(view, type));
    return known.get(type.id);
  };
}

function viewOf(checker: NativeChecker): TypeView<NativeType> {
  return {
    apparent(type) {
      const some = checker.getNonNullableType(type);
      return some && checker.getApparentType(some);
    },
    union: (type) => (type.isUnionType() ? type.getTypes() : undefined),
    intersection: (type) => (type.isIntersectionType() ? type.getTypes() : undefined),
    isArray: (type) => checker.isArrayType(type),
    argument: (type) => (type.isTypeReference() ? checker.getTypeArguments(type)[0] : undefined),
    names: (type) => [type.getAliasSymbol(), type.getSymbol()].flatMap(nameOf),
    bases: (type) => (type.isClassOrInterface() ? (type.getBaseTypes() ?? []) : []),
  };
}

function nameOf(symbol: NativeSymbol | undefined) {
  return symbol ? [{ name: symbol.name, files: symbol.declarations.map((it) => it.path) }] : [];
}
