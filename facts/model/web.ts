import { each, withDefault } from './members.ts';
import type { Library, LibraryType, Member } from './schema.ts';

const VERBS = 'get post put patch delete head options all';

/** The last argument is the handler; what stands before it (paths, middleware, options) is not looked at. */
function handled(returns: string): Member {
  return {
    returns,
    callback: { at: 'last', params: [undefined, undefined, undefined], runs: 'per-request' },
  };
}

const expressRouter: LibraryType = {
  members: {
    ...each(`${VERBS} use param`, handled('this')),
    route: { returns: 'Route' },
  },
};
const express = withDefault(
  { Router: { returns: 'Router', construct: { returns: 'Router' } } },
  { call: { returns: 'Application' } },
);
const fastify = withDefault(
  { fastify: { returns: 'FastifyInstance' } },
  { call: { returns: 'FastifyInstance' } },
);
const koaRouter: Member = { construct: { returns: 'Router' } };

/** Web frameworks: which functions run once per request. */
export const web: readonly Library[] = [
  {
    name: 'express',
    modules: ['express'],
    verifiedWith: '5.3.0',
    exports: express.exports,
    types: {
      Namespace: express.namespace,
      Application: expressRouter,
      Express: expressRouter,
      Router: expressRouter,
      Route: { members: each(VERBS, handled('this')) },
    },
  },
  {
    name: 'fastify',
    modules: ['fastify'],
    verifiedWith: '5.12.8',
    exports: fastify.exports,
    types: {
      Namespace: fastify.namespace,
      FastifyInstance: {
        members: {
          ...each(`${VERBS} addHook`, handled('this')),
          route: {
            returns: 'this',
            callback: {
              at: 0,
              params: [undefined, undefined],
              properties: ['handler', 'preHandler', 'onRequest'],
              runs: 'per-request',
            },
          },
          register: {
            returns: 'this',
            callback: { at: 0, params: ['FastifyInstance', undefined, undefined] },
          },
        },
      },
    },
  },
  {
    name: 'koa',
    modules: ['koa'],
    verifiedWith: '3.3.0',
    exports: { default: { construct: { returns: 'Koa' } } },
    types: { Koa: { members: { use: handled('this') } } },
  },
  {
    name: '@koa/router',
    modules: ['@koa/router', 'koa-router'],
    verifiedWith: '15.7.0',
    exports: { default: koaRouter, Router: koaRouter },
    types: { Router: { members: each(`${VERBS} del use param`, handled('this')) } },
  },
  {
    name: 'hono',
    modules: ['hono', 'hono/tiny', 'hono/quick'],
    verifiedWith: '4.13.19',
    exports: { Hono: { construct: { returns: 'Hono' } } },
    types: {
      Hono: {
        members: {
          ...each(`get post put patch delete options all use on`, handled('this')),
          basePath: { returns: 'this' },
          ...each('notFound onError', handled('this')),
        },
      },
    },
  },
];
