import { receivedBody } from './bodies.ts';
import { each } from './members.ts';
import type { Callback, Library, LibraryType, Member } from './schema.ts';

const ofRequest: Callback = { at: 'last', params: ['Context', undefined], runs: 'per-request' };
const route: Member = { returns: 'this', callback: ofRequest };
const middleware: Member = { returns: 'MiddlewareHandler', callback: ofRequest };
const handler: LibraryType = { isHolder: true, isGeneric: true, takes: ['Context'] };

/** Hono. */
export const hono: Library = {
  name: 'hono',
  modules: ['hono', 'hono/tiny', 'hono/quick', 'hono/factory'],
  verifiedWith: '4.13.19',
  exports: {
    Hono: { construct: { returns: 'Hono' } },
    createMiddleware: middleware,
    createFactory: { returns: 'Factory' },
  },
  types: {
    Hono: {
      isGeneric: true,
      members: {
        ...each(`get post put patch delete options all use on`, route),
        ...each('basePath route mount', { returns: 'this' }),
        notFound: { returns: 'this', callback: { ...ofRequest, params: ['Context'] } },
        onError: { returns: 'this', callback: { ...ofRequest, params: [undefined, 'Context'] } },
      },
    },
    Context: {
      isHolder: true,
      isGeneric: true,
      members: {
        var: { type: 'Variables' },
        env: { type: '<0>.Bindings' },
        executionCtx: { type: '@cloudflare/workers-types.ExecutionContext' },
        req: { type: 'HonoRequest' },
        ...each('res', {}),
      },
      open: { puts: { set: 'Variables' }, gives: { get: 'Variables' } },
    },
    HonoRequest: {
      members: {
        ...receivedBody,
        ...each('parseBody', receivedBody.json!),
        ...each('param query queries header valid', {}),
      },
    },
    Factory: {
      isGeneric: true,
      members: {
        createMiddleware: middleware,
        createHandlers: { callback: ofRequest },
        createApp: { returns: 'Hono' },
      },
    },
    Variables: { isHolder: true, open: { declaredIn: ['ContextVariableMap'] } },
    ExecutionContext: {
      extends: '@cloudflare/workers-types.ExecutionContext',
      members: {
        access: { type: '@cloudflare/workers-types.CloudflareAccessContext', untyped: true },
      },
    },
    Handler: handler,
    MiddlewareHandler: handler,
  },
};
