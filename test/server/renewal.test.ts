import { deepStrictEqual, notDeepStrictEqual, ok } from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { type Analyst, createAnalyst } from '../../server/analysis/analyst.ts';
import { answerOrders, cancellationSlots } from '../../server/analysis/answer-orders.ts';
import type { Answer, Envelope } from '../../server/analysis/messages.ts';
import { temporaryProject } from '../projects.ts';

const textAt = (edit: number) => `import pg from 'pg';
const pool = new pg.Pool();
export async function load(ids: string[]) {
  for (const id of ids) {
    console.log(await pool.query('select ${edit} from parts where id = $1', [id]));
  }
}
`;

async function withAnalyst(use: (analyst: Analyst, path: string) => unknown): Promise<void> {
  const project = temporaryProject(new Map([['load.ts', textAt(0)]]));
  try {
    const analyst = createAnalyst();
    analyst.configure([
      {
        ...{ path: project.root, isEnabled: true, hasTypes: false, trustsConfiguration: false },
        ...{ overrides: {}, exclude: [] },
      },
    ]);
    await use(analyst, project.pathOf('load.ts'));
  } finally {
    project.remove();
  }
}

describe('the cached results of a file after many edits', () => {
  it('are rebuilt while no request waits, and are the same', () =>
    withAnalyst((analyst, path) => {
      const analysed = (edit: number) => {
        analyst.setTexts([[path, textAt(edit)]]);
        return analyst.analyse(path, () => false).problems.map((it) => it.finding.ruleId);
      };
      const renewed = () => {
        const before = { ...analyst.spentMs };
        analyst.renew(path);
        return [before, analyst.spentMs];
      };
      const first = analysed(1);
      ok(first.length > 0);
      for (let edit = 2; edit < 48; edit++) analysed(edit);
      deepStrictEqual(...(renewed() as [unknown, unknown]));
      for (let edit = 48; edit < 60; edit++) analysed(edit);
      notDeepStrictEqual(...(renewed() as [unknown, unknown]));
      deepStrictEqual(...(renewed() as [unknown, unknown]));
      deepStrictEqual(analysed(60), first);
    }));

  it('are rebuilt once the answer has been sent', () =>
    withAnalyst(async (analyst, path) => {
      const said: string[] = [];
      let ask: (order: Envelope) => void;
      const port = {
        onMessage: (listener: unknown) => (ask = listener as typeof ask),
        post: (answer: unknown) => said.push((answer as Answer).kind),
      };
      const renew = (it: string) => said.push(`renew ${it}`);
      const slots = Object.keys(cancellationSlots).length;
      answerOrders(
        port,
        new Int32Array(new SharedArrayBuffer(slots * Int32Array.BYTES_PER_ELEMENT)),
        { analyst: { ...analyst, renew }, afterwards: () => said.push('afterwards') },
      );
      ask!({ id: 1, texts: [[path, textAt(1)]], order: { kind: 'analyse', path } });
      await setImmediate();
      deepStrictEqual(said, ['analysed', `renew ${path}`, 'afterwards']);
    }));
});
