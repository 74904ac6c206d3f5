import { receivedBody } from './bodies.ts';
import { each } from './members.ts';
import { pure } from './pure.ts';
import type { Library, Member } from './schema.ts';

const verifiedWith = '16.4.6';

function next(module: string, without = ''): Library {
  return pure(`next/${module}`, verifiedWith, {
    modules: [`next/${module}`, `next/${module}.js`],
    without,
  });
}

const cached: Member = { returnsArgument: 0 };

/** What servers use of the frameworks of pages: it asks for nothing outside, and keeps what was asked for during one request. */
export const pages: readonly Library[] = [
  {
    name: 'react',
    modules: ['react'],
    verifiedWith: '19.3.1',
    // Of the same arguments, a later call of the same request gives the promise of the first.
    // The declarations are a package of their own.
    exports: { cache: { ...cached, untyped: true }, default: { type: 'Namespace', untyped: true } },
    types: { Namespace: { members: { cache: { ...cached, untyped: true } } } },
  },
  {
    ...next('headers'),
    exports: each('cookies headers draftMode', { returns: 'Promise<Anything>' }),
    exportPatterns: [],
  },
  next('navigation'),
  {
    ...next('cache'),
    // As well as during one request, it keeps answers between requests.
    exports: { unstable_cache: { returnsArgument: 0, isLasting: true } },
  },
  {
    name: 'next/server',
    modules: ['next/server', 'next/server.js'],
    verifiedWith,
    exports: {
      NextResponse: { type: 'Answers', construct: {} },
      NextRequest: { construct: { returns: 'NextRequest' } },
      after: {},
    },
    types: {
      Answers: { members: each('json redirect rewrite next error', {}) },
      NextRequest: { members: { ...receivedBody, clone: { returns: 'this' } } },
    },
  },
];
