import { contextOf } from '../../analysis/contexts/contexts.ts';
import { isWaitOfPage } from '../../analysis/contexts/pages.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { FEW } from '../../analysis/values/limited-rows.ts';
import { openingOf } from '../writes/open-lists.ts';
import { type FanOut, fanOutsOf } from './fan-outs.ts';
import {
  conditionsOnWay,
  isLimited,
  isOfElement,
  runOfElement,
  selectsElements,
} from './item-work.ts';

/** Requests to a service, one for each element of a list, all of them started concurrently. */
export interface ItemRequests {
  readonly fanOut: FanOut;
  readonly request: Effect;
  /** The sender of a request to this program decides how many elements there are. */
  readonly isListGiven: boolean;
}

/** Those of a file whose number nothing limits. */
export function itemRequestsOf(
  file: FileFacts,
  limiters: readonly string[],
): readonly ItemRequests[] {
  return fanOutsOf(file).flatMap((it) => requestsOf(file, it, limiters) ?? []);
}

function requestsOf(
  file: FileFacts,
  fanOut: FanOut,
  limiters: readonly string[],
): ItemRequests | undefined {
  const { work, count, all, list, part } = fanOut;
  // veto: the code runs at startup, when no request waits yet
  if (contextOf(file, all) === 'startup') return undefined;
  // veto: the list is a batch or a page, which limits how many requests run concurrently
  if (part) return undefined;
  // veto: the list has few elements
  if (count !== undefined && count <= FEW) return undefined;
  // veto: a pause, a lock or a connection that all elements share lets only some through
  if (work.sleeps || work.effects.some(isPacing)) return undefined;
  const request = work.effects.find((it) => isRequest(it));
  if (!request) return undefined;
  // veto: a page waits for the requests in a browser
  if (isWaitOfPage(file, all, work.effects)) return undefined;
  // veto: an answer or a failure on the path to the request selects only some elements
  const run = runOfElement(file, fanOut);
  if (
    conditionsOnWay(run.start, request).some((it) => selectsElements(run, it) && !isOfElement(it))
  )
    return undefined;
  // veto: an agent or a pool in the file limits its connections
  if (request.at.file.says(LIMITED)) return undefined;
  // veto: a call around the work is named like a limiter, or its name is in the option `limiters`
  if (isLimited(file, all, request, limiters)) return undefined;
  return { fanOut, request, isListGiven: openingOf(file, list) === 'request' };
}

const LIMITED = /\b(?:maxSockets|maxConnections|connections)\s*:/;

function isRequest({ env, memo, isRemembered }: Effect): boolean {
  return (env === 'http' || env === 'email') && !memo && !isRemembered;
}

function isPacing({ env, handle }: Effect): boolean {
  return env === 'lock' || handle === 'serial';
}
