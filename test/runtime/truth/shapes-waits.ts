import type { Shape } from './shapes.ts';

/** Single waits, and those that run concurrently. */
export const waits: Readonly<Record<string, Shape>> = {
  'a literal sleep': (w) => [`${w.awaited(w.sleep())};`],
  'a computed sleep': (w) => {
    const { id, fraction } = w.pause();
    const rest = w.name('rest');
    return [
      `const ${rest} = ${w.random.between(4, 9)} + (request.url ?? '').length;`,
      `${w.at(id)}await sleep(${rest} * 2 + 0${fraction});`,
    ];
  },
  'a sleep of timers/promises': (w) => {
    const { id, fraction } = w.pause();
    return [`${w.at(id)}await pause(${w.random.between(8, 20)}${fraction});`];
  },
  'a promisified timer': (w) => {
    const { id, fraction } = w.pause();
    return [`${w.at(id)}await rested(${w.random.between(8, 20)}${fraction});`];
  },
  'a timer promisified by hand': (w) => {
    const { id, fraction } = w.pause();
    const ms = `${w.random.between(8, 20)}${fraction}`;
    return [
      `${w.at(id)}await new Promise${w.isTyped ? '<void>' : ''}((done) => setTimeout(done, ${ms}));`,
    ];
  },
  'a statement': (w) => [`${w.awaited(w.statement())};`],
  'a statement over several lines': (w) => {
    const wait = w.statement();
    return [
      'const {',
      '  rows,',
      `} = ${w.at(wait)}await`,
      `  /* await */ ${wait.text};`,
      'void rows;',
    ];
  },
  'a request': (w) => {
    const response = w.name('response');
    return [`const ${response} = ${w.awaited(w.request())};`, `await ${response}.json();`];
  },
  'a burst of CPU': (w) => [`burn(${w.random.between(5, 9)});`, `${w.awaited(w.statement())};`],
  'a burst within an awaited helper': (w) => [
    `await ${w.helper([`burn(${w.random.between(5, 9)});`, `${w.awaited(w.sleep())};`])};`,
  ],
  'a burst in arguments': (w) => {
    const id = w.answer(8, false);
    return [
      `${w.at(id)}await pool.query('SELECT n FROM t${id}', [burn(${w.random.between(5, 9)})]);`,
    ];
  },
  'statements of Promise.all': (w) => {
    const each = [w.statement(), w.statement(), w.statement()];
    return [`${w.at(each)}await Promise.all([${each.map((it) => it.text).join(', ')}]);`];
  },
  'helpers of Promise.all': (w) => {
    const each = [w.statement(), w.sleep(), w.request()];
    const calls = each.map((it) => w.helper([`return ${w.awaited(it)};`]));
    return [`await Promise.all([${calls.join(', ')}]);`];
  },
  'sleeps of Promise.all': (w) => {
    const each = [w.sleep(), w.sleep()];
    return [`${w.at(each)}await Promise.all([${each.map((it) => it.text).join(', ')}]);`];
  },
  'waits of several kinds in Promise.all': (w) => {
    const each = [w.statement(), w.sleep()];
    return [`${w.at(each)}await Promise.all([${each.map((it) => it.text).join(', ')}]);`];
  },
  'a rejection in Promise.allSettled': (w) => {
    const each = [w.statement(), w.statement({ fails: true })];
    return [`${w.at(each)}await Promise.allSettled([${each.map((it) => it.text).join(', ')}]);`];
  },
  'a rejection in Promise.all': (w) => {
    const each = [w.statement({ ms: 8, fails: true }), w.statement({ ms: 40 })];
    return [
      'try {',
      `  ${w.at(each, { settles: 'first' })}await Promise.all([${each.map((it) => it.text).join(', ')}]);`,
      '} catch {',
      `  ${w.awaited(w.sleep())};`,
      '}',
    ];
  },
  'calls of map': (w) => {
    const wait = w.statement();
    return [`${w.at(wait, { times: 3 })}await Promise.all([1, 2, 3].map(() => ${wait.text}));`];
  },
  'async calls of map': (w) => [
    'await Promise.all(',
    '  [1, 2].map(async (n) => {',
    `    ${w.awaited(w.statement())};`,
    '    return n;',
    '  }),',
    ');',
  ],
  'workers of one list': (w) => {
    const jobs = w.name('jobs');
    return [
      `const ${jobs} = [1, 2, 3, 4];`,
      'const client = async () => {',
      `  while (${jobs}.length > 0) {`,
      `    ${jobs}.pop();`,
      `    ${w.awaited(w.statement())};`,
      '  }',
      '};',
      'await Promise.all([client(), client()]);',
    ];
  },
  'a race that a statement wins': (w) => {
    const each = [w.statement({ ms: 8 }), w.sleep(60, 60)];
    return [
      `${w.at(each, { settles: 'first' })}await Promise.race([${each.map((it) => it.text).join(', ')}]);`,
      `${w.awaited(w.statement())};`,
    ];
  },
  'a race that a sleep wins': (w) => {
    const each = [w.statement({ ms: 60 }), w.sleep(8, 12)];
    return [
      `${w.at(each, { settles: 'first' })}await Promise.race([${each.map((it) => it.text).join(', ')}]);`,
      `${w.awaited(w.sleep())};`,
    ];
  },
  'a promise that started earlier': (w) => {
    const [early, late] = [w.statement({ ms: 40 }), w.sleep()];
    return [
      `const early = ${early.text};`,
      `${w.awaited(late)};`,
      `${w.at(early, { after: late.id })}await early;`,
    ];
  },
  'a sleep that started earlier': (w) => {
    const [early, late] = [w.sleep(40, 40), w.statement()];
    return [
      `const early = ${early.text};`,
      `${w.awaited(late)};`,
      `${w.at(early, { after: late.id })}await early;`,
    ];
  },
  'the end of a chain': (w) => {
    const wait = w.statement();
    return [`${w.at(wait)}await ${wait.text}.then(({ rows }) => rows.length).finally(() => {});`];
  },
  'a rejection caught in a chain': (w) => {
    const wait = w.statement({ fails: true });
    return [`${w.at(wait)}await ${wait.text}.catch(() => undefined);`];
  },
};
