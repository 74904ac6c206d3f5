import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../../analysis/file/file.ts';
import { runsInline } from '../../analysis/flow/inline-callbacks.ts';
import type { Effect } from '../../analysis/model/schema.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import { sqlTextOf as textOf } from '../../analysis/provenance/sql-text.ts';
import {
  bare,
  calledName,
  functionAround,
  type FunctionNode,
  type Node,
} from '../../analysis/syntax/ast.ts';
import { argumentsOf } from '../../analysis/syntax/calls.ts';
import { certainNumber } from '../../analysis/values/values.ts';
import { type Served, servedBy } from '../../analysis/contexts/served.ts';

/** What keeps the thread busy or waiting. */
export type BlockingWork = 'computes' | 'compresses' | 'runsProcess' | 'usesFiles';

/** A synchronous call of a library, for whose time no other request, timer or callback of the process runs. */
export interface BlockingCall {
  readonly node: TSESTree.CallExpression;
  readonly work: BlockingWork;
  /** `scryptSync` */
  readonly name: string;
  readonly served: Served;
  /** Of a hash that repeats: how often, or the exponent of that, where the code contains it. */
  readonly rounds: number | undefined;
  /** The further calls of the function that do the same kind of work. */
  readonly others: readonly TSESTree.CallExpression[];
}

const HASHES = /^(?:pbkdf2Sync|scryptSync|argon2Sync|hashSync|compareSync|verifySync)$/;
const KEYS = /^(?:generateKeyPairSync|generatePrimeSync)$/;
const COMPRESSION =
  /^(?:gzip|deflate|deflateRaw|brotliCompress|zstdCompress|gunzip|inflate|inflateRaw|brotliDecompress|zstdDecompress|unzip)Sync$/;
/** Of whole files and folders; those that only look at a name take microseconds. */
const FILES =
  /^(?:read(?:File|Json|JSON|dir)|write(?:File|Json|JSON)|output(?:File|Json|JSON)|appendFile|copyFile|copy|cp|rm|remove|emptyDir|move)Sync$|^sync$/;

/** Those that requests or jobs wait for: the first of each kind of work in a function. */
export function blockingCallsOf(file: FileFacts): readonly BlockingCall[] {
  const found = new Map<string, BlockingCall & { others: TSESTree.CallExpression[] }>();
  for (const node of file.nodes.all('CallExpression')) {
    const call = callOf(file, node);
    if (!call) continue;
    const fn = functionRunning(file, node);
    const key = `${call.work} ${fn ? file.idOf(fn) : ''}`;
    const served = servedBy(file, node);
    const first = found.get(key);
    if (served && first) first.others.push(node);
    else if (served) found.set(key, { ...call, node, served, others: [] });
  }
  return [...found.values()];
}

/** The function around a call and around the callbacks that it runs itself: `names.map((it) => readFileSync(it))`. */
function functionRunning(file: FileFacts, node: Node): FunctionNode | undefined {
  let fn = functionAround(node);
  for (let it = fn; it && runsInline(file, it); it = functionAround(it))
    fn = functionAround(it) ?? it;
  return fn;
}

function callOf(
  file: FileFacts,
  node: TSESTree.CallExpression,
): Pick<BlockingCall, 'work' | 'name' | 'rounds'> | undefined {
  // no veto: spares the question of what is called.
  if (!/sync$/i.test(calledName(node.callee) ?? '')) return undefined;
  const library = libraryCallOf(file, node);
  // veto: the call is a method of the project, or not in the model as synchronous
  if (!library?.signature.effect?.sync) return undefined;
  const { name } = library.callee;
  const work = workOf(name, library.signature.effect);
  // veto: the call takes microseconds
  if (!work) return undefined;
  const rounds = roundsOf(file, node, name);
  if (isShort(file, node, { name, work, rounds })) return undefined;
  return { work, name, rounds };
}

function workOf(name: string, { env }: Pick<Effect, 'env'>): BlockingWork | undefined {
  if (env === 'proc') return 'runsProcess';
  if (env === 'fs') return FILES.test(name) ? 'usesFiles' : undefined;
  if (COMPRESSION.test(name)) return 'compresses';
  return HASHES.test(name) || KEYS.test(name) ? 'computes' : undefined;
}

/** The place of the number among the arguments: of iterations, or of rounds. */
const ROUNDS: Readonly<Record<string, number>> = { pbkdf2Sync: 2, hashSync: 1 };

function roundsOf(
  file: FileFacts,
  call: TSESTree.CallExpression,
  name: string,
): number | undefined {
  const at = ROUNDS[name];
  const argument = at === undefined ? undefined : argumentsOf(call)[at];
  return argument && certainNumber(file, argument);
}

/** An iteration of PBKDF2 with SHA-256 takes 0.23 µs (100,000 of them, median of 15; Node.js 20.20, AMD EPYC): these take 0.7 ms. */
const FEW_ITERATIONS = 3_000;
const LITTLE_TEXT = 10_000;
/** What the system computes when it is read: no disk is asked. */
const COMPUTED_FILES = /^\/(?:proc|sys|dev)\//;
const SLOW_KEYS = /^(?:rsa|rsa-pss|dsa|dh)$/;
const SLEEPS = /^\s*(?:sleep(?:\s+[\d.]+[smhd]?)?$|timeout\s+\/t\b)/i;

function isShort(
  file: FileFacts,
  call: TSESTree.CallExpression,
  { name, work, rounds = Infinity }: Pick<BlockingCall, 'name' | 'work' | 'rounds'>,
): boolean {
  const given = argumentsOf(call);
  const [first] = given;
  const text = first && literalOf(file, first);
  // veto: so few iterations take less than a millisecond
  if (name === 'pbkdf2Sync' && rounds < FEW_ITERATIONS) return true;
  // veto: keys of elliptic curves take microseconds
  if (name === 'generateKeyPairSync' && !SLOW_KEYS.test(text ?? '')) return true;
  // veto: the text is in the code, and short
  if (work === 'compresses' && text !== undefined && text.length < LITTLE_TEXT) return true;
  // veto: the system computes such a file, and no disk is asked
  if (work === 'usesFiles' && COMPUTED_FILES.test(text ?? '')) return true;
  // veto: the call removes one file, which takes microseconds
  if (name === 'rmSync' && !given.slice(1).some((it) => /recursive/.test(file.textOf(it))))
    return true;
  // veto: no-blocking-sleep reports a process that only sleeps
  if (work === 'runsProcess' && SLEEPS.test(text ?? '')) return true;
  return false;
}

function literalOf(file: FileFacts, node: Node): string | undefined {
  const text = textOf(file, bare(node));
  return text?.kind === 'text' ? text.text : undefined;
}
