import { bare, type Node, shownName } from '../syntax/ast.ts';
import { wordsOf } from '../syntax/words.ts';
import type { Effect } from '../effects.ts';
import { libraryNamed } from '../model/index.ts';
import { argumentsOf, isCall } from '../provenance/calls.ts';
import { storeKeyOf } from '../values/store-keys.ts';
import type { Work } from './work.ts';

/** Who sells a service or runs a site limits how often it is asked, and every server of mail how much of it one sender hands in. */
export function isLimitedByOthers({ node, effects }: Work): boolean {
  return (
    effects.some(
      (it) => it.env === 'email' || libraryNamed(it.library)?.isHosted || isPublic(it),
    ) ||
    (effects.some(({ env }) => env === 'http') && isGivenAddress(bare(node.argument)))
  );
}

/** `fetch('https://api.maps.example/v1')`, also by constants: no service of one's own. */
function isPublic({ env, at }: Effect): boolean {
  const [address] = env === 'http' && isCall(at.node) ? argumentsOf(at.node) : [];
  const text = address && storeKeyOf(at.file, address);
  return text?.kind === 'text' && PUBLIC.test(text.head);
}

const PUBLIC =
  /^https?:\/\/(?!localhost\b|127\.|10\.|192\.168\.)(?:[\w-]+\.)+(?!(?:local|internal|lan|svc|cluster)\b)[a-z]{2,}(?=[:/?#]|$)/i;

/** `download(row.url)`: the element names the site. */
function isGivenAddress(call: Node): boolean {
  if (!isCall(call)) return false;
  return argumentsOf(call).some((it) => {
    return ADDRESS.test(wordsOf(shownName(it) ?? ''));
  });
}

const ADDRESS = /\b(?:url|uri|link|href|website)$/;
