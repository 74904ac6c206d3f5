import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { disk, type Files, type Ran } from '../project/files.ts';
import { mayBeOthers } from '../project/folders-above.ts';
import { jsonOf } from '../project/json.ts';
import { contains } from '../project/tree.ts';
import { runProgramSync } from '../system/processes.ts';

/** Longer than any configuration needs; its caller is blocked meanwhile. */
const LIMIT_MS = 10_000;
const MOST_BYTES = 1024 * 1024;

/**
 * The disk for trusted projects, or for what is `within` a folder: a configuration that is code runs once until it is written
 * again. Without a repository's top as a limit, a configuration could come from a folder of any user above.
 */
export function trusting(within?: string): Files {
  const known = new Map<string, { readonly stamp: string | undefined; readonly ran: Ran }>();
  return {
    ...disk,
    run(path) {
      if (within !== undefined && !contains(within, path)) {
        return failed(`is code outside of what is trusted. Move it into ${within}.`);
      }
      if (mayBeOthers(path, dirname(path))) {
        return failed(
          'may have been written by other users. Own the file, and remove write access of other users.',
        );
      }
      const stamp = disk.stamp(path);
      const last = known.get(path);
      if (last && last.stamp === stamp) return last.ran;
      const ran = runOf(path);
      known.set(path, { stamp, ran });
      return ran;
    },
  };
}

/**
 * Runs the module at an absolute path in its own process, and returns its default export: its output is discarded, and its open
 * handles end with it.
 */
export function runOf(path: string, limitMs = LIMIT_MS): Ran {
  const args = ['--input-type=module', '--eval', program, pathToFileURL(path).href];
  const { error, output, status, signal } = runProgramSync(process.execPath, args, {
    cwd: dirname(path),
    // An editor's extensions have Electron in place of Node.js.
    environment: { ELECTRON_RUN_AS_NODE: '1' },
    pipes: ['ignore', 'ignore', 'ignore', 'pipe'],
    ...{ limitMs, mostBytes: MOST_BYTES },
  });
  const said = jsonOf(String(output?.[3] ?? ''));
  if (Array.isArray(said)) return ranFrom(said.map(String));
  switch ((error as NodeJS.ErrnoException | undefined)?.code) {
    case undefined:
      return failed(
        `ends (${signal ?? status}) before it exports anything. Remove everything but the export.`,
      );
    case 'ETIMEDOUT':
      return failed(
        `takes more than ${limitMs / 1000} s, and was stopped. Remove everything but the export.`,
      );
    case 'ENOBUFS':
      return failed('exports more than 1 MB. Shorten it.');
    default:
      return failed(`cannot be run: ${error?.message}. Write it as deadtime.config.jsonc.`);
  }
}

function ranFrom([kind, text = '']: readonly string[]): Ran {
  switch (kind) {
    case 'json':
      return { json: jsonOf(text) ?? null };
    case 'thrown':
      return failed(`throws when it is run: ${text} Fix that.`);
    case 'odd':
      return failed(
        `exports a value that JSON cannot contain: ${text}. Export strings, numbers, lists and objects.`,
      );
    case 'typescript':
      return failed(
        `is TypeScript, which Node.js ${process.version} does not run. ` +
          'Use Node.js 22.18 or newer, or write it as deadtime.config.mjs.',
      );
    default:
      return failed('has no default export. Write export default { "rules": { … } }.');
  }
}

function failed(failure: string): Ran {
  return { failure };
}

/** Sends the result of the module over its own pipe, and waits for nothing that the module has started. */
const program = `
import { writeFileSync } from 'node:fs';
const { stringify } = JSON;
const url = process.argv[1];
const say = (...said) => {
  writeFileSync(3, stringify(said));
  process.exit();
};
const isPlain = (it) => {
  if (typeof it === 'number') return Number.isFinite(it);
  if (typeof it !== 'object' || it === null || Array.isArray(it)) {
    return it === null || ['string', 'boolean', 'object'].includes(typeof it);
  }
  return [Object.prototype, null].includes(Object.getPrototypeOf(it));
};
const nameOf = (it) => {
  if (typeof it !== 'object') return typeof it === 'number' ? String(it) : 'of type ' + typeof it;
  return 'of the class ' + it.constructor?.name;
};
try {
  const module = await import(url);
  if (!('default' in module)) say('lacking');
  const text = stringify(await module.default, function (name, it) {
    const own = this[name];
    // As JSON has it: an option that is not set is not there.
    if (isPlain(own) || (own === undefined && name !== '' && !Array.isArray(this))) return it;
    say('odd', (name === '' ? 'it' : stringify(name)) + ' is ' + nameOf(own));
  });
  say('json', text);
} catch (error) {
  if (error?.code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\\.m?ts$/.test(url)) say('typescript');
  const [line] = String(error?.message ?? error).split('\\n');
  say('thrown', line.slice(0, 200).replace(/[.:\\s]*$/, '.'));
}
`;
