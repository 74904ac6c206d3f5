import {
  commands,
  Disposable,
  Range,
  type TestController,
  type TestItem,
  TestMessage,
  type TestRun,
  TestRunProfileKind,
  TestRunRequest,
  tests,
  Uri,
  window,
  workspace,
} from 'vscode';
import {
  clientCommands,
  type EditorFinding,
  type FindingId,
  type Proof,
  requests,
} from '../server/protocol.ts';
import type { Findings } from './findings.ts';
import { install } from './install.ts';
import type { Report } from './report.ts';
import type { Server } from './server.ts';

/** Proofs are test runs: a cost that was measured is a failure, no difference is a success. */
export interface Proofs extends Disposable {
  /** Runs one proof at a time; refuses in a workspace without trust. */
  prove(findings: readonly FindingId[]): Promise<void>;
}

export function registerProofs(server: Server, findings: Findings, report: Report): Proofs {
  const controller = tests.createTestController('deadtime.proofs', 'Deadtime proofs');
  const known = new Map<string, EditorFinding>();
  controller.createRunProfile('Prove', TestRunProfileKind.Run, async (request) => {
    const items = itemsOf(controller, request, known);
    // A run of all tests excludes proofs; the sign next to a proof starts it.
    const isMeant = request.include !== undefined && items.length === 1;
    if (items.length > 0 && (isMeant || (await isConfirmed(items.length)))) {
      await run(request, items);
    }
  });

  async function run(request: TestRunRequest, items: readonly TestItem[]): Promise<void> {
    if (!(await mayStart())) return;
    const testRun = controller.createTestRun(request);
    for (const item of items) testRun.enqueued(item);
    for (const item of items) {
      const finding = known.get(item.id);
      if (finding && !testRun.token.isCancellationRequested) await prove(finding, item, testRun);
      else testRun.skipped(item);
    }
    testRun.end();
  }

  async function prove(finding: EditorFinding, item: TestItem, testRun: TestRun): Promise<void> {
    testRun.started(item);
    try {
      const { uri, fingerprint } = finding;
      const id = { uri, fingerprint };
      const proof = await server.ask<Proof>(requests.prove, id, testRun.token);
      showResult(proof, item, testRun);
      if (proof.state === 'cannot-prove') void tellWhy(proof);
    } catch (error) {
      if (testRun.token.isCancellationRequested) testRun.skipped(item);
      else testRun.errored(item, new TestMessage(String(error)));
    }
  }

  const subscriptions = [
    controller,
    findings.onChanged((uri) => {
      const found = findings.of(uri)?.findings ?? [];
      showItems(controller, uri, found);
      for (const [id, it] of known) if (it.uri === uri.toString()) known.delete(id);
      for (const it of found) known.set(idOf(it), { ...it, uri: uri.toString() });
    }),
    commands.registerCommand(clientCommands.prove, (id: FindingId) => proofs.prove([id])),
    commands.registerCommand(clientCommands.cancelProof, (id: FindingId) =>
      server.ask(requests.cancelProof, id),
    ),
    commands.registerCommand(clientCommands.installNeeds, async (id: FindingId) => {
      const finding = known.get(idOf(id));
      if (finding && (await mayStart()) && (await install(server, finding)))
        await proofs.prove([id]);
    }),
    commands.registerCommand(clientCommands.openReport, (id: FindingId) => report.open(id)),
  ];
  const proofs: Proofs = {
    async prove(ids) {
      const items = ids.flatMap((id) => itemAt(controller, id) ?? []);
      await run(new TestRunRequest(items, undefined, undefined, false, true), items);
    },
    dispose() {
      for (const it of subscriptions) it.dispose();
    },
  };
  return proofs;
}

/** The commands are hidden in a restricted workspace; a call by name gets this message. */
async function mayStart(): Promise<boolean> {
  if (workspace.isTrusted) return true;
  const manage = 'Manage Workspace Trust';
  const chosen = await window.showWarningMessage(
    'A proof starts programs, and this workspace is not trusted.',
    manage,
  );
  if (chosen === manage) await commands.executeCommand('workbench.trust.manage');
  return false;
}

