import type { BlockingCall } from '../../src/patterns/load/blocking-calls.ts';
import { dottedName } from '../../src/analysis/syntax/ast.ts';
import type { Evidence } from '../define-rule.ts';

export function messageOf({ work, served }: BlockingCall) {
  return served === 'per-job' ? 'delaysJobs' : work;
}

export function evidenceOf({ node, name, work, rounds, served }: BlockingCall): Evidence {
  return {
    call: `${dottedName(node.callee) ?? name}()`,
    async: asyncNameOf(name, work),
    name,
    cost: rounds === undefined ? '' : ` (${rounds} ${UNITS[name] ?? 'rounds'})`,
    ...(rounds === undefined ? {} : { rounds }),
    context: served,
  };
}

const CALLED_BACK =
  /^(?:pbkdf2|scrypt|generateKeyPair|generatePrime|exec|execFile|\w*(?:zip|flate|flateRaw|ompress))Sync$/;

const UNITS: Readonly<Record<string, string>> = { pbkdf2Sync: 'iterations' };

/** `readFile()` of `readFileSync`, and `promisify(gzip)` of `gzipSync`. */
function asyncNameOf(name: string, work: BlockingCall['work']): string {
  if (name === 'spawnSync') return '`spawn()` and its `close` event';
  if (name === 'sync') return work === 'runsProcess' ? '`spawn()`' : 'its asynchronous form';
  const own = name.replace(/Sync$/, '');
  // These call back, and have no promise.
  if (CALLED_BACK.test(name)) return `\`promisify(${own})\``;
  return `\`${own}()\``;
}
