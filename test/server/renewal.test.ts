import { deepStrictEqual, notDeepStrictEqual, ok } from 'node:assert/strict';
import { createAnalyst } from '../../server/analysis/analyst.ts';
import { temporaryProject } from '../projects.ts';

const textAt = (edit: number) => `import pg from 'pg';
const pool = new pg.Pool();
export async function load(ids: string[]) {
  for (const id of ids) {
    console.log(await pool.query('select ${edit} from parts where id = $1', [id]));
  }
}
`;

describe('what is known of a file after many edits', () => {
  it('is made anew while nobody waits, and says the same', () => {
    const project = temporaryProject(new Map([['load.ts', textAt(0)]]));
    try {
      const path = project.pathOf('load.ts');
      const analyst = createAnalyst();
      analyst.configure([
        {
          ...{ path: project.root, isEnabled: true, hasTypes: false, trustsConfiguration: false },
          ...{ overrides: {}, exclude: [] },
        },
      ]);
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
    } finally {
      project.remove();
    }
  });
});
