import type { Shape } from './shapes.ts';

/** Waits at each kind of place in a function. */
export const flow: Readonly<Record<string, Shape>> = {
  'a rejection and its catch': (w) => [
    'try {',
    `  ${w.awaited(w.statement({ fails: true }))};`,
    '} catch {',
    `  ${w.awaited(w.sleep())};`,
    '}',
  ],
  'a rejection through helpers': (w) => {
    const inner = w.helper([`return ${w.awaited(w.statement({ fails: true }))};`]);
    const outer = w.helper([
      'try {',
      `  return await ${inner};`,
      '} finally {',
      `  ${w.awaited(w.sleep())};`,
      '}',
    ]);
    return [
      'try {',
      `  await ${outer};`,
      '} catch {',
      `  burn(2);`,
      '}',
      `${w.awaited(w.statement())};`,
    ];
  },
  'a retry with backoff': (w) => {
    const { id, fraction } = w.pause();
    return [
      'for (let attempt = 0; attempt < 2; attempt++) {',
      '  try {',
      `    ${w.awaited(w.statement({ fails: true }))};`,
      '  } catch {',
      `    ${w.at(id)}await sleep(8${fraction} * 2 ** 0 + 4 * attempt);`,
      '  }',
      '}',
    ];
  },
  recursion: (w) => {
    const name = w.name('retry');
    w.declare(name, [
      `async function ${name}(left${w.type('number')})${w.type('Promise<void>')} {`,
      '  try {',
      `    ${w.awaited(w.statement({ fails: true }))};`,
      '  } catch {',
      '    if (left === 0) return;',
      `    ${w.awaited(w.sleep())};`,
      `    await ${name}(left - 1);`,
      '  }',
      '}',
    ]);
    return [`await ${name}(2);`];
  },
  'a time-out that is not reached': (w) => {
    const wait = w.statement();
    return [`${w.at(wait)}await limited(${wait.text}, 500);`];
  },
  'a time-out that is reached': (w) => {
    const wait = w.statement({ ms: 60 });
    const { id, fraction } = w.pause();
    return [
      'try {',
      `  ${w.at([wait, id], { settles: 'first' })}await limited(${wait.text}, 15${fraction});`,
      '} catch {',
      `  ${w.awaited(w.sleep())};`,
      '}',
    ];
  },
  'a generator': (w) => {
    const name = w.name('numbers');
    w.declare(name, [`function* ${name}() {`, '  yield 1;', '  yield 2;', '  yield 3;', '}']);
    return [`for (const n of ${name}()) {`, `  ${w.awaited(w.statement())};`, '  void n;', '}'];
  },
  'an async generator': (w) => {
    const name = w.name('pages');
    w.declare(name, [
      `async function* ${name}() {`,
      '  for (let page = 0; page < 3; page++) {',
      `    const { rows } = ${w.awaited(w.statement())};`,
      '    yield rows;',
      '  }',
      '}',
    ]);
    return [
      `for await (const page of ${name}()) {`,
      `  ${w.awaited(w.sleep())};`,
      '  void page;',
      '}',
    ];
  },
  'an async generator that is left early': (w) => {
    const name = w.name('rows');
    w.declare(name, [
      `async function* ${name}() {`,
      '  try {',
      `    for (;;) yield ${w.awaited(w.statement())};`,
      '  } finally {',
      `    ${w.awaited(w.sleep())};`,
      '  }',
      '}',
    ]);
    return [`for await (const row of ${name}()) if (row) break;`, `${w.awaited(w.statement())};`];
  },
  'a loop with a labelled continue': (w) => [
    'outer: for (let i = 0; i < 2; i++) {',
    '  for (let j = 0; j < 3; j++) {',
    '    if (j === 1) continue outer;',
    `    ${w.awaited(w.statement())};`,
    '  }',
    '}',
  ],
  'a loop without braces': (w) => {
    const i = w.name('i');
    return [
      `let ${i} = 0;`,
      `while (${i}++ < 2) ${w.awaited(w.sleep())};`,
      `do ${w.awaited(w.statement())}; while (${i}-- > 2);`,
    ];
  },
  'a switch': (w) => [
    `switch ((${w.awaited(w.statement())}).rows.length) {`,
    '  case 1:',
    `    ${w.awaited(w.sleep())};`,
    '    break;',
    '  default:',
    `    ${w.awaited(w.sleep())};`,
    '}',
  ],
  'a conditional expression': (w) => [
    `const chosen = request.url ? ${w.awaited(w.statement())}`,
    `  : ${w.awaited(w.sleep())};`,
    'void chosen;',
  ],
  'an await of a conditional expression': (w) => {
    const [one, two] = [w.statement(), w.statement()];
    return [`${w.at(one)}await (request.url ? ${one.text} : ${two.text});`];
  },
  'an await of sleeps by a condition': (w) => {
    const [one, two] = [w.sleep(), w.sleep()];
    return [`${w.at(one)}await (request.url ? ${one.text} : ${two.text});`];
  },
  'logical operators': (w) => [
    `const row = request.url && (${w.awaited(w.statement())});`,
    `const other = row ?? (${w.awaited(w.sleep())});`,
    'void other;',
  ],
  'a logical operator within an await': (w) => {
    const wait = w.statement();
    return [`${w.at(wait)}await (request.url && ${wait.text});`];
  },
  'a template literal': (w) => [
    `const text = \`\${(${w.awaited(w.statement())}).rows.length}`,
    `  \${${w.awaited(w.sleep())}}\`;`,
    'void text;',
  ],
  arguments: (w) => [
    'const most = Math.max(',
    `  (${w.awaited(w.statement())}).rows.length,`,
    `  (${w.awaited(w.statement())}).rows.length,`,
    ');',
    'void most;',
  ],
  'an await in the arguments of an await': (w) => {
    const [inner, outer] = [w.statement(), w.answer(10, false)];
    return [
      `${w.at(outer, { after: inner.id })}await pool.query('SELECT n FROM t${outer}', [`,
      `  (${w.awaited(inner)}).rows.length,`,
      ']);',
    ];
  },
  'a chain of optional accesses': (w) => {
    const wait = w.statement();
    return [`const first = (${w.at(wait)}await ${wait.text})?.rows?.[0]?.n;`, 'void first;'];
  },
  'a sequence expression': (w) => {
    const wait = w.statement();
    return [`${w.at(wait)}await (void request, ${wait.text});`];
  },
  'an indirect call': (w) => {
    const { id, fraction } = w.pause();
    return [`${w.at(id)}await (0, sleep)(${w.random.between(8, 20)}${fraction});`];
  },
  'a sequence with a promise that started earlier': (w) => {
    const [early, late] = [w.statement({ ms: 40 }), w.sleep()];
    return [
      `const early = ${early.text};`,
      `${w.awaited(late)};`,
      `${w.at(early, { after: late.id })}await (void request, early);`,
    ];
  },
  'a default of a pattern': (w) => {
    const wait = w.statement();
    return [
      `const { rows: found = [] } = ${w.at(wait)}await ${wait.text};`,
      `const [head = ${w.awaited(w.sleep())}] = found.slice(1);`,
      'void head;',
    ];
  },
  'a comma between awaits': (w) => [`${w.awaited(w.statement())}, ${w.awaited(w.sleep())};`],
  'two awaits in one line': (w) => [
    `const sum = (${w.awaited(w.statement())}).rows.length + (${w.awaited(w.statement())}).rows.length;`,
    'void sum;',
  ],
  'a turn of the event loop': (w) => [
    'await new Promise((done) => setImmediate(done));',
    `${w.awaited(w.sleep())};`,
  ],
};
