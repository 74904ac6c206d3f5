import { propertyName } from '../../src/analysis/syntax/ast.ts';
import { isTestOrBrowser } from '../../src/analysis/contexts/contexts.ts';
import type { FileFacts } from '../../src/analysis/file/file.ts';
import type { Library } from '../../src/analysis/model/schema.ts';
import { isOneShotScript } from '../../src/patterns/pools/purpose.ts';
import type { Ownership, Variant } from '../../src/analysis/ownership/ownership.ts';
import { lineOf, quoted } from '../../src/analysis/ownership/witness.ts';
import { rangeOf } from '../../src/analysis/syntax/places.ts';
import { poolLimitOf } from '../../src/analysis/values/pool-limits.ts';
import { isScript } from '../../src/analysis/contexts/scripts.ts';
import type { Evidence, Related } from '../define-rule.ts';
import { numberFrom } from '../origins.ts';

/** A session holds no connection, and scripts and tests end with their process. */
export function isSmall(file: FileFacts, ownership: Ownership): boolean {
  return (
    ownership.acquisition.kind === 'session' ||
    isScript(file) ||
    isTestOrBrowser(file) ||
    isOneShotScript(ownership)
  );
}

export function libraryOf({ acquisition }: Ownership): Library {
  return acquisition.subject.handle.library;
}

/** The placeholders of the messages, and the parameters of the benchmark of an exhausted pool. */
export function evidenceOf(ownership: Ownership): Evidence {
  const { acquisition, loss } = ownership;
  const limit = acquisition.source && poolLimitOf(acquisition.source);
  const max = limit?.max;
  const isOwn =
    /^(?:session|channel|body)$/.test(acquisition.kind) ||
    acquisition.subject.handle.type.role === 'client';
  const cost = isOwn
    ? 'each one stays open'
    : max === undefined
      ? 'leaks exhaust the pool'
      : `${max === 1 ? '1 leak exhausts' : `${max} leaks exhaust`} the pool`;
  const leaves = loss?.leaves && {
    line: lineOf(acquisition.file, loss.leaves),
    statement: quoted(acquisition.file, loss.leaves),
  };
  const { kind } = acquisition;
  return {
    driver: libraryOf(ownership).name,
    variant: loss!.variant,
    kind,
    ...(limit ? numberFrom('max', limit.max, limit.defaultOf) : {}),
    ...leaves,
    ...(loss?.field ? { field: propertyName(loss.field) ?? '' } : {}),
    cost,
  };
}

const LEAVES: Readonly<Partial<Record<Variant, string>>> = {
  throw: 'an exception leaves here',
  closed: 'closed here',
  'double-release': 'released again here',
  'use-after-release': 'used again here',
};

/** The path that leaks the connection, and the place of its acquisition. */
export function witnessOf({ acquisition, loss }: Ownership): readonly Related[] {
  const { path } = acquisition.file;
  const places = [
    [loss?.begins, 'the connection is acquired here, by its first use'],
    [loss?.leaves, loss && (LEAVES[loss.variant] ?? 'the path leaves here')],
  ] as const;
  return places.flatMap(([node, message]) =>
    node && message ? [{ path, range: rangeOf(node), message, isStep: true }] : [],
  );
}
