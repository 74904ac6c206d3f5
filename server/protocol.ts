/*
 * The protocol of the server and its clients beyond the Language Server Protocol. Plain data and names: a client may import
 * this file and nothing else of ours. Texts are ready to be shown; no client formats a number.
 */

/** Configuration is pulled, and its changes pushed, under this name. */
export const section = 'deadtime';

/**
 * Part of the server's capabilities as `experimental`, because an extension and the package of a workspace may have different
 * versions. The number rises whenever an earlier client or server would misunderstand the protocol.
 */
export const spoken = { deadtimeProtocol: 1 } as const;

/** `initializationOptions`; all of it may be left out. */
export interface ServerOptions {
  /** For clients that cannot be asked for their configuration. */
  readonly settings?: Settings;
  /** Commands that the client runs itself: lenses and code actions name them instead of the server's. */
  readonly clientCommands?: readonly ClientCommand[];
  /**
   * Whether programs may be started for this workspace. Without it nothing is proved, no types are asked for, and no
   * configuration that is code is run; where it is left out, types need `Settings.typeChecker`, and configuration is not run.
   */
  readonly isTrusted?: boolean;
  /** Sends `notifications.analysed` and `notifications.proofChanged`. */
  readonly hasStatus?: boolean;
  /** The client shows the message of a diagnostic above the hover, as VS Code does: the hover then starts with the cost. */
  readonly showsMessageInHover?: boolean;
  /**
   * The address of a rule's page, with `{id}` in it: `https:`, or a scheme of the client's own. By default the installed file.
   */
  readonly rulePages?: string;
  /** An absolute folder in which results of proofs are kept; by default the user's cache folder. */
  readonly storagePath?: string;
  /** Announces workspace diagnostics, which some clients then ask for again and again; `requests.scanWorkspace` is there anyway. */
  readonly workspaceDiagnostics?: boolean;
  /** The limit of the analysis for its heap, in megabytes (default 512): beyond it, the analysis starts again. */
  readonly maximumMemoryMb?: number;
}

/** The section `deadtime` of an editor's configuration. Missing and invalid values are the defaults. */
export interface Settings {
  readonly enable?: boolean;
  /** When a document is analysed: `manual` waits for `requests.check`. Default `onType`. */
  readonly run?: 'onType' | 'onSave' | 'manual';
  /** How sure a finding must be; wins over `deadtime.config.json`. */
  readonly profile?: 'project' | 'recommended' | 'strict' | 'audit';
  /** As `rules` in `deadtime.config.json`; overrides it. */
  readonly rules?: Readonly<Record<string, unknown>>;
  /** Whether only what the changes since the last commit bring is shown; needs trust, because git is asked. Default false. */
  readonly onlyChangedLines?: boolean;
  /** Whether a proof raises or lowers what a finding is shown as. Default `evidence`. */
  readonly severityPolicy?: 'evidence' | 'fixed';
  /** Patterns as in .gitignore, from the workspace folder. */
  readonly exclude?: readonly string[];
  /** Whether the TypeScript that the workspace has installed is run, and asked for types that decide a finding. */
  readonly typeChecker?: { readonly enabled?: boolean };
  readonly codeLens?: { readonly enabled?: boolean };
  readonly inlayHints?: { readonly enabled?: boolean };
  readonly prove?: {
    /** The most that one proof may take, unless its user gives it the time that it lacked: 1 to 3600, default 5. */
    readonly maxSeconds?: number;
    /** Measured against this server instead of a local one. */
    readonly databaseUrl?: string;
  };
  /** The Node.js that runs proofs; by default that of the server. */
  readonly node?: { readonly path?: string };
}

/** Commands with `[FindingId]` as their arguments. The server runs those that a client does not announce, where it can. */
export const clientCommands = {
  prove: 'deadtime.prove',
  cancelProof: 'deadtime.cancelProof',
  openReport: 'deadtime.openReport',
  /** Asks whether that may be, then for `requests.install`, then for `requests.prove`. */
  installNeeds: 'deadtime.installNeeds',
  explainRule: 'deadtime.explainRule',
  copyFixPrompt: 'deadtime.copyFixPrompt',
  /** Asks for a reason, then for `requests.ignore`. */
  ignoreWithReason: 'deadtime.ignoreWithReason',
  /** Asks for a reason, then for `requests.baseline`, and writes the result. */
  addToBaseline: 'deadtime.addToBaseline',
} as const;
export type ClientCommand = (typeof clientCommands)[keyof typeof clientCommands];

