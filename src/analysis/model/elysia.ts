import { each } from './members.ts';
import type { Callback, Library, Member } from './schema.ts';

const ofRequest: Callback = { at: 'last', params: ['Context'], runs: 'per-request' };
/** After the path comes the handler, and after that what it validates. */
const route: Member = { returns: 'this', callback: { ...ofRequest, at: 1 } };
const hook: Member = { returns: 'this', callback: ofRequest };
const scope: Member = { returns: 'this', callback: { at: 'last', params: ['Elysia'] } };

const application: Member = { construct: { returns: 'Elysia' } };

/** Elysia. */
export const elysia: Library = {
  name: 'elysia',
  modules: ['elysia'],
  verifiedWith: '1.4.30',
  exports: { Elysia: application, default: application },
  types: {
    Elysia: {
      members: {
        ...each('get post put patch delete options all head connect', route),
        route: { returns: 'this', callback: { ...ofRequest, at: 2 } },
        ...each(
          'onRequest onParse onTransform onBeforeHandle onAfterHandle mapResponse onAfterResponse onError trace derive mapDerive resolve mapResolve',
          hook,
        ),
        ...each('group guard', scope),
        ...each('use decorate state model macro mount prefix listen as compile onStart onStop', {
          returns: 'this',
        }),
        ws: {
          returns: 'this',
          callback: { at: 1, params: [undefined], properties: ['message'], runs: 'per-job' },
        },
      },
      open: { isLasting: true, puts: { decorate: 'Context' } },
    },
    Context: {
      isHolder: true,
      members: each('body query params headers cookie set path request store server', {}),
      open: {},
    },
  },
};
