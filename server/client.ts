import type { ClientCapabilities, InitializeParams } from 'vscode-languageserver/node';
import { clientCommands, type ClientCommand } from './protocol.ts';

/** The capabilities of the client, and its options at the start. */
export interface Client {
  readonly hasConfiguration: boolean;
  readonly hasFolders: boolean;
  readonly hasPull: boolean;
  readonly canRegisterConfiguration: boolean;
  readonly canRegisterWatchers: boolean;
  readonly hasRelated: boolean;
  readonly hasLinks: boolean;
  readonly hasMarkdown: boolean;
  readonly hasVersionedEdits: boolean;
  readonly hasProgress: boolean;
  readonly hasShowDocument: boolean;
  readonly refreshes: {
    readonly diagnostics: boolean;
    readonly lenses: boolean;
    readonly inlayHints: boolean;
  };
  /** Unchecked data: protocol.ts has its shape, and any part may be wrong. */
  readonly settings: unknown;
  readonly commands: ReadonlySet<ClientCommand>;
  readonly isTrusted: boolean;
  /** Whether the client has sent a value for it. */
  readonly isTrustStated: boolean;
  readonly hasStatus: boolean;
  readonly isMessageShown: boolean;
  readonly rulePages: string | undefined;
  readonly storagePath: string | undefined;
  readonly hasWorkspaceDiagnostics: boolean;
  readonly maximumMemoryMb: number;
}

const DEFAULT_MEMORY_MB = 512;

export function clientFrom({ capabilities, initializationOptions }: InitializeParams): Client {
  const given = (initializationOptions ?? {}) as Readonly<Record<string, unknown>>;
  const announced = Array.isArray(given['clientCommands']) ? given['clientCommands'] : [];
  const memoryMb = given['maximumMemoryMb'];
  return {
    ...featuresOf(capabilities),
    settings: given['settings'],
    commands: new Set(Object.values(clientCommands).filter((it) => announced.includes(it))),
    isTrusted: given['isTrusted'] !== false,
    isTrustStated: typeof given['isTrusted'] === 'boolean',
    hasStatus: given['hasStatus'] === true,
    isMessageShown: given['showsMessageInHover'] === true,
    rulePages: pagesFrom(given['rulePages']),
    storagePath: typeof given['storagePath'] === 'string' ? given['storagePath'] : undefined,
    hasWorkspaceDiagnostics: given['workspaceDiagnostics'] === true,
    maximumMemoryMb:
      typeof memoryMb === 'number' && memoryMb >= 64 ? Math.floor(memoryMb) : DEFAULT_MEMORY_MB,
  };
}

function featuresOf({ workspace, textDocument, window }: ClientCapabilities) {
  return {
    hasConfiguration: workspace?.configuration === true,
    hasFolders: workspace?.workspaceFolders === true,
    hasPull: textDocument?.diagnostic !== undefined,
    canRegisterConfiguration: workspace?.didChangeConfiguration?.dynamicRegistration === true,
    canRegisterWatchers: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    hasRelated:
      (textDocument?.publishDiagnostics?.relatedInformation ??
        textDocument?.diagnostic?.relatedInformation) === true,
    hasLinks:
      (textDocument?.publishDiagnostics?.codeDescriptionSupport ??
        textDocument?.diagnostic?.codeDescriptionSupport) === true,
    hasMarkdown: textDocument?.hover?.contentFormat?.includes('markdown') === true,
    hasVersionedEdits: workspace?.workspaceEdit?.documentChanges === true,
    hasProgress: window?.workDoneProgress === true,
    hasShowDocument: window?.showDocument?.support === true,
    refreshes: {
      diagnostics: workspace?.diagnostics?.refreshSupport === true,
      lenses: workspace?.codeLens?.refreshSupport === true,
      inlayHints: workspace?.inlayHint?.refreshSupport === true,
    },
  };
}

/** A link opens a page. Programs are run by commands, which people see and which trust guards. */
function pagesFrom(given: unknown): string | undefined {
  if (typeof given !== 'string' || !given.includes('{id}')) return undefined;
  return /^(?!command:|javascript:|data:)[a-z][\w+.-]*:/i.test(given) ? given : undefined;
}