/** The names for `workspace/executeCommand`; unique ones, because a client registers them all by itself. */
export const serverCommands = {
  /** `[FindingId]`: returns a `Proof`. */
  prove: 'deadtime.server.prove',
  /** `[FindingId]` */
  cancelProof: 'deadtime.server.cancelProof',
  /** `[FindingId]`: has the client show the page. */
  openReport: 'deadtime.server.openReport',
  /** `[FindingId]`: shows what a rule is about as a message. */
  explainRule: 'deadtime.server.explainRule',
  /** No arguments: returns a `ScanSummary`. */
  scanWorkspace: 'deadtime.server.scanWorkspace',
} as const;

/** Requests from the client to the server: the method, with its parameters and its result below. */
export const requests = {
  /** `DocumentId` -> `Analysis`. Analyses immediately, regardless of `run`. */
  check: 'deadtime/check',
  /** `DocumentId` -> `Finding[]`: the cached findings. */
  findings: 'deadtime/findings',
  /** `ProveParams` -> `Proof`. Cancelling the request cancels the proof. One runs at a time, further proofs wait. */
  prove: 'deadtime/prove',
  /** `FindingId` -> null. */
  cancelProof: 'deadtime/cancelProof',
  /** `FindingId` -> `InstallResult`. Runs the commands of the finding's needs; the client has asked the user. Can be cancelled. */
  install: 'deadtime/install',
  /** `FindingId` -> `ProofReport | null`: null where nothing has been measured. */
  proofReport: 'deadtime/proofReport',
  /** `FindingId` -> `TextResult | null`: the prompt for an agent, of at most some 200 tokens. */
  fixPrompt: 'deadtime/fixPrompt',
  /** `IgnoreParams` -> a `WorkspaceEdit`, or null where no comment can go. */
  ignore: 'deadtime/ignore',
  /** `IgnoreParams` -> `BaselineFile | null`: null for what lies on no disk, and where the file is no baseline. */
  baseline: 'deadtime/baseline',
  /** `{ ruleId: string }` -> `TextResult | null`: its page as Markdown. */
  rulePage: 'deadtime/rulePage',
  /** `DocumentId` -> `TextResult`: the configuration of a file, exactly as `deadtime --print-config` prints it. */
  configuration: 'deadtime/configuration',
  /** `LineId` -> `TextResult | null`: why a line has no finding, exactly as `deadtime why` prints it; null for what is on no disk. */
  why: 'deadtime/why',
  /** `{ workDoneToken?, partialResultToken? }` -> `ScanSummary`. Diagnostics of files that are not open are pushed. */
  scanWorkspace: 'deadtime/scanWorkspace',
  /** null -> `Review`: the findings of the changes since the last commit, in all folders. */
  review: 'deadtime/review',
  /** `ToolParams` -> `TextResult`: a coding agent's request about the texts in the editor. */
  tool: 'deadtime/tool',
  /** null -> `TextResult`: versions, timings and the last error, for a report of a defect. */
  diagnosticsReport: 'deadtime/diagnosticsReport',
} as const;

/** Notifications; the first two go to the client, the others to the server. */
export const notifications = {
  /** `Analysis` */
  analysed: 'deadtime/analysed',
  /** `Proof`: its state has changed. */
  proofChanged: 'deadtime/proofChanged',
  /** `{ isTrusted: boolean }` */
  trustChanged: 'deadtime/trustChanged',
  /** `ProofSetup`: replaces the one before. */
  proofSetup: 'deadtime/proofSetup',
} as const;

export interface DocumentId {
  readonly uri: string;
}

export interface LineId extends DocumentId {
  /** Zero-based. */
  readonly line: number;
}

/** A finding of a document; the fingerprint changes with the code of the function around it. */
export interface FindingId extends DocumentId {
  readonly fingerprint: string;
}

/** `Diagnostic.data` of every diagnostic of ours. */
export interface DiagnosticData {
  readonly fingerprint: string;
  readonly state: ProofState;
}

