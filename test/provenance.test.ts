import { valueOf } from '../src/analysis/provenance/value-of.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { walk } from '../src/analysis/syntax/ast.ts';
import { factsOf } from '../src/analysis/facts.ts';
import { isFailure, sourceOf } from '../src/scan/parse.ts';
import { projectModules, remarked, remarkedPaths } from './remarks.ts';
import { sampled } from './lanes.ts';

describe('provenance', () => {
  const modules = projectModules();
  for (const path of remarkedPaths()) {
    it(path, () => assert.equal(remarked(path, modules), readFileSync(path, 'utf8')));
  }

  it('does not depend on what was asked first', () => {
    for (const path of remarkedPaths()) {
      const backwards = remarked(path, projectModules(), { isBackwards: true });
      assert.equal(backwards, readFileSync(path, 'utf8'));
    }
  });

  it('answers for every node of every fixture', () => {
    for (const path of sampled(globSync('fixtures/**/*.{ts,js}').sort())) {
      const file = modules.factsAt(resolve(path));
      if (file) walk(file.ast, (node) => void valueOf(file, node));
    }
  });

  it('is not afraid of depth', () => {
    const links = '.then((it) => it)'.repeat(3000);
    const sum = 'a + '.repeat(3000);
    const aliases = Array.from({ length: 3000 }, (_, i) => `const a${i + 1} = a${i};`).join('\n');
    const nested = `${'['.repeat(300)}a0${']'.repeat(300)}`;
    const text = `import { Pool } from 'pg'\nconst a0 = new Pool()\n${aliases}\na3000.connect()${links};\n${sum}1;\n${nested};`;
    const source = sourceOf(text, '/deep.ts');
    assert.ok(!isFailure(source));
    const file = factsOf(source);
    walk(file.ast, (node) => void valueOf(file, node));
  });
});
