import { each, withDefault } from './members.ts';
import type { Effect, Library, LibraryType, Member } from './schema.ts';

/** What a request has by itself: nobody puts a database there. */
const OF_REQUESTS =
  'body query params headers cookies method url path ip log socket raw file files session user';
const KOA_CONTEXTS = [
  'DefaultContext',
  'ExtendableContext',
  'BaseContext',
  'DefaultContextExtends',
];
const sync: Effect = { env: 'db', op: 'sync' };
const VERBS = 'get post put patch delete head options all';

/** The last argument is the handler; what stands before it (paths, middleware, options) is not looked at. */
function handled(returns: string, params: readonly (string | undefined)[], self?: string): Member {
  return {
    returns,
    callback: { at: 'last', params, runs: 'per-request', ...(self ? { self } : {}) },
  };
}

const toExpress = handled('this', ['Request', 'Response', undefined]);
const expressRouter: LibraryType = {
  members: {
    ...each(`${VERBS} use param`, toExpress),
    route: { returns: 'Route' },
  },
};
const expressApplication: LibraryType = {
  members: { ...expressRouter.members, locals: { type: 'AppLocals' } },
  open: {
    isLasting: true,
    declaredIn: ['Application', 'Express.Application'],
    puts: { set: 'Settings' },
    gives: { get: 'Settings' },
  },
};
const toFastify = handled(
  'this',
  ['FastifyRequest', 'FastifyReply', undefined, undefined],
  'FastifyInstance',
);
const toKoa = handled('this', ['Context', undefined]);
const toHapi: Member = {
  callback: {
    at: 0,
    params: ['Request', undefined],
    properties: ['handler'],
    runs: 'per-request',
  },
};

function types(names: string, type: LibraryType): Record<string, LibraryType> {
  return Object.fromEntries(names.split(' ').map((it) => [it, type]));
}

/** What the plugins of Fastify put on its instance, under the name of each; up to version 3 they had no scope. */
function plugin(name: string, type: string): Member {
  return { type, ifInstalled: [`@fastify/${name}`, `fastify-${name}`] };
}

const ANSWERS =
  /^(?:json|send|sendStatus|status|end|render|redirect|sendFile|download|cookie|setHeader)$/;
