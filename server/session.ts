import type { CancellationToken, Command, Connection } from 'vscode-languageserver/node';
import type { Problem } from '../src/scan/problem.ts';
import type { StartTypes } from '../src/project/typescript/provider.ts';
import type { FindingCommand } from './actions.ts';
import type { Analyses } from './analyses.ts';
import type { Start } from './analysis/thread.ts';
import type { Client } from './client.ts';
import type { Sheet, Sheets } from './documents.ts';
import type { Proofs } from './proofs/proofs.ts';
import { clientCommands, type FindingId, serverCommands } from './protocol.ts';
import { placed, type DiagnosticOptions, type DocumentProblem, type Standing } from './to-lsp.ts';
import type { Recordings } from './recordings.ts';
import type { Workspace } from './workspace.ts';

/** The options of the program that starts the server. */
export interface Environment {
  readonly version: string;
  /** A rule's page, in Markdown. */
  pageOf(ruleId: string): string | undefined;
  /** The address of a rule's page: `file:`. */
  pageUrlOf(ruleId: string): string;
  /** The arguments after a Node.js that start the command line: `['/…/dist/cli.js']`. */
  readonly program: readonly string[];
  /** Where results of proofs are kept unless the client sets a different place. */
  readonly storagePath: string;
  /** The analysis in this thread instead of one of its own: for tests. */
  readonly start?: Start;
  /** The type checker likewise. */
  readonly startTypes?: StartTypes;
}

/** All that the answers to one client rest on. */
export interface Session {
  readonly connection: Connection;
  readonly environment: Environment;
  readonly client: Client;
  readonly workspace: Workspace;
  readonly sheets: Sheets;
  readonly analyses: Analyses;
  readonly proofs: Proofs;
  readonly recordings: Recordings;
  /** Another number when findings are shown in another way although nothing was analysed. */
  readonly showing: number;
}

/** The findings of a sheet's present text at their places; undefined where it was closed or no request waits for them. */
export async function findingsOf(
  { analyses, recordings }: Session,
  sheet: Sheet,
  token?: CancellationToken,
): Promise<readonly DocumentProblem[] | undefined> {
  const known = await analyses.fresh(sheet, token);
  if (!known || known.revision !== sheet.revision) return undefined;
  return placed(recordings.measured(sheet, known.analysis.problems), sheet);
}

/** The cached findings; none when the text has changed since. */
export function knownFindingsOf(
  { analyses, recordings }: Session,
  sheet: Sheet,
): readonly DocumentProblem[] {
  const known = analyses.known(sheet);
  if (known?.revision !== sheet.revision) return [];
  return placed(recordings.measured(sheet, known.analysis.problems), sheet);
}

export function findingAt(session: Session, { uri, fingerprint }: FindingId) {
  const sheet = session.sheets.get(uri);
  if (!sheet) return undefined;
  const found = knownFindingsOf(session, sheet).find(
    (it) => it.problem.fingerprint === fingerprint,
  );
  return found && { ...found, sheet };
}

export function linkOf({ client, environment }: Session, ruleId: string): string {
  return client.rulePages?.replaceAll('{id}', ruleId) ?? environment.pageUrlOf(ruleId);
}

export function standingOf({ proofs, workspace }: Session, problem: Problem): Standing {
  return proofs.standingOf(problem, workspace.settingsAt(problem.path).severityPolicy);
}

/** The folder for relative paths and for proofs. */
export function folderOf({ workspace }: Session, { path }: Pick<Sheet, 'path'>): string {
  return workspace.folderAt(path) ?? workspace.main;
}

export function diagnosticOptions(session: Session): DiagnosticOptions {
  const { client, sheets } = session;
  return {
    hasRelated: client.hasRelated,
    hasLinks: client.hasLinks,
    linkOf: (ruleId) => linkOf(session, ruleId),
    uriOf: (path) => sheets.uriOf(path),
    standingOf: (problem) => standingOf(session, problem),
  };
}

/** A command that the client runs, else the server; undefined where neither can. */
export function commandFor(
  { client }: Session,
  name: FindingCommand,
  title: string,
  id: FindingId,
): Command | undefined {
  const own = clientCommands[name];
  if (client.commands.has(own)) return { title, command: own, arguments: [id] };
  const ours =
    name in serverCommands ? serverCommands[name as keyof typeof serverCommands] : undefined;
  return ours === undefined ? undefined : { title, command: ours, arguments: [id] };
}
