import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { agentNames } from '../src/cli/init/names.ts';
import { chosenServer, isUnderstood, withinLimit } from '../extension/choice.ts';
import { notShownBy, shownByLinters } from '../extension/dedupe.ts';
import { clientCommands, spoken } from '../server/protocol.ts';

interface Setting {
  readonly order?: number;
  readonly scope?: string;
  readonly markdownDescription?: string;
  readonly enum?: readonly unknown[];
  readonly markdownEnumDescriptions?: readonly string[];
}

interface Step {
  readonly description: string;
  readonly media: { readonly markdown: string };
}

const manifest = JSON.parse(readFileSync('extension/package.json', 'utf8')) as {
  readonly version: string;
  readonly engines: { readonly vscode: string };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly capabilities: {
    readonly untrustedWorkspaces: {
      readonly supported: string;
      readonly restrictedConfigurations: readonly string[];
    };
  };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly enablement?: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
    readonly languageModelTools: readonly {
      readonly name: string;
      readonly modelDescription: string;
    }[];
    readonly walkthroughs: readonly { readonly steps: readonly Step[] }[];
  };
};
/** In the order of the server's list. */
const toolNames = ['check_code', 'explain_finding', 'prove_finding', 'measured_waits'];
const sources = new Map(
  readdirSync('extension')
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [name, readFileSync(`extension/${name}`, 'utf8')]),
);
const code = [...sources.values()].join('\n');
const settings = Object.entries(manifest.contributes.configuration.properties);
const commands = manifest.contributes.commands.map((it) => it.command);