const REPLY = /^_?(?:res|resp|response|rep|reply)$/;
const INSTANCE = /^_?(?:app|fastify|f|instance|server|scope)$/;
/** Their handlers look the same. */
const ALIKE = ['next', 'restify', 'polka'];

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
    modules: ['express', 'express-serve-static-core'],
    verifiedWith: '5.3.0',
    handlers: [
      {
        params: ['Request', 'Response', undefined],
        countWithError: 4,
        by: 1,
        called: REPLY,
        calls: ANSWERS,
        unless: ['fastify', ...ALIKE],
      },
    ],
    exports: express.exports,
    types: {
      Namespace: express.namespace,
      Application: expressApplication,
      Express: expressApplication,
      Router: expressRouter,
      Route: { members: each(VERBS, toExpress) },
      Request: {
        isHolder: true,
        members: {
          app: { type: 'Application' },
          res: { type: 'Response' },
          ...each(OF_REQUESTS, {}),
        },
        open: { declaredIn: ['Request', 'Express.Request'] },
      },
      Response: {
        isHolder: true,
        members: { app: { type: 'Application' }, locals: { type: 'Locals' } },
      },
      AppLocals: { isHolder: true, open: { isLasting: true, declaredIn: ['Locals'] } },
      Locals: { isHolder: true, open: { declaredIn: ['Locals', 'Express.Locals'] } },
      Settings: { isHolder: true, open: { isLasting: true } },
      ...types('RequestHandler Handler', { isHolder: true, takes: ['Request', 'Response'] }),
      ErrorRequestHandler: { isHolder: true, takes: [undefined, 'Request', 'Response'] },
    },
  },
  {
    name: 'fastify',
    modules: ['fastify'],
    verifiedWith: '5.12.8',
    handlers: [
      {
        params: ['FastifyRequest', 'FastifyReply'],
        by: 1,
        called: REPLY,
        calls: /^(?:send|code|status|redirect|header|type)$/,
        unless: ['express', ...ALIKE],
      },
      {
        params: ['FastifyInstance', undefined, undefined],
        by: 0,
        called: INSTANCE,
        calls: /^(?:register|decorate|decorateRequest|addHook|addSchema|route)$/,
        unless: [],
      },
      {
        params: ['FastifyInstance', undefined, undefined],
        by: 0,
        called: INSTANCE,
        calls: /^(?:get|post|put|patch|delete)$/,
        unless: ['express', 'restify', 'polka', '@koa/router', 'hono'],
      },
    ],
    exports: fastify.exports,
    types: {
      Namespace: fastify.namespace,
      FastifyInstance: {
        members: {
          ...each(`${VERBS} addHook`, toFastify),
          ...each('addSchema decorate decorateRequest decorateReply', { returns: 'this' }),
          ...each('log server config prefix version', {}),
          pg: plugin('postgres', '@fastify/postgres.PostgresDb'),
          mysql: plugin('mysql', '@fastify/mysql.MySQLPromisePool'),
          mongo: plugin('mongodb', '@fastify/mongodb.FastifyMongoObject'),
          redis: plugin('redis', 'ioredis.Redis'),
          route: {
            returns: 'this',
            callback: {
              at: 0,
              params: ['FastifyRequest', 'FastifyReply', undefined],
              self: 'FastifyInstance',
              properties: ['handler', 'preHandler', 'onRequest'],
              runs: 'per-request',
            },
          },
          register: {
            returns: 'this',
            callback: { at: 0, params: ['FastifyInstance', undefined, undefined] },
          },
        },
        open: {
          isLasting: true,
          declaredIn: ['FastifyInstance'],
          puts: { decorate: 'FastifyInstance', decorateRequest: 'FastifyRequest' },
        },
      },
      FastifyRequest: {
        isHolder: true,
        members: { server: { type: 'FastifyInstance' }, ...each(OF_REQUESTS, {}) },
        open: { declaredIn: ['FastifyRequest'] },
      },
      FastifyReply: {
        isHolder: true,
        members: {
          server: { type: 'FastifyInstance' },
          request: { type: 'FastifyRequest' },
          ...each('code status header headers type redirect send callNotFound', {
            returns: 'this',
          }),
        },
      },
      ...types('FastifyPluginAsync FastifyPluginCallback FastifyPluginAsyncTypebox FastifyPlugin', {
        isHolder: true,
        takes: ['FastifyInstance'],
        takesArgument: [undefined, 0],
      }),
      ...types('RouteHandlerMethod RouteHandler', {
        isHolder: true,
        takes: ['FastifyRequest', 'FastifyReply'],
      }),
    },
  },
  {
    name: 'fastify-plugin',
    modules: ['fastify-plugin'],
    verifiedWith: '6.0.1',
    exports: {
      ...each('default fastifyPlugin', {
        returns: 'Plugin',
        callback: { at: 0, params: ['fastify.FastifyInstance', undefined, undefined] },
      }),
    },
    types: { Plugin: {} },
  },
  {
    name: '@fastify/postgres',
    modules: ['@fastify/postgres', 'fastify-postgres'],
    verifiedWith: '6.1.0',
    exports: {},
    types: {
      PostgresDb: {
        role: 'pool',
        concurrency: 'pooled',
        members: {
          connect: {
            returns: 'Promise<pg.PoolClient>',
            acquires: 'connection',
            effect: sync,
            withCallback: {
              acquires: 'connection',
              effect: sync,
              callback: { at: 0, params: ['error', 'pg.PoolClient', 'release'] },
            },
          },
          query: {
            returns: 'Promise<pg.Result>',
            effect: { env: 'db', op: 'sql' },
            withCallback: {
              effect: { env: 'db', op: 'sql' },
              callback: { at: 'last', params: ['error', 'pg.Result'] },
            },
          },
          transact: {
            returns: 'Promise<any>',
            effect: { env: 'db', op: 'unknown' },
            callback: { at: 0, params: ['pg.PoolClient'], scope: 'transaction' },
          },
          pool: { type: 'pg.Pool' },
        },
      },
    },
  },
  {
    name: '@fastify/mysql',
    modules: ['@fastify/mysql', 'fastify-mysql'],
    verifiedWith: '5.0.3',
    exports: {},
    types: {
      // With `promise: true`; else its queries take a callback, and nobody awaits them.
      MySQLPromisePool: {
        role: 'pool',
        concurrency: 'pooled',
        members: {
          ...each('query execute', { returns: 'Promise<any>', effect: { env: 'db', op: 'sql' } }),
          getConnection: {
            returns: 'Promise<mysql2/promise.PoolConnection>',
            acquires: 'connection',
            effect: sync,
          },
          pool: { type: 'mysql2/promise.Pool' },
        },
      },
    },
  },
  {
    name: '@fastify/mongodb',
    modules: ['@fastify/mongodb', 'fastify-mongodb'],
    verifiedWith: '10.0.1',
    exports: {},
    types: {
      FastifyMongoObject: {
        members: { client: { type: 'mongodb.MongoClient' }, db: { type: 'mongodb.Db' } },
      },
    },
  },
  {
    name: 'koa',
    modules: ['koa'],
    verifiedWith: '3.3.0',
    handlers: [
      {
        params: ['Context', undefined],
        by: 0,
        called: /^_?(?:ctx|context)$/,
        calls: /^throw$/,
        sets: /^(?:body|status)$/,
        unless: [],
      },
    ],
    exports: { default: { construct: { returns: 'Koa' } } },
    types: {
      Koa: {
        members: { use: toKoa, context: { type: 'Context' } },
        open: { isLasting: true, declaredIn: [] },
      },
      Context: {
        isHolder: true,
        members: { state: { type: 'State' }, app: { type: 'Koa' }, ...each('request req res', {}) },
        open: { declaredIn: KOA_CONTEXTS },
      },
      State: { isHolder: true, open: { declaredIn: ['DefaultState'] } },
      ...types('Middleware', { isHolder: true, takes: ['Context'] }),
      ...types('ParameterizedContext DefaultContext', { extends: 'Context' }),
    },
  },
  {
    name: '@koa/router',
    modules: ['@koa/router', 'koa-router'],
    verifiedWith: '15.7.0',
    exports: { default: koaRouter, Router: koaRouter },
    types: {
      Router: {
        members: each(
          `${VERBS} del use param`,
          handled('this', ['koa.Context', undefined, undefined]),
        ),
      },
    },
  },
  {
    name: '@hapi/hapi',
    modules: ['@hapi/hapi'],
    verifiedWith: '21.4.10',
    exports: {
      server: { returns: 'Server' },
      Server: { construct: { returns: 'Server' }, returns: 'Server' },
    },
    types: {
      Server: {
        members: { route: toHapi, app: { type: 'ServerApp' } },
        open: { isLasting: true, declaredIn: [] },
      },
      ServerApp: {
        isHolder: true,
        open: { isLasting: true, declaredIn: ['ServerApplicationState'] },
      },
      Request: {
        isHolder: true,
        members: { server: { type: 'Server' }, ...each(OF_REQUESTS, {}) },
        open: {},
      },
    },
  },
];
