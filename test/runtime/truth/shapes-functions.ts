import type { Shape } from './shapes.ts';

/** Waits in each kind of function, and behind the methods of a pool. */
export const functions: Readonly<Record<string, Shape>> = {
  'nested helpers': (w) => {
    const third = w.helper([`return ${w.awaited(w.statement())};`]);
    const second = w.helper(['burn(1);', `const found = await ${third};`, 'return found;']);
    const first = w.helper([`await ${second};`, `${w.awaited(w.sleep())};`]);
    return [`await ${first};`];
  },
  'a helper without an await': (w) => {
    const name = w.name('count');
    const id = w.answer(12, false);
    w.declare(name, [
      `function ${name}(limit${w.type('number')}) {`,
      `  return pool.query('SELECT n FROM t${id} LIMIT $1', [limit]);`,
      '}',
    ]);
    return [`${w.at(id)}await ${name}(3);`];
  },
  'a helper that sleeps for a given time': (w) => {
    const name = w.name('rest');
    const { id, fraction } = w.pause();
    w.declare(name, [`async function ${name}(ms${w.type('number')}) {`, '  await sleep(ms);', '}']);
    return [`${w.at(id)}await ${name}(${w.random.between(8, 20)}${fraction});`];
  },
  'an arrow function without braces': (w) => {
    const name = w.name('total');
    w.declare(name, [
      `const ${name} = async (least${w.type('number')}) =>`,
      `  (${w.awaited(w.statement())}).rows.length + least;`,
    ]);
    return [`await ${name}(1);`];
  },
  'an arrow function that returns an object': (w) => {
    const name = w.name('view');
    w.declare(name, [
      `const ${name} = async () => ({`,
      `  rows: (${w.awaited(w.statement())}).rows,`,
      `  rest: ${w.awaited(w.sleep())},`,
      '});',
    ]);
    return [`await ${name}();`];
  },
  'a class': (w) => {
    const name = w.name('Store');
    w.declare(name, [
      `class ${name} {`,
      '  async load() {',
      `    ${w.awaited(w.statement())};`,
      '    return await this.#count();',
      '  }',
      '  async #count() {',
      `    return (${w.awaited(w.statement())}).rows.length;`,
      '  }',
      '  static async open() {',
      `    ${w.awaited(w.sleep())};`,
      `    return new ${name}();`,
      '  }',
      '}',
    ]);
    return [`const store = await ${name}.open();`, 'await store.load();'];
  },
  'a subclass': (w) => {
    const [base, name] = [w.name('Base'), w.name('Special')];
    const lines = [
      `class ${base} {`,
      '  async find() {',
      `    return ${w.awaited(w.statement())};`,
      '  }',
      '}',
      `class ${name} extends ${base} {`,
      `  ${w.isTyped ? 'override ' : ''}async find() {`,
      '    const found = await super.find();',
      `    ${w.awaited(w.sleep())};`,
      '    return found;',
      '  }',
      '  rest = async () => {',
      `    ${w.awaited(w.sleep())};`,
      '  };',
      '}',
    ];
    w.declare(name, lines);
    return [`const special = new ${name}();`, 'await special.find();', 'await special.rest();'];
  },
  'an object of functions': (w) => {
    const name = w.name('repository');
    const direct = w.statement();
    w.declare(name, [
      `const ${name} = {`,
      '  async find() {',
      `    return (${w.awaited(w.statement())}).rows;`,
      '  },',
      `  count: () => ${direct.text},`,
      '};',
    ]);
    return [`await ${name}.find();`, `${w.at(direct)}await ${name}.count();`];
  },
  'a default parameter': (w) => {
    const name = w.name('filled');
    const wait = w.statement();
    w.declare(name, [
      `async function ${name}(load = async () => (${w.awaited(wait)}).rows, limit = 10) {`,
      '  const rows = await load();',
      `  ${w.awaited(w.sleep())};`,
      '  return rows.slice(0, limit);',
      '}',
    ]);
    return [`await ${name}();`];
  },
  'a function within a function': (w) => {
    return [
      'async function within() {',
      `  ${w.awaited(w.statement())};`,
      '}',
      'await within();',
      'await (async () => {',
      `  ${w.awaited(w.sleep())};`,
      '})();',
    ];
  },
  'callbacks promisified by hand': (w) => {
    const name = w.name('found');
    const id = w.answer(12, false);
    w.declare(name, [
      `function ${name}()${w.type('Promise<unknown>')} {`,
      '  return new Promise((resolve, reject) => {',
      `    pool.connect((failure${w.type('unknown')}, client${w.type('any')}, release${w.type('any')}) => {`,
      '      if (failure) return reject(failure);',
      `      client.query('SELECT n FROM t${id}', [], (error${w.type('unknown')}, result${w.type('unknown')}) => {`,
      '        release();',
      '        if (error) reject(error);',
      '        else resolve(result);',
      '      });',
      '    });',
      '  });',
      '}',
    ]);
    return [`${w.at(id)}await ${name}();`];
  },
  'a transaction': (w) => {
    const first = w.statement({ on: 'client' });
    return [
      `const client = ${w.at(-first.id)}await pool.connect();`,
      'try {',
      "  await client.query('BEGIN');",
      `  ${w.awaited(first)};`,
      `  ${w.awaited(w.statement({ on: 'client' }))};`,
      "  await client.query('COMMIT');",
      '} finally {',
      '  client.release();',
      '}',
    ];
  },
  'a connection held while it sleeps': (w) => {
    const first = w.statement({ on: 'client' });
    return [
      `const client = ${w.at(-first.id)}await pool.connect();`,
      'try {',
      `  ${w.awaited(first)};`,
      `  ${w.awaited(w.sleep())};`,
      `  ${w.awaited(w.request())};`,
      `  burn(${w.random.between(3, 6)});`,
      '} finally {',
      '  client.release();',
      '}',
    ];
  },
  'a connection that a helper gets': (w) => {
    const name = w.name('write');
    const first = w.statement({ on: 'client' });
    w.declare(name, [
      `async function ${name}(client${w.type('any')}) {`,
      `  ${w.awaited(first)};`,
      '}',
    ]);
    return [
      `const client = ${w.at(-first.id)}await pool.connect();`,
      'try {',
      `  await ${name}(client);`,
      '} finally {',
      '  client.release();',
      '}',
    ];
  },
};