/**
 * `estimated`: only a formula. `proven`: the code before the fix is slower here, or fails. `not-reproduced`: no difference on
 * this machine. `cannot-prove`: something is missing, failed or the machine was busy. `stale`: the code has changed since.
 */
export type ProofState =
  'estimated' | 'measuring' | 'proven' | 'not-reproduced' | 'cannot-prove' | 'cancelled' | 'stale';

export interface EditorFinding extends FindingId {
  readonly ruleId: string;
  readonly message: string;
  /** The severity as shown, with the results of proofs. */
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  /** Zero-based, as in the protocol. */
  readonly range: {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
  };
  readonly state: ProofState;
  /** "38 times slower: 212 ms against 5.6 ms."; absent as long as nothing was measured. */
  readonly summary?: string;
  /**
   * What a run of the user's program has measured of it: "Measured in your program: 4.4 ms per request in GET /dashboard (412
   * requests)", that it did not run, or that its code has changed since; absent where no recording contains it.
   */
  readonly measured?: string;
  /** The code of `measured` has changed since. */
  readonly isStale?: true;
  readonly needs: readonly Need[];
}

/** The missing parts for a proof on this machine, with the command that installs them. */
export interface Need {
  readonly what: string;
  readonly command?: string;
}

/** The result of one analysis of a document. */
export interface Analysis extends DocumentId {
  readonly version: number;
  readonly milliseconds: number;
  readonly findings: readonly EditorFinding[];
  /** The number of further findings, which the baseline hides; absent from earlier servers. */
  readonly baselined?: number;
  /** Why the file, or a part of it, was left out. */
  readonly notices: readonly string[];
}

export interface ProveParams extends FindingId {
  readonly maxSeconds?: number;
}

/** The program that runs proofs and the addresses of their databases, where these differ from the settings. */
export interface ProofSetup {
  /** The program and its arguments before `prove`: `[node, '/…/node_modules/deadtime/dist/cli.js']`. */
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly databaseUrl?: string;
}

export interface Proof extends FindingId {
  readonly state: ProofState;
  /** One or two sentences: the result, or why there is none and what to do. */
  readonly summary: string;
  readonly needs: readonly Need[];
  /** The time that the next try gets, because this one did not fit its own. */
  readonly neededSeconds?: number | undefined;
  /** "v24.21.0": the Node.js that ran it; absent where nothing ran. */
  readonly node?: string;
  /** ISO 8601; absent where nothing ran. */
  readonly date?: string;
  /** The command line that repeats it; absent where nothing ran. */
  readonly command?: string;
}

export interface InstallResult {
  readonly isInstalled: boolean;
  /** Why not; empty where it is. */
  readonly text: string;
}

export interface ProofReport {
  readonly title: string;
  readonly proof: Proof;
  /** A whole page without scripts, as `deadtime prove --html` writes it. */
  readonly html: string;
}

export interface IgnoreParams extends FindingId {
  /** Follows `--` in the comment, or goes into the baseline. */
  readonly reason: string;
}

/** The content of `deadtime.baseline.json` with the finding in it: the client writes it, and the finding disappears. */
export interface BaselineFile extends DocumentId {
  readonly text: string;
}

/** The tools of `deadtime mcp`. */
export type ToolParams =
  | { readonly tool: 'check_code'; readonly uris: readonly string[] }
  | ({ readonly tool: 'explain_finding' } & ToolPlace)
  | ({ readonly tool: 'prove_finding'; readonly maxSeconds?: number } & ToolPlace)
  | { readonly tool: 'measured_waits' };

export interface ToolPlace extends DocumentId {
  /** From 1. */
  readonly line: number;
  /** From 1; without it, the costliest finding of the line is meant. */
  readonly column?: number;
  /** From 1: which of the findings that start there. */
  readonly ordinal?: number;
}

export interface Review {
  readonly findings: readonly Omit<EditorFinding, 'state' | 'summary' | 'needs'>[];
  /** Why there is no answer for a folder. */
  readonly failures: readonly string[];
}

export interface TextResult {
  readonly text: string;
}

export interface ScanSummary {
  readonly files: number;
  readonly findings: number;
  readonly milliseconds: number;
  readonly isCancelled: boolean;
  /** Why it has ended before the last file; absent where it has not. */
  readonly failure?: string;
  /** "12 findings in 340 files." */
  readonly text: string;
}
