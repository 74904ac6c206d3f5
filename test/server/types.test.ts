import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { CheckedType } from '../../src/analysis/file/source.ts';
import { type Analysis, notifications, type ServerOptions } from '../../server/protocol.ts';
import type { TypeOrder } from '../../src/project/typescript/messages.ts';
import type { StartTypes } from '../../src/project/typescript/provider.ts';
import { editorFor } from '../fakes/editor.ts';
import { ordersOfContext, typedProject } from '../fakes/typed-project.ts';

const pool: CheckedType = { kind: 'object', modules: ['pg'], name: 'Pool' };

/** Takes every expression that ends in `pool` for one of pg; says nothing until it is let. */
function fakeChecker({ isLet = true } = {}) {
  const texts = new Map<string, string | undefined>();
  const orders: TypeOrder[] = [];
  const waiting: (() => void)[] = [];
  let started = 0;
  let isDenied = false;
  const start: StartTypes = ({ onReply }) => {
    started++;
    return {
      post(order) {
        orders.push(order);
        for (const [path, text] of order.texts) texts.set(path, text);
        const answers = order.questions.map(({ path, ranges }) =>
          ranges.map((it) =>
            !isDenied &&
            texts
              .get(path)
              ?.slice(...it)
              .endsWith('pool')
              ? pool
              : undefined,
          ),
        );
        const reply = () => onReply({ id: order.id, answers, failures: [] });
        if (isLet) setImmediate(reply);
        else waiting.push(reply);
      },
      end() {},
    };
  };
  return {
    ...{ start, orders },
    count: () => started,
    deny: () => (isDenied = true),
    reply: () => waiting.splice(0).forEach((it) => it()),
  };
}

async function opened(
  startTypes: StartTypes | undefined,
  options: ServerOptions = { isTrusted: true },
) {
  const { path } = typedProject({}, 'none');
  const uri = pathToFileURL(join(path, 'src/orders.ts')).href;
  const editor = await editorFor({
    folders: [path],
    settings: options.settings ?? {},
    options: { hasStatus: true, ...options },
    environment: startTypes ? { startTypes } : {},
  });
  const analysed = () => editor.told<Analysis>(notifications.analysed);
  const first = analysed();
  await editor.open(uri, ordersOfContext);
  const codesOf = ({ findings }: Analysis) => findings.map((it) => it.ruleId);
  return { editor, uri, first: async () => codesOf(await first), analysed, codesOf };
}

