import { pathToFileURL } from 'node:url';
import type { Connection, InitializeParams, WorkspaceFolder } from 'vscode-languageserver/node';
import { contains } from '../src/project/tree.ts';
import type { Folder } from './analysis/messages.ts';
import type { Client } from './client.ts';
import { section } from './protocol.ts';
import { settingsFrom, type KnownSettings } from './settings.ts';
import { pathOfUri } from './uris.ts';

/** The open folders, and the editor's configuration of each. */
export interface Workspace {
  folders(): readonly Folder[];
  /** Whether programs of the workspace may be run. */
  isTrusted: boolean;
  /** Whether its TypeScript may be asked about a file. */
  hasTypesAt(path: string): boolean;
  /** Whether configuration that is code, and holds for a file, may be run. */
  trustsConfigurationAt(path: string): boolean;
  settingsAt(path: string): KnownSettings;
  /** The folder for the paths of a file, and for its proofs. */
  folderAt(path: string): string | undefined;
  /** The path of the first folder. */
  readonly main: string;
  /** All invalid settings. */
  mistakes(): readonly string[];
  add(folders: readonly WorkspaceFolder[]): void;
  remove(folders: readonly WorkspaceFolder[]): void;
  /** Asks the client again; `pushed` is what a client has sent that cannot be asked. */
  load(pushed?: unknown): Promise<void>;
}

export function workspaceOf(
  params: InitializeParams,
  client: Client,
  connection: Connection,
): Workspace {
  const paths = new Set(foldersIn(params));
  const settings = new Map<string | undefined, KnownSettings>();
  let given = client.settings;
  const settingsOf = (path: string | undefined) =>
    settings.get(path) ?? settings.get(undefined) ?? settingsFrom(given);

  const workspace: Workspace = {
    get main() {
      const [first] = paths;
      return first ?? process.cwd();
    },
    folders: () =>
      [...paths].map((path) => {
        const { isEnabled, overrides, exclude } = settingsOf(path);
        const trustsConfiguration = workspace.trustsConfigurationAt(path);
        const hasTypes = workspace.hasTypesAt(path);
        return { path, isEnabled, overrides, exclude, hasTypes, trustsConfiguration };
      }),
    hasTypesAt(path) {
      const folder = workspace.folderAt(path);
      if (folder === undefined || !workspace.isTrusted) return false;
      // A client without a message about trust has not asked its user.
      return settingsOf(folder).hasTypes ?? client.isTrustStated;
    },
    // As for types: a client without such a message has not asked its user.
    trustsConfigurationAt: (path) =>
      workspace.isTrusted && client.isTrustStated && workspace.folderAt(path) !== undefined,
    isTrusted: client.isTrusted,
    settingsAt: (path) => settingsOf(workspace.folderAt(path)),
    folderAt(path) {
      const around = [...paths].filter((it) => contains(it, path));
      return around.sort((a, b) => b.length - a.length)[0];
    },
    mistakes: () => [...new Set([...settings.values()].flatMap((it) => it.mistakes))],
    add: (folders) => folders.flatMap(pathOf).forEach((it) => paths.add(it)),
    remove: (folders) => folders.flatMap(pathOf).forEach((it) => paths.delete(it)),
    async load(pushed) {
      if (pushed !== undefined) given = pushed;
      settings.clear();
      if (!client.hasConfiguration) {
        settings.set(undefined, settingsFrom(given));
        return;
      }
      const scopes = [undefined, ...paths];
      const answers: unknown = await connection.workspace
        .getConfiguration(
          scopes.map((path) =>
            path === undefined ? { section } : { section, scopeUri: pathToFileURL(path).href },
          ),
        )
        // A client that cannot answer has no settings.
        .catch(() => []);
      for (const [i, path] of scopes.entries()) {
        const answer: unknown = Array.isArray(answers) ? answers[i] : undefined;
        settings.set(path, settingsFrom(answer ?? given));
      }
    },
  };
  return workspace;
}

function foldersIn({ workspaceFolders, rootUri }: InitializeParams): readonly string[] {
  if (workspaceFolders && workspaceFolders.length > 0) return workspaceFolders.flatMap(pathOf);
  return rootUri ? pathOf({ uri: rootUri }) : [];
}

/** A folder that lies on no disk has nothing to read. */
function pathOf({ uri }: Pick<WorkspaceFolder, 'uri'>): string[] {
  const path = pathOfUri(uri);
  if (path === undefined) return [];
  return [path.length > 1 ? path.replace(/[\\/]$/, '') : path];
}