async function isConfirmed(count: number): Promise<boolean> {
  const seconds = workspace.getConfiguration('deadtime').get('prove.maxSeconds', 5);
  const yes = 'Prove';
  const what = count === 1 ? '1 finding' : `${count} findings`;
  const detail = `They run one at a time, for at most ${seconds} s each: ${count * seconds} s in total.`;
  const chosen = await window.showWarningMessage(`Prove ${what}?`, { modal: true, detail }, yes);
  return chosen === yes;
}

/** Without a message, which VS Code would write behind the line: the lens above shows it. */
function showResult(proof: Proof, item: TestItem, testRun: TestRun): void {
  const lines = [
    proof.summary,
    ...proof.needs.map(({ what, command }) => (command ? `Missing: ${what}. ${command}` : what)),
    ...(proof.node === undefined ? [] : [`Ran on Node.js ${proof.node}.`]),
    ...(proof.command === undefined ? [] : [`Again: ${proof.command}`]),
  ];
  testRun.appendOutput(`${lines.join('\r\n')}\r\n`, undefined, item);
  switch (proof.state) {
    case 'proven':
      return testRun.failed(item, []);
    case 'not-reproduced':
      return testRun.passed(item);
    default:
      return testRun.skipped(item);
  }
}

/** The same is offered by the lens, for later. */
async function tellWhy({ uri, fingerprint, summary, needs }: Proof): Promise<void> {
  const canInstall = needs.some((it) => it.command !== undefined);
  const offer = 'Install Missing Parts…';
  const chosen = await window.showWarningMessage(summary, ...(canInstall ? [offer] : []));
  if (chosen === offer) {
    await commands.executeCommand(clientCommands.installNeeds, { uri, fingerprint });
  }
}

/** Rule, file, finding. */
function showItems(controller: TestController, uri: Uri, found: readonly EditorFinding[]): void {
  const rules = new Set(found.map((it) => it.ruleId));
  for (const [id] of controller.items) rules.add(id);
  for (const ruleId of rules) {
    const own = found.filter((it) => it.ruleId === ruleId);
    const rule = controller.items.get(ruleId) ?? controller.createTestItem(ruleId, ruleId);
    if (own.length === 0) {
      rule.children.delete(uri.toString());
      if (rule.children.size === 0) controller.items.delete(ruleId);
      continue;
    }
    const file = rule.children.get(uri.toString()) ?? fileItem(controller, uri);
    file.children.replace(own.map((it) => findingItem(controller, uri, it, file)));
    rule.children.add(file);
    controller.items.add(rule);
  }
}

function fileItem(controller: TestController, uri: Uri): TestItem {
  return controller.createTestItem(uri.toString(), workspace.asRelativePath(uri), uri);
}

/** The item that there is, if there is one: results of a run are kept with it. */
function findingItem(
  controller: TestController,
  uri: Uri,
  finding: EditorFinding,
  file: TestItem,
): TestItem {
  const id = idOf({ ...finding, uri: uri.toString() });
  const { start, end } = finding.range;
  const item = file.children.get(id) ?? controller.createTestItem(id, finding.message, uri);
  item.label = finding.message;
  if (finding.summary !== undefined) item.description = finding.summary;
  item.range = new Range(start.line, start.character, end.line, end.character);
  return item;
}

function idOf({ uri, fingerprint }: FindingId): string {
  return `${Uri.parse(uri).toString()}#${fingerprint}`;
}

function itemAt(controller: TestController, id: FindingId): TestItem | undefined {
  const file = Uri.parse(id.uri).toString();
  for (const [, rule] of controller.items) {
    const item = rule.children.get(file)?.children.get(idOf(id));
    if (item) return item;
  }
  return undefined;
}

/** The findings below what was asked for, or all of them. */
function itemsOf(
  controller: TestController,
  { include, exclude = [] }: TestRunRequest,
  known: ReadonlyMap<string, EditorFinding>,
): readonly TestItem[] {
  const chosen: TestItem[] = [];
  const visit = (item: TestItem) => {
    if (exclude.includes(item)) return;
    if (known.has(item.id)) chosen.push(item);
    item.children.forEach(visit);
  };
  if (include) include.forEach(visit);
  else controller.items.forEach(visit);
  return chosen;
}