describe('server types', () => {
  it('come after the first diagnostics, and resolve a connection', async () => {
    const checker = fakeChecker({ isLet: false });
    const { editor, uri, first, analysed, codesOf } = await opened(checker.start);
    deepStrictEqual(await editor.itemsOf(uri), []);
    deepStrictEqual(await first(), []);
    const second = analysed();
    while (checker.orders.length === 0) await editor.itemsOf(uri);
    checker.reply();
    deepStrictEqual(codesOf(await second), ['no-leaked-connection']);
    deepStrictEqual(
      (await editor.itemsOf(uri)).map((it) => it.code),
      ['no-leaked-connection'],
    );
  });

  it('are those of the newest text', async () => {
    const checker = fakeChecker({ isLet: false });
    const { editor, uri } = await opened(checker.start);
    await editor.itemsOf(uri);
    while (checker.orders.length === 0) await editor.itemsOf(uri);
    // Of the same length, so that no offset gives it away.
    await editor.edit(uri, '.pool', '.poof');
    deepStrictEqual(await editor.itemsOf(uri), []);
    checker.reply();
    while (checker.orders.length === 1) await editor.itemsOf(uri);
    deepStrictEqual(
      checker.orders[1]!.texts.map(([, text]) => text),
      [editor.textOf(uri)],
    );
    checker.reply();
    deepStrictEqual(await editor.itemsOf(uri), []);
  });

  it('stay while the user types elsewhere, move with the text, and disappear with an edited function', async () => {
    const checker = fakeChecker({ isLet: false });
    const { editor, uri, analysed, codesOf } = await opened(checker.start);
    const orders = async (many: number) => {
      while (checker.orders.length < many) await editor.itemsOf(uri);
    };
    const lines = async () =>
      (await editor.itemsOf(uri)).map((it) => `${it.code} ${it.range.start.line}`);
    await orders(1);
    const second = analysed();
    checker.reply();
    deepStrictEqual(codesOf(await second), ['no-leaked-connection']);
    const [found] = await lines();
    strictEqual(found, 'no-leaked-connection 3');

    await editor.edit(uri, 'export async', 'export const two = () => 2;\n\nexport async');
    deepStrictEqual(await lines(), ['no-leaked-connection 5']);
    // Before the checker has seen the first.
    await editor.edit(uri, '=> 2;', '=> 22;');
    deepStrictEqual(await lines(), ['no-leaked-connection 5']);
    await orders(2);
    checker.reply();
    deepStrictEqual(await lines(), ['no-leaked-connection 5']);

    await editor.edit(uri, 'return [];', 'return [ ];');
    deepStrictEqual(await lines(), []);
    const third = analysed();
    await orders(3);
    checker.reply();
    deepStrictEqual(codesOf(await third), ['no-leaked-connection']);
  });

  it('disappear once the checker’s answer has changed', async () => {
    const checker = fakeChecker({ isLet: false });
    const { editor, uri, analysed } = await opened(checker.start);
    const asked = async (many: number) => {
      while (checker.orders.length < many) await editor.itemsOf(uri);
    };
    await asked(1);
    const second = analysed();
    checker.reply();
    await second;
    // It is another type now, which the text of the function does not show.
    checker.deny();
    await editor.edit(uri, 'import {', 'import { tenants,');
    strictEqual((await editor.itemsOf(uri)).length, 1);
    await asked(2);
    const third = analysed();
    checker.reply();
    await asked(3);
    checker.reply();
    deepStrictEqual((await third).findings, []);
    deepStrictEqual(await editor.itemsOf(uri), []);
  });

  it('are asked for once, however often the diagnostics are', async () => {
    const checker = fakeChecker();
    const { editor, uri, first, analysed } = await opened(checker.start);
    await editor.itemsOf(uri);
    await first();
    await analysed();
    for (let i = 0; i < 3; i++) strictEqual((await editor.itemsOf(uri)).length, 1);
    strictEqual(checker.orders.length, 1);
  });

  for (const [why, options] of Object.entries<ServerOptions>({
    'in a workspace that is not trusted': {
      isTrusted: false,
      settings: { typeChecker: { enabled: true } },
    },
    'where nobody has said whether it is trusted': {},
    'where the settings say so': { isTrusted: true, settings: { typeChecker: { enabled: false } } },
  })) {
    it(`are not loaded ${why}`, async () => {
      const checker = fakeChecker();
      const { editor, uri } = await opened(checker.start, options);
      for (let i = 0; i < 3; i++) {
        deepStrictEqual(await editor.itemsOf(uri), []);
        await editor.edit(uri, 'object', ' object');
        await setTimeout(60);
      }
      await editor.connection.sendRequest('shutdown');
      strictEqual(checker.count(), 0);
    });
  }

  it('are loaded once the workspace is trusted', async () => {
    const checker = fakeChecker();
    const { editor, uri, first, analysed } = await opened(checker.start, { isTrusted: false });
    await editor.itemsOf(uri);
    deepStrictEqual(await first(), []);
    strictEqual(checker.count(), 0);
    const next = analysed();
    await editor.connection.sendNotification(notifications.trustChanged, { isTrusted: true });
    await editor.itemsOf(uri);
    await next;
    while ((await editor.itemsOf(uri)).length === 0);
    strictEqual(checker.count(), 1);
  });

  it('change nothing where the checker cannot be started', async () => {
    const ended: StartTypes = ({ onEnd }) => ({
      post: () => void setImmediate(() => onEnd('no such program')),
      end() {},
    });
    const { editor, uri, first } = await opened(ended);
    const logged = new Promise<string>((resolve) => {
      editor.connection.onNotification('window/logMessage', ({ message }: { message: string }) =>
        resolve(message),
      );
    });
    await editor.itemsOf(uri);
    deepStrictEqual(await first(), []);
    match(await logged, /^Analysed without types: no such program$/);
    deepStrictEqual(await editor.itemsOf(uri), []);
  });
});
