import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { looksBinary, readingOf } from '../src/scan/text.ts';
import { BUNDLE, isMinified } from '../src/scan/written.ts';
import { folderWith } from './fakes/folder.ts';

describe('texts that tools write', () => {
  const code = 'for(var i=0;i<n;i++){a(b,c);if(d){e()}}';

  it('are minified when most of them is long lines of code', () => {
    strictEqual(isMinified(`/* licence */\n${code.repeat(500)}`), true);
    strictEqual(isMinified(`${code}\n`.repeat(500)), false);
    strictEqual(isMinified(`${code}\n`.repeat(50) + `x = "${'aGVsbG8'.repeat(5_000)}"`), false);
  });

  it('are bundles when a bundler’s loader is in them', () => {
    strictEqual(BUNDLE.test('function __webpack_require__(id) {}'), true);
    strictEqual(
      BUNDLE.test('const load = __non_webpack_require__; // not __webpack_require__'),
      false,
    );
  });

  it('are binary when many of their characters are none', () => {
    const folder = folderWith({
      'binary.js': Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0xff, 0xfe]),
      'separator.js': `${'const key = "value";\n'.repeat(50)}join("\0")`,
    });
    const looks = (name: string) => {
      const reading = readingOf(join(folder.path, name));
      return 'text' in reading && looksBinary(reading.text);
    };
    deepStrictEqual([looks('binary.js'), looks('separator.js')], [true, false]);
  });
});
