import { deepStrictEqual, ok } from 'node:assert/strict';
import { directivesOf } from '../src/scan/directives.ts';
import { isFailure, sourceOf } from '../src/scan/parse.ts';
import type { Profile } from '../rules/define-rule.ts';
import { rules } from '../rules/index.ts';
import { positionsOf } from '../src/scan/positions.ts';
import { noWait } from './fakes/no-wait.ts';
import { scanned } from './fakes/scanned.ts';

/** The lines on which `no-wait` would be reported, given that every `wait()` is. */
function linesLeft(text: string, ruleId = 'no-wait'): readonly number[] {
  const source = sourceOf(text, 'queue.ts');
  ok(!isFailure(source));
  const positions = positionsOf(text);
  const directives = directivesOf(source, () => positions);
  return Array.from(text.matchAll(/wait\(\)/g), ({ index }) => index)
    .filter((offset) => !directives.isOff({ ruleId, messageId: 'waits', range: [offset, offset] }))
    .map((offset) => positions.at(offset).line);
}

describe('directives', () => {
  it('leaves a text without comments alone', () => {
    deepStrictEqual(linesLeft('wait()\nwait()'), [1, 2]);
  });

  it('disables the next line, for all rules or for named ones', () => {
    deepStrictEqual(linesLeft('// eslint-disable-next-line\nwait()\nwait()'), [3]);
    deepStrictEqual(linesLeft('// eslint-disable-next-line no-eval, deadtime/no-wait\nwait()'), []);
    deepStrictEqual(linesLeft('// oxlint-disable-next-line no-wait\nwait()'), []);
    deepStrictEqual(linesLeft('// eslint-disable-next-line no-await-in-loop\nwait()'), [2]);
  });

  it('counts from the end of a comment of several lines', () => {
    deepStrictEqual(
      linesLeft('/* eslint-disable-next-line\n deadtime/no-wait */\nwait()\nwait()'),
      [4],
    );
  });

  it('disables its own line', () => {
    deepStrictEqual(
      linesLeft('wait() // eslint-disable-line deadtime/no-wait -- paced by the API'),
      [],
    );
    deepStrictEqual(linesLeft('wait() /* oxlint-disable-line */\nwait()'), [2]);
  });

  it('disables from a block comment to the comment that enables', () => {
    const text = 'wait()\n/* eslint-disable */\nwait()\n/* eslint-enable */\nwait()';
    deepStrictEqual(linesLeft(text), [1, 5]);
  });

  it('lets the last switch that names the rule, or all rules, decide', () => {
    const text =
      '/* eslint-disable */\nwait()\n/* eslint-enable deadtime/no-wait */\nwait()\n/* eslint-disable no-eval */\nwait()';
    deepStrictEqual(linesLeft(text), [4, 6]);
    deepStrictEqual(linesLeft(text, 'no-eval'), []);
  });

  it('reads the directives of oxlint in line comments, those of ESLint in block comments only', () => {
    deepStrictEqual(linesLeft('// oxlint-disable no-wait\nwait()'), []);
    deepStrictEqual(linesLeft('// eslint-disable no-wait\nwait()'), [2]);
  });

  it('takes for a switch of ESLint only what ESLint takes for one', () => {
    deepStrictEqual(linesLeft('/* eslint-disable no-wait */\nwait()'), [2]);
    deepStrictEqual(linesLeft('/* eslint-disable --*/\nwait()'), [2]);
    deepStrictEqual(linesLeft('/* eslint-disable deadtime/no-wait --*/\nwait()'), [2]);
    deepStrictEqual(linesLeft('/* eslint-disable "deadtime/no-wait" */\nwait()'), []);
    deepStrictEqual(linesLeft('wait() /* eslint-disable-line\n */'), [1]);
  });

  it('has words of its own, with a reason', () => {
    deepStrictEqual(
      linesLeft('// deadtime-ignore-next-line no-wait -- rate-limit\nwait()\nwait()'),
      [3],
    );
    deepStrictEqual(linesLeft('wait()\n// deadtime-ignore-file -- a script\nwait()'), []);
    deepStrictEqual(linesLeft('// deadtime-ignore-file no-eval\nwait()'), [2]);
  });

  it('disables one message of a rule, but in comments of ESLint', () => {
    deepStrictEqual(linesLeft('// deadtime-ignore-next-line no-wait/waits -- paced\nwait()'), []);
    deepStrictEqual(linesLeft('// deadtime-ignore-next-line no-wait/spins -- paced\nwait()'), [2]);
    deepStrictEqual(linesLeft('// eslint-disable-next-line deadtime/no-wait/waits\nwait()'), [2]);
  });

  it('does not take a reason for a rule, or a longer word for a directive', () => {
    deepStrictEqual(linesLeft('// eslint-disable-next-line no-eval -- no-wait\nwait()'), [2]);
    deepStrictEqual(linesLeft('// eslint-disable-next-line-please no-wait\nwait()'), [2]);
    deepStrictEqual(linesLeft('const text = "eslint-disable-next-line"\nwait()'), [2]);
  });

  it('reports reasons that the code contradicts, and no others', () => {
    const remarks = (reason: string, loop: string, profile: Profile = 'strict') => {
      const text = `import express from 'express';
import { Pool } from 'pg';
const pool = new Pool();
const app = express();
app.get('/names', async (req, res) => {
  const names = [];
  const ids = String(req.query['ids']).split(',');
  for (const id of ids) {
    // deadtime-ignore-next-line no-independent-await-in-loop -- ${reason}
    names.push(${loop});
  }
  res.json(names);
});
`;
      const scan = scanned(text, '/names.ts', { rules, profile });
      return scan.notices.map((it) => it.message);
    };
    const query = "await pool.query('select name from users where id = $1', [id])";
    deepStrictEqual(remarks('rate limit of the service', query), [
      'line 9: the reason is not what the code shows: it only asks for rows of users, and a database has no rate limit. Give the reason that holds, or fix it.',
    ]);
    deepStrictEqual(remarks('rate limit of the service', query, 'recommended'), []);
    deepStrictEqual(remarks('few ids', query), []);
    deepStrictEqual(
      remarks('rate limit of the service', "await fetch('https://a.example/' + id)"),
      [],
    );
  });

  it('reports a reason that a request contradicts', () => {
    const remarks = (handler: string) =>
      scanned(
        `import { scryptSync } from 'node:crypto';
import express from 'express';
const app = express();
${handler} => {
  // deadtime-ignore-next-line no-blocking-call -- runs only once
  return scryptSync('a', 'b', 32);
});
`,
        '/hash.ts',
        { rules, profile: 'strict' },
      ).notices.map((it) => it.message);
    deepStrictEqual(remarks("app.get('/hash', ()"), [
      'line 5: the reason is not what the code shows: it runs for every request. Give the reason that holds, or fix it.',
    ]);
  });

  it('reports errors of its own comments, and none of other linters’', () => {
    const remarks = (text: string, profile: Profile = 'recommended') =>
      scanned(text, '/queue.ts', { rules: [noWait], profile }).notices.map((it) => it.message);
    deepStrictEqual(remarks('// deadtime-ignore-next-line no-wait\nwait(9)'), []);
    deepStrictEqual(remarks('// deadtime-ignore-next-line no-wait\nwait(9)', 'strict'), [
      'line 1: this comment gives no reason. Write one after ` -- `.',
    ]);
    deepStrictEqual(remarks('// deadtime-ignore-next-line no-wiat -- paced\nwait(9)'), [
      'line 1: there is no rule "no-wiat", so the name does nothing. Did you mean no-wait?',
    ]);
    deepStrictEqual(
      remarks('// deadtime-ignore-file no-such-rule -- paced')[0]!.slice(0, 83),
      'line 1: there is no rule "no-such-rule", so the name does nothing. The rules are no',
    );
    const unused = ['line 1: no-wait finds nothing here. Remove the comment.'];
    deepStrictEqual(remarks('// deadtime-ignore-next-line no-wait -- paced\n\nwait(9)'), unused);
    deepStrictEqual(remarks('// deadtime-ignore-file no-wait -- a script\nrun()'), unused);
    for (const text of [
      // A hint that this profile does not show is switched off all the same.
      '// deadtime-ignore-next-line no-wait -- paced\nwait(1)',
      // The other rule has not run.
      '// deadtime-ignore-next-line no-yield-per-iteration -- paced\nwait(9)',
      '// deadtime-ignore-next-line -- paced\nrun()',
      '// eslint-disable-next-line deadtime/no-wait\nrun()',
    ]) {
      deepStrictEqual(remarks(text), []);
    }
  });

  it('reports comments with a word that it does not read, with the right one', () => {
    const remarks = (text: string) =>
      scanned(text, '/queue.ts', { rules: [noWait], profile: 'recommended' }).notices.map(
        (it) => it.message,
      );
    const next = (names = '') =>
      `Write \`deadtime-ignore-next-line ${names}-- reason\` at the start of a comment above the line.`;
    for (const [text, message] of [
      ['wait(9) // deadtime-ignore-line', `\`deadtime-ignore-line\` does nothing here. ${next()}`],
      [
        '// deadtime-disable-next-line no-wait -- paced\nwait(9)',
        `\`deadtime-disable-next-line\` does nothing here. ${next('no-wait ')}`,
      ],
      [
        '/** deadtime-ignore-next-line no-wait */\nwait(9)',
        `\`deadtime-ignore-next-line\` does nothing here. ${next('no-wait ')}`,
      ],
      [
        '/* deadtime-disable-file */',
        '`deadtime-disable-file` does nothing here. Write `deadtime-ignore-file -- reason` at the start of a comment.',
      ],
    ] as const) {
      deepStrictEqual(remarks(text), [`line 1: ${message}`]);
    }
    deepStrictEqual(remarks('// as deadtime-ignore-line would\nwait(9)'), []);
    deepStrictEqual(remarks('const text = "deadtime-disable"'), []);
  });
});
