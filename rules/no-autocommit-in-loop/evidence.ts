import { contextOf } from '../../facts/contexts.ts';
import type { FileFacts } from '../../facts/file.ts';
import type { LoopedWrites, RowWrite, WriteKind } from '../../facts/looped-writes.ts';
import type { SyncWrites } from '../../facts/sync-writes.ts';
import { isRelaxedCommit } from '../../facts/write-scopes.ts';
import type { Evidence, Related } from '../define-rule.ts';

export function messageOf({ writes, commit, isIsolated }: LoopedWrites) {
  const { kind } = writes[0];
  if (isIsolated) return 'isolated';
  if (kind === 'enqueue' || kind === 'redis') return kind;
  return commit === 'scope' ? 'rowByRow' : 'commits';
}

export function evidenceOf(file: FileFacts, { loop, writes, commit }: LoopedWrites): Evidence {
  const [first] = writes;
  const { kind, effect } = first;
  const table = effect.env === 'db' ? effect.keys[0] : undefined;
  return {
    variant: commit === 'scope' ? 'row-in-transaction' : kind,
    driver: effect.library,
    what: whatOf(first),
    remedy: remedyOf(first),
    writes: writes.length,
    ...(table === undefined ? {} : { table }),
    ...(loop.bound === undefined ? {} : { rows: loop.bound }),
    context: contextOf(file, loop.body),
  };
}

function whatOf({ kind, effect }: RowWrite): string {
  if (kind === 'enqueue') return `${effect.library} ${effect.method}()`;
  if (kind === 'redis') return `Redis ${effect.method.toUpperCase()}`;
  const [table] = effect.keys;
  return kind.toUpperCase() + (table ? ` of ${table}` : '');
}

const BULK: Readonly<Record<string, string>> = {
  '@prisma/client': 'Insert all rows with `createMany`',
  sequelize: 'Insert all rows with `bulkCreate`',
  mongoose: 'Insert all documents with `insertMany`',
  mongodb: 'Insert all documents with `insertMany`',
  bullmq: 'Add all jobs with `addBulk`',
  bull: 'Add all jobs with `addBulk`',
  'pg-boss': 'Insert all jobs with one `insert`',
  kafkajs: 'Send all messages with one `send`',
};

const BY_KIND: Readonly<Record<WriteKind, string>> = {
  insert: 'Insert all rows with one statement (several VALUES)',
  update:
    'Update all rows with one statement (`UPDATE … FROM (VALUES …)`, or one WHERE for all keys)',
  delete: 'Delete all rows with one statement (one WHERE for all keys)',
  enqueue: 'Send them in batches',
  redis: 'Send one pipeline',
};

function remedyOf({ kind, effect }: RowWrite): string {
  const own = kind === 'insert' || kind === 'enqueue' ? BULK[effect.library] : undefined;
  return own ?? BY_KIND[kind];
}

/** The commits do not wait for the disk: the settings say so. */
export function isRelaxed(file: FileFacts, { writes, commit, isIsolated }: LoopedWrites): boolean {
  return commit === 'each' && !isIsolated && isRelaxedCommit(file, writes[0].effect);
}

/** The loop, and the writes that stand elsewhere. */
export function placesOf(file: FileFacts, { loop, writes }: LoopedWrites): readonly Related[] {
  const elsewhere = writes.filter(({ effect, place }) => effect.at.node !== place).slice(0, 3);
  return [
    { path: file.path, range: loop.head, message: 'the loop' },
    ...elsewhere.map(({ effect: { at, library, method } }) => ({
      path: at.file.path,
      range: at.node.range,
      message: `it is written here: ${library} ${method}`,
    })),
  ];
}

export function syncEvidence(
  file: FileFacts,
  { loop, library, call, table }: SyncWrites,
): Evidence {
  return {
    variant: 'sqlite',
    driver: library,
    call,
    ...(table === undefined ? {} : { table }),
    ...(loop.bound === undefined ? {} : { rows: loop.bound }),
    context: contextOf(file, loop.body),
  };
}
