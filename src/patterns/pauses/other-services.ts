import { bare, type Node, shownName } from '../../analysis/syntax/ast.ts';
import { wordsOf } from '../../analysis/syntax/words.ts';
import { behaviourOf } from '../../analysis/behaviour/behaviour.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Loop } from '../../analysis/flow/loops.ts';
import { scopeAround } from '../../analysis/loops/variants.ts';
import { libraryNamed } from '../../analysis/model/index.ts';
import { argumentsOf, isCall } from '../../analysis/syntax/calls.ts';
import { asksPublicAddress } from './public-addresses.ts';
import { awaitsIn, nameOfCall, type Work } from './work.ts';

/**
 * The first step of an iteration after its source that puts load on such a service: jobs are handled one at a time, of any
 * kind.
 */
export function workForOthers(
  file: FileFacts,
  { body }: Pick<Loop, 'body'>,
  source: Node,
): Work | undefined {
  for (const node of awaitsIn(body)) {
    if (node === source) continue;
    const { effects } = behaviourOf(file, node, scopeAround(file, node));
    const name = nameOfCall(node.argument);
    const work: Work = { node, kind: 'external', name, conditions: [], effects };
    if (isLimitedByOthers(work)) return work;
  }
  return undefined;
}

/** Paid services and web sites limit the rate of requests, and every mail server limits the mail of one sender. */
export function isLimitedByOthers({ node, effects }: Work): boolean {
  return (
    effects.some(
      (it) => it.env === 'email' || libraryNamed(it.library)?.isHosted || asksPublicAddress(it),
    ) ||
    (effects.some(({ env }) => env === 'http') && isGivenAddress(bare(node.argument)))
  );
}

/** `download(row.url)`: the element names the site. */
function isGivenAddress(call: Node): boolean {
  if (!isCall(call)) return false;
  return argumentsOf(call).some((it) => ADDRESS.test(wordsOf(shownName(it) ?? '')));
}

const ADDRESS = /\b(?:url|uri|link|href|website)$/;