describe('extension', () => {
  it('has the version of the package', () => {
    const own = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
    deepStrictEqual(manifest.version, own.version);
  });

  it('is written against the oldest VS Code that it runs in', () => {
    deepStrictEqual(manifest.engines.vscode, `^${manifest.devDependencies['@types/vscode']}`);
  });

  it('installs nothing: all is bundled', () => deepStrictEqual(manifest.dependencies, undefined));

  it('registers the commands that it shows, and those that the server names', () => {
    const named = Object.keys(clientCommands).map((name) => `clientCommands.${name}`);
    deepStrictEqual(
      [...commands.map((it) => `'${it}'`), ...named].filter((it) => !code.includes(it)),
      [],
    );
  });

  it('registers the tools that it describes, which are those of the server for agents', () => {
    const names = manifest.contributes.languageModelTools.map((it) => it.name);
    deepStrictEqual(
      names.map((it) => [it, code.includes(`'${it}'`)]),
      toolNames.map((it) => [`deadtime_${it}`, true]),
    );
  });

  it('describes its tools in the words of the server for agents', () => {
    const server = readFileSync('src/mcp/serve.ts', 'utf8');
    deepStrictEqual(
      manifest.contributes.languageModelTools
        .map((it) => it.modelDescription)
        .filter((it) => !server.includes(it)),
      [],
    );
  });

  it('shows commands in its walkthrough that there are', () => {
    const steps = manifest.contributes.walkthroughs.flatMap((it) => it.steps);
    const named = steps.flatMap(({ description }) =>
      [...description.matchAll(/command:([\w.]+)/g)].map(([, name]) => name!),
    );
    ok(named.length > 0);
    deepStrictEqual(
      named.filter((it) => !code.includes(`'${it}'`)),
      [],
    );
    for (const { media } of steps) ok(readFileSync(`extension/${media.markdown}`, 'utf8').trim());
  });

  for (const [name, setting] of settings) {
    it(`describes ${name}`, () => {
      match(setting.markdownDescription ?? '', /\.$/);
      ok(setting.order !== undefined && setting.scope !== undefined);
      if (setting.enum && name !== 'deadtime.trace.server') {
        deepStrictEqual(setting.markdownEnumDescriptions?.length, setting.enum.length);
      }
    });
  }

  it('offers the hook of every agent that the command line sets up', () => {
    const [, listed = ''] = /const agents = \{(.+?)\};/s.exec(sources.get('agent-hook.ts')!) ?? [];
    deepStrictEqual(
      [...listed.matchAll(/(\w+):/g)].map(([, name]) => name),
      [...agentNames],
    );
  });

  it('leaves out what ESLint or oxlint shows on a line by the same rule', () => {
    const at = (line: number) => ({ range: { start: { line } } });
    const ours = [1, 2, 3].map((line) => ({
      ...at(line),
      source: 'deadtime',
      code: 'no-hot-path-sleep',
    }));
    const others = [
      { ...at(1), source: 'eslint', code: { value: 'deadtime/no-hot-path-sleep' } },
      { ...at(2), source: 'oxc', code: 'deadtime(no-hot-path-sleep)' },
      { ...at(3), source: 'eslint', code: 'deadtime/no-leaked-connection' },
      { ...at(3), source: 'eslint', code: 'no-hot-path-sleep' },
      { ...at(3), source: 'other', code: 'deadtime/no-hot-path-sleep' },
    ];
    deepStrictEqual(notShownBy(others, ours), [ours[2]]);
    deepStrictEqual(notShownBy([...ours], ours), ours);
    strictEqual(
      shownByLinters(others),
      '1 no-hot-path-sleep,2 no-hot-path-sleep,3 no-leaked-connection',
    );
    strictEqual(shownByLinters(ours), '');
  });

  it('lets a restricted workspace start nothing', () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    deepStrictEqual(supported, 'limited');
    const starting = settings
      .map(([name]) => name)
      .filter((it) => /path$|Url$|WorkspaceVersion$/.test(it));
    deepStrictEqual(restrictedConfigurations.toSorted(), starting.toSorted());
  });

  it('hides what starts programs where the workspace is not trusted', () => {
    const guarded = manifest.contributes.commands.filter(({ enablement = '' }) =>
      /^isWorkspaceTrusted\b(?!.*\|\|)/.test(enablement),
    );
    deepStrictEqual(
      guarded.map((it) => it.command),
      ['proveHere', 'proveFile', 'reviewChanges', 'installAgentHook', 'runAndMeasure'].map(
        (it) => `deadtime.${it}`,
      ),
    );
  });

  it('starts a task in one place, behind the question of trust', () => {
    const starting = [...sources].filter(([, text]) => /\bexecuteTask\b/.test(text));
    deepStrictEqual(
      starting.map(([name]) => name),
      ['terminal.ts'],
    );
    match(
      starting[0]![1],
      /function terminalFor\(.*\{\n {2}if \(!workspace\.isTrusted\) \{\n.*\n {4}return undefined;\n {2}\}\n/,
    );
  });

  it('runs the server that it is packed with, and another in one place, behind a choice', () => {
    const programs = [...code.matchAll(/asAbsolutePath\('([^']+)'\)/g)].map(([, path]) => path!);
    deepStrictEqual(new Set(programs), new Set(['dist/server/dist/cli.js']));
    deepStrictEqual(code.match(/child_process|createRequire|\brequire\(/g), null);
    deepStrictEqual(code.match(/node_modules/g)?.length, 1);
    const server = sources.get('server.ts')!;
    match(server, /'node_modules\/deadtime\/dist\/cli\.js'/);
    // The only use of what looks for it, and the only one that makes a choice of a path.
    deepStrictEqual(code.match(/installedServer/g)?.length, 2);
    match(
      server,
      /await chosenServer\(\{\n.*\n.*\n {6}isTrusted: workspace\.isTrusted,\n {6}installed: installedServer,\n/,
    );
    match(sources.get('client.ts')!, /command: process\.execPath,\n {4}args: \[path, 'lsp'\]/);
  });

  describe('with a server that the workspace has installed', () => {
    const [own, installed] = ['/extension/cli.js', '/shop/node_modules/deadtime/dist/cli.js'];
    /** What runs, and whether anybody looked for the other one. */
    async function choice(isWanted: boolean, isTrusted: boolean, path: string | undefined) {
      let isSought = false;
      const seek = async () => {
        isSought = true;
        return path;
      };
      const chosen = await chosenServer({ own, isWanted, isTrusted, installed: seek });
      return { ...chosen, isSought };
    }

    it('runs it where the setting asks for it in a trusted workspace', async () => {
      const expected = { path: installed, isOfWorkspace: true, isSought: true };
      deepStrictEqual(await choice(true, true, installed), expected);
    });

    it('runs its own without trust, with any setting, and does not search for a different one', async () => {
      const expected = { path: own, isOfWorkspace: false, isSought: false };
      const reason = 'the workspace is not trusted';
      deepStrictEqual(await choice(true, false, installed), { ...expected, reason });
      deepStrictEqual(await choice(false, false, installed), expected);
    });

    it('runs its own without a setting, and where there is none', async () => {
      const expected = { path: own, isOfWorkspace: false };
      deepStrictEqual(await choice(false, true, installed), { ...expected, isSought: false });
      const reason = 'the first folder has no deadtime installed';
      deepStrictEqual(await choice(true, true, undefined), { ...expected, reason, isSought: true });
    });

    it('understands those that speak as it does', () => {
      strictEqual(isUnderstood({ ...spoken, more: true }), true);
      const others = [
        undefined,
        null,
        {},
        1,
        '',
        { deadtimeProtocol: spoken.deadtimeProtocol + 1 },
      ];
      deepStrictEqual(others.filter(isUnderstood), []);
    });

    it('waits for its start no longer than a limit', async () => {
      const never = new Promise<undefined>(() => {});
      match((await withinLimit(never, 5)) ?? '', /does not respond within 0\.005 s$/);
      strictEqual(await withinLimit(Promise.resolve('another protocol')), 'another protocol');
      strictEqual(await withinLimit(Promise.resolve(undefined)), undefined);
    });
  });

  it('asks for a proof in one place, behind the question of trust', () => {
    const asking = [...sources].filter(([, text]) => /requests\.prove\b/.test(text));
    deepStrictEqual(
      asking.map(([name]) => name),
      ['proofs.ts'],
    );
    const [, text] = asking[0]!;
    ok(text.indexOf('await mayStart()') < text.indexOf('requests.prove,'));
  });

  it('uses no network and no telemetry', () => {
    const names =
      /\b(?:fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|createTelemetryLogger|TelemetryLogger|openExternal|asExternalUri|isTelemetryEnabled|machineId)\b/g;
    deepStrictEqual(
      [...code.matchAll(names)].map(([name]) => name),
      [],
    );
  });
});
