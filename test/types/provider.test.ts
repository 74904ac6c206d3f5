import { deepStrictEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { TypeQuestions } from '../../src/project/type-memory.ts';
import type { TypeOrder, TypeReply } from '../../src/project/typescript/messages.ts';
import { installedTypes, type StartTypes } from '../../src/project/typescript/provider.ts';
import { ordersOfContext, typedProject } from '../fakes/typed-project.ts';

const asked: TypeQuestions = { path: '/app.ts', length: 9, version: 1, ranges: [[0, 3]] };
const pool = { kind: 'object', modules: ['pg'], name: 'Pool' } as const;

/** A process that is told what to reply; it keeps what it is asked. */
function fakeProcess(reply: (order: TypeOrder) => TypeReply | 'nothing' | 'the end') {
  const orders: Omit<TypeOrder, 'id'>[] = [];
  const events: string[] = [];
  const start: StartTypes = ({ onReply, onEnd }) => {
    events.push('start');
    return {
      post({ id, ...order }) {
        orders.push(order);
        const it = reply({ id, ...order });
        if (it === 'the end') setImmediate(() => onEnd('out of memory'));
        else if (it !== 'nothing') setImmediate(() => onReply(it));
      },
      end: () => void events.push('end'),
    };
  };
  return { start, orders, events };
}

const knowing = ({ id, questions }: TypeOrder): TypeReply => ({
  ...{ id, failures: [] },
  answers: questions.map(() => [pool]),
});

describe('type provider', () => {
  it('starts nothing before there is a question', async () => {
    const { start, events } = fakeProcess(knowing);
    const types = installedTypes({ start, onFailure() {} });
    deepStrictEqual(await types.answersTo([]), []);
    types.changed(['/db.ts']);
    types.end();
    deepStrictEqual(events, []);
  });

  it('reports changes to the process, once, and all files to a new one', async () => {
    const { start, orders } = fakeProcess(knowing);
    const types = installedTypes({ start, onFailure() {} });
    deepStrictEqual(await types.answersTo([asked], [['/app.ts', 'db.find()']]), [[pool]]);
    types.changed(['/db.ts']);
    await types.answersTo([], [['/db.ts', 'let db']]);
    await types.answersTo([asked]);
    await types.answersTo([asked], [['/app.ts', undefined]]);
    types.end();
    await types.answersTo([asked]);
    const questions = [asked];
    deepStrictEqual(orders, [
      { texts: [['/app.ts', 'db.find()']], changed: [], questions },
      { texts: [['/db.ts', 'let db']], changed: ['/db.ts'], questions },
      { texts: [['/app.ts', undefined]], changed: [], questions },
      { texts: [['/db.ts', 'let db']], changed: [], questions },
    ]);
    types.end();
  });

  it('has no answers where the process ends, and starts none after the second time', async () => {
    const { start, events } = fakeProcess(() => 'the end');
    const failures: string[] = [];
    const types = installedTypes({ start, onFailure: (it) => void failures.push(it) });
    for (let i = 0; i < 4; i++) deepStrictEqual(await types.answersTo([asked]), [[]]);
    deepStrictEqual(events, ['start', 'end', 'start', 'end']);
    deepStrictEqual(failures, ['out of memory']);
  });

  it('ends a process that is slow, and has no answers', async () => {
    const { start, events } = fakeProcess(() => 'nothing');
    const failures: string[] = [];
    const onFailure = (it: string) => void failures.push(it);
    const types = installedTypes({ start, onFailure, maximumMs: 20 });
    const answers = await Promise.all([types.answersTo([asked]), types.answersTo([asked])]);
    deepStrictEqual(answers, [[[]], [[]]]);
    deepStrictEqual(events, ['start', 'end']);
    deepStrictEqual(failures, ['no answer within 0.02 s']);
  });

  it('stops a process without questions, and starts it again for the next question', async () => {
    const { start, events } = fakeProcess(knowing);
    const types = installedTypes({ start, onFailure() {}, idleMs: 5 });
    await types.answersTo([asked]);
    while (events.length < 2) await setTimeout(1);
    deepStrictEqual(await types.answersTo([asked]), [[pool]]);
    deepStrictEqual(events, ['start', 'end', 'start']);
    types.end();
  });

  it('reports an obstacle once', async () => {
    const failures: string[] = [];
    const { start } = fakeProcess(({ id }) => ({ id, answers: [], failures: ['none installed'] }));
    const types = installedTypes({ start, onFailure: (it) => void failures.push(it) });
    deepStrictEqual(await types.answersTo([asked]), [[]]);
    deepStrictEqual(await types.answersTo([asked]), [[]]);
    deepStrictEqual(failures, ['none installed']);
    types.end();
  });

  it('asks the TypeScript of the project in a process that ends with it', async function () {
    this.timeout(60_000);
    const { path } = typedProject({ 'src/orders.ts': ordersOfContext });
    const failures: string[] = [];
    const types = installedTypes({ onFailure: (it) => void failures.push(it) });
    const start = ordersOfContext.indexOf('contextOf(request).pool');
    const range = [start, start + 'contextOf(request).pool'.length] as const;
    const { length } = ordersOfContext;
    const others = childrenOf(process.pid);
    const answers = await types.answersTo([
      { path: join(path, 'src/orders.ts'), length, version: 1, ranges: [range] },
    ]);
    deepStrictEqual([answers, failures], [[[pool]], []]);
    const own = childrenOf(process.pid).filter((it) => !others.includes(it));
    const compilers = own.flatMap((it) => [it, ...childrenOf(it)]);
    ok(compilers.length >= 2 || process.platform !== 'linux');
    types.end();
    while (compilers.some((it) => stateOf(it) === 'running')) await setTimeout(10);
  });
});

/** Linux only: none elsewhere. */
function childrenOf(pid: number): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function stateOf(pid: number): 'running' | 'ended' {
  try {
    return / [XZ] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')) ? 'ended' : 'running';
  } catch {
    return 'ended';
  }
}
