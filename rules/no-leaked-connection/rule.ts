import { closesWithEachRequest } from '../../src/analysis/contexts/isolates.ts';
import { isHot, paceOf } from '../../src/analysis/contexts/contexts.ts';
import {
  isHeldOnPurpose,
  isOfNewPool,
  isPing,
  isShared,
} from '../../src/patterns/pools/purpose.ts';
import { type Loss, ownershipsOf, type Variant } from '../../src/analysis/ownership/ownership.ts';
import { headOf } from '../../src/analysis/ownership/witness.ts';
import { defineRule } from '../define-rule.ts';
import { evidenceOf, isSmall, libraryOf, witnessOf } from './evidence.ts';
import { CONNECTION } from '../trigger.ts';
import { messages } from './messages.ts';
import { suggestionsFor } from './suggestions.ts';

type MessageId = keyof typeof messages;

const messageIds: Readonly<Partial<Record<Variant, MessageId>>> = {
  'callback-err': 'callbackErr',
  'double-release': 'doubleRelease',
  'use-after-release': 'useAfterRelease',
};

export default defineRule({
  id: 'no-leaked-connection',
  description: 'Disallow paths on which a connection or transaction is never released',
  messages,
  suggestions: {
    finally: 'Release it in a `finally` around its uses',
    query: 'Run the query on the pool',
    using: 'Let `await using` release it',
  },
  options: {
    reportThrowPath: {
      default: true,
      description: 'Report connections that leak only on an exception.',
    },
    wrappers: {
      default: [],
      description: 'Names of functions that take ownership of the connections passed to them.',
    },
    extraReleaseNames: {
      default: [],
      description: 'Names of further methods and functions that release a connection.',
    },
    noThrowCalls: {
      default: [],
      description: 'Names of calls that never fail.',
    },
    unconsumedBody: {
      default: false,
      description: 'Also report responses of fetch and undici whose bodies the code never reads.',
    },
    awaitUsing: {
      default: false,
      description:
        'Suggest `await using` where the driver supports it (Node 24, or compiled down).',
    },
  },
  trigger: { any: [/\bfetch\s*\(|\bundici\b/i, CONNECTION] },

  *check(file, options) {
    const { wrappers: owners, extraReleaseNames: releases, noThrowCalls: safe } = options;
    const terms = { owners, releases, safe, bodies: options.unconsumedBody };
    for (const ownership of ownershipsOf(file, terms)) {
      const { loss, acquisition } = ownership;
      if (!loss) continue;
      const { variant, failure } = loss;

      // A lock blocks only itself, and so does a channel that the process opens once.
      if (acquisition.kind === 'lock') continue;
      if (acquisition.kind === 'channel' && !isHot(paceOf(file, acquisition.call))) continue;

      // What a request leaves open there, the runtime closes.
      if (acquisition.kind !== 'body' && closesWithEachRequest(acquisition.file)) continue;

      // LISTEN, subscriptions, advisory locks and replication need one connection for good.
      if (isHeldOnPurpose(ownership)) continue;

      // What all callers share lives as long as the process.
      if (isShared(ownership)) continue;

      // A look whether the server answers: the pool is closed, or has only been made.
      if (isPing(ownership) || isOfNewPool(ownership)) continue;

      // Most drivers put up with a second release.
      if (variant === 'double-release' && !libraryOf(ownership).releasesOnce) continue;

      if (variant === 'throw' && !options.reportThrowPath) continue;

      // Read twice, or in a loop that asks again: that is no socket lost for good.
      if (acquisition.kind === 'body' && !/^(?:never|branch|throw)$/.test(variant)) continue;

      // A failing BEGIN mostly means that the connection is dead already.
      const isWeak = failure === 'control';
      yield {
        messageId: messageIdOf(acquisition.kind, loss),
        at: headOf(file, acquisition.call),
        evidence: evidenceOf(ownership),
        ...(isWeak || isSmall(file, ownership) ? { severity: 'hint' } : {}),
        ...(isWeak ? { confidence: 'medium' } : {}),
        related: witnessOf(ownership),
        suggestions: suggestionsFor(ownership, options),
      };
    }
  },
});

function messageIdOf(kind: string, { variant, leaves }: Loss): MessageId {
  if (kind === 'body') return variant === 'never' ? 'unreadBody' : 'unreadBodyOnPath';
  // Nothing fails there: the code itself gives up.
  if (variant === 'throw' && leaves?.type === 'ThrowStatement') return 'thrown';
  return messageIds[variant] ?? (variant as MessageId);
}
