import { contextOf } from '../../src/analysis/contexts/contexts.ts';
import { rateBound, type RateBound, rateBoundAtShare } from '../../src/analysis/values/cost.ts';
import type { FileFacts } from '../../src/analysis/file/file.ts';
import type { HotSleep } from '../../src/patterns/pauses/hot-sleep.ts';
import type { RequestSleep } from '../../src/patterns/pauses/request-sleeps.ts';
import type { StatePoll } from '../../src/patterns/pauses/state-polls.ts';
import type { Evidence } from '../define-rule.ts';
import { numberFrom } from '../origins.ts';

/** The share of skipped items for which the bound is shown, because no code shows it: docs/internals/rules.md, "Formulas". */
const SHOWN_SHARE = 0.2;

/** The throughput limit of one worker, or undefined when the number is not worth showing. */
export function boundOf({ variant, pause, batch }: HotSleep): RateBound | undefined {
  return variant === 'skip-branch'
    ? rateBoundAtShare(pause.duration, SHOWN_SHARE)
    : rateBound(pause.duration, batch);
}

export function messageOf(sleep: HotSleep) {
  switch (sleep.variant) {
    case 'skip-branch':
      return 'skipBranch';
    case 'full-batch':
      return sleep.external ? besideRequest(sleep) : 'fullBatch';
    case 'idle-poll':
      return 'idlePoll';
    case 'after-work':
      if (sleep.external) return besideRequest(sleep);
      if (sleep.of === 'jobs') return sleep.source?.isBatch ? 'afterRound' : 'afterWork';
      if (sleep.isBeside) return 'besideItem';
      if (sleep.batch === undefined) return 'afterItem';
      return sleep.isBatchByDefault ? 'afterUsualBatch' : 'afterBatch';
  }
}

/** The worker itself sets the time between two jobs of the program's own queue, independent of the receiver. */
function besideRequest({ source }: HotSleep) {
  const isOwn = source?.isProved && /^(?:db|redis)$/.test(source.effect?.env ?? '');
  return isOwn ? 'afterSentJob' : 'afterRequest';
}

/** The placeholders of the messages, and the parameters of the benchmark. */
export function evidenceOf(file: FileFacts, sleep: HotSleep, bound: RateBound): Evidence {
  const { pause, variant, batch, source, works } = sleep;
  const isFallback = pause.duration.source === 'default';
  const work = sleep.external ?? works.find((it) => it.kind === 'io') ?? works[0];
  return {
    ...numberFrom('sleepMs', pause.duration.value!, isFallback ? 'fallback' : undefined),
    byDefault: isFallback ? ' by default' : '',
    orMore: pause.duration.range ? ' or more' : '',
    variant,
    ...(variant === 'idle-poll' ? {} : { perSecond: bound.perSecond }),
    ...(batch === undefined || batch === 1 ? {} : { batch }),
    ...(source ? { source: source.name } : {}),
    ...(work ? { work: work.name } : {}),
    context: contextOf(file, sleep.loop.body),
  };
}

export function evidenceOfRequest({ pause }: RequestSleep): Evidence {
  const isFallback = pause.duration.source === 'default';
  return {
    ...numberFrom('sleepMs', pause.duration.value!, isFallback ? 'fallback' : undefined),
    byDefault: isFallback ? ' by default' : '',
    ...{ variant: 'in-request', context: 'per-request' },
  };
}

export function evidenceOfPoll(file: FileFacts, { pause, node, state }: StatePoll): Evidence {
  const isFallback = pause.duration.source === 'default';
  return {
    ...numberFrom('sleepMs', pause.duration.value!, isFallback ? 'fallback' : undefined),
    byDefault: isFallback ? ' by default' : '',
    variant: 'state-poll',
    state,
    context: contextOf(file, node),
  };
}
