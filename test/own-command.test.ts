import { strictEqual } from 'node:assert/strict';
import { ownCommand } from '../src/system/own-command.ts';

describe('a command of this program', () => {
  for (const [agent, expected] of [
    ['pnpm/9.15.0 npm/? node/v20.20.2 linux x64', 'pnpm exec deadtime prove a.ts:1'],
    ['yarn/4.5.0 npm/? node/v20.20.2 linux x64', 'yarn deadtime prove a.ts:1'],
    ['bun/1.2.0 npm/? node/v22.6.0 linux x64', 'bunx deadtime prove a.ts:1'],
    ['npm/11.0.0 node/v20.20.2 linux x64', 'npx deadtime prove a.ts:1'],
    ['', 'npx deadtime prove a.ts:1'],
  ] as const) {
    it(`is ${expected.split(' ')[0]} for ${agent || 'no package manager'}`, () => {
      strictEqual(ownCommand('prove a.ts:1', agent), expected);
    });
  }

  it('may have no words', () => {
    strictEqual(ownCommand('', 'npm/11.0.0'), 'npx deadtime');
  });
});
