import {
  type CancellationToken,
  type Disposable,
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
import type { EditorFinding, FindingId, Proof } from '../server/protocol.ts';
import type { Findings } from './findings.ts';

/**
 * Findings as tests, where `deadtime.testing.enabled` is set: a cost that was measured is a failure, no difference is a success.
 * By default there are none, because an arrow in the gutter and a row in the Testing view repeat what the lens shows.
 */
export interface ProofTests extends Disposable {
  readonly isEnabled: boolean;
  /** Proves them as one test run. */
  run(ids: readonly FindingId[]): Promise<void>;
}

export interface ProofRunner {
  mayStart(): Promise<boolean>;
  one(id: FindingId, token: CancellationToken): Promise<Proof>;
}

export function registerProofTests(findings: Findings, runner: ProofRunner): ProofTests {
  let controller: ProofController | undefined;
  const follow = () => {
    const isWanted = workspace.getConfiguration('deadtime').get('testing.enabled', false);
    if (isWanted === (controller !== undefined)) return;
    controller?.dispose();
    controller = isWanted ? new ProofController(findings, runner) : undefined;
  };
  follow();
  const subscription = workspace.onDidChangeConfiguration(follow);
  return {
    get isEnabled() {
      return controller !== undefined;
    },
    run: async (ids) => controller?.run(ids),
    dispose() {
      subscription.dispose();
      controller?.dispose();
    },
  };
}

class ProofController {
  readonly #controller = tests.createTestController('deadtime.proofs', 'Deadtime proofs');
  readonly #known = new Map<string, EditorFinding>();
  readonly #runner: ProofRunner;
  readonly #subscription: Disposable;

  constructor(findings: Findings, runner: ProofRunner) {
    this.#runner = runner;
    this.#controller.createRunProfile('Prove', TestRunProfileKind.Run, (request) =>
      this.#asked(request),
    );
    const show = (uri: Uri) => this.#show(uri, findings.of(uri)?.findings ?? []);
    this.#subscription = findings.onChanged(show);
    for (const { uri } of workspace.textDocuments) show(uri);
  }

  async run(ids: readonly FindingId[]): Promise<void> {
    const items = ids.flatMap((id) => itemAt(this.#controller, id) ?? []);
    await this.#run(new TestRunRequest(items, undefined, undefined, false, true), items);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#controller.dispose();
  }

  async #asked(request: TestRunRequest): Promise<void> {
    const items = itemsOf(this.#controller, request, this.#known);
    // A run of all tests excludes proofs; the sign next to a proof starts it.
    const isMeant = request.include !== undefined && items.length === 1;
    if (items.length === 0 || !(isMeant || (await isConfirmed(items.length)))) return;
    if (await this.#runner.mayStart()) await this.#run(request, items);
  }

  async #run(request: TestRunRequest, items: readonly TestItem[]): Promise<void> {
    const testRun = this.#controller.createTestRun(request);
    for (const item of items) testRun.enqueued(item);
    for (const item of items) {
      const finding = this.#known.get(item.id);
      if (finding && !testRun.token.isCancellationRequested) {
        await this.#prove(finding, item, testRun);
      } else {
        testRun.skipped(item);
      }
    }
    testRun.end();
  }

  async #prove(finding: EditorFinding, item: TestItem, testRun: TestRun): Promise<void> {
    testRun.started(item);
    try {
      showResult(await this.#runner.one(finding, testRun.token), item, testRun);
    } catch (error) {
      if (testRun.token.isCancellationRequested) testRun.skipped(item);
      else testRun.errored(item, new TestMessage(String(error)));
    }
  }

  #show(uri: Uri, found: readonly EditorFinding[]): void {
    showItems(this.#controller, uri, found);
    for (const [id, it] of this.#known) if (it.uri === uri.toString()) this.#known.delete(id);
    for (const it of found) this.#known.set(idOf(it), { ...it, uri: uri.toString() });
  }
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
