import { bodyMembers } from './bodies.ts';
import { each, withDefault } from './members.ts';
import type { Effect, Library, LibraryType, Member, Signature } from './schema.ts';

const read: Effect = { env: 'http', op: 'read', key: 0 };
const write: Effect = { env: 'http', op: 'write', key: 0 };
/** `f(url, { method })`: a read unless the options say otherwise. */
const method: Effect = { env: 'http', op: 'method', argument: 1, key: 0 };

const READ_VERBS = 'get head options';
const WRITE_VERBS = 'post put patch delete';

const fetchLike: Member = {
  returns: 'Promise<node.Response>',
  acquires: 'body',
  effect: method,
};

function fetchFunction(
  name: string,
  verifiedWith: string,
  named: Readonly<Record<string, Member>>,
): Library {
  const { exports, namespace } = withDefault(named, { call: fetchLike });
  return { name, modules: [name], verifiedWith, exports, types: { Namespace: namespace } };
}

const axiosMembers: Readonly<Record<string, Member>> = {
  ...each(READ_VERBS, { returns: 'Promise<any>', effect: read }),
  ...each(`${WRITE_VERBS} postForm putForm patchForm`, { returns: 'Promise<any>', effect: write }),
  request: { returns: 'Promise<any>', effect: { ...method, argument: 0 } },
};
/** `axios(config)` and `axios(url, config)` */
const axiosCall: Signature = { returns: 'Promise<any>', effect: { ...method, argument: 0 } };
const axios = withDefault(
  { create: { returns: 'AxiosInstance' } },
  {
    call: axiosCall,
    members: {
      ...axiosMembers,
      Axios: { construct: { returns: 'Axios' } },
      all: {},
    },
  },
);

const undici = withDefault({
  request: { returns: 'Promise<ResponseData>', acquires: 'body', effect: method },
  stream: { returns: 'Promise<any>', effect: method },
  pipeline: { effect: method },
  fetch: fetchLike,
  ...each('Agent Client Pool BalancedPool ProxyAgent EnvHttpProxyAgent RetryAgent', {
    construct: { returns: 'Dispatcher' },
  }),
});

/** A request that is sent at once and asked for its body later: `got.get(url).json()`. */
function requestType(bodies: string): LibraryType {
  const effect: Effect = { env: 'http', op: 'builder' };
  return {
    awaited: { returns: 'any', effect },
    members: each(bodies, { returns: 'Promise<any>', effect }),
  };
}
function requester(instance: string): Readonly<Record<string, Member>> {
  return {
    ...each('get head', { returns: 'Request', effect: read, step: { op: 'read' } }),
    ...each(WRITE_VERBS, { returns: 'Request', effect: write, step: { op: 'write' } }),
    ...each('extend create', { returns: instance }),
  };
}
const requesterCall: Signature = {
  returns: 'Request',
  effect: { ...method, argument: 0 },
  step: { request: 0 },
};
const { create: _create, ...gotMembers } = requester('Got');
const got = withDefault({}, { call: requesterCall, members: gotMembers });
const ky = withDefault({}, { call: requesterCall, members: requester('KyInstance') });

const superagentMembers: Readonly<Record<string, Member>> = {
  ...each(READ_VERBS, { returns: 'Request', step: { op: 'read' } }),
  ...each(`${WRITE_VERBS} del`, { returns: 'Request', step: { op: 'write' } }),
};
const superagent = withDefault(
  { ...superagentMembers, agent: { returns: 'Agent', construct: { returns: 'Agent' } } },
  { call: { returns: 'Request', step: { op: 'unknown' } } },
);

const needle = withDefault(
  {
    ...each('get head', { effect: read }),
    ...each('post put patch delete', { effect: write }),
    request: { effect: { env: 'http', op: 'verb', key: 1 } },
  },
  // needle('get', url): the method is a plain argument.
  { call: { returns: 'Promise<any>', effect: { env: 'http', op: 'verb', key: 1 } } },
);

/** A document, or options with one; of the functions, after the address. */
function graphqlMembers(argument: number): Readonly<Record<string, Member>> {
  return {
    ...each('request rawRequest', {
      returns: 'Promise<any>',
      effect: { env: 'http', op: 'document', argument },
    }),
    batchRequests: { returns: 'Promise<any>', effect: { env: 'http', op: 'unknown' } },
  };
}
const graphqlRequest = withDefault({
  ...graphqlMembers(1),
  GraphQLClient: { construct: { returns: 'GraphQLClient' } },
});

/** `rp(options)`, `rp(url, options)`; a promise that can be asked for more than the body. */
const promised = (effect: Effect): Signature => ({ returns: 'Promise<any>', effect });
const requestPromise = withDefault(
  {
    ...each('get head', promised(read)),
    ...each('post put patch del delete', promised(write)),
    defaults: { returns: 'RequestPromiseAPI' },
  },
  { call: promised({ ...method, argument: 0 }) },
);

const nodeHttp = withDefault({
  request: { returns: 'ClientRequest', effect: method },
  get: { returns: 'ClientRequest', effect: read },
  createServer: {
    returns: 'Server',
    callback: { at: 'last', params: [undefined, undefined], runs: 'per-request' },
  },
});

/** Calls that leave the process by HTTP; `fetch` without an import is in globals.ts. */
export const http: readonly Library[] = [
  {
    name: 'axios',
    modules: ['axios'],
    verifiedWith: '1.21.1',
    exports: axios.exports,
    types: {
      Namespace: axios.namespace,
      Axios: { members: axiosMembers },
      AxiosInstance: {
        call: axiosCall,
        members: { ...axiosMembers, create: { returns: 'AxiosInstance' } },
      },
      AxiosStatic: { extends: 'Namespace' },
    },
  },
  {
    name: '@nestjs/axios',
    modules: ['@nestjs/axios'],
    verifiedWith: '4.0.1',
    exports: { HttpService: { construct: { returns: 'HttpService' } } },
    types: {
      HttpService: {
        members: {
          ...each('get head', { returns: 'Observable', effect: read }),
          ...each(`${WRITE_VERBS} postForm putForm patchForm`, {
            returns: 'Observable',
            effect: write,
          }),
          request: { returns: 'Observable', effect: { ...method, argument: 0 } },
          axiosRef: { type: 'axios.AxiosInstance' },
        },
      },
      // The request is sent once somebody subscribes, for which `firstValueFrom` stands.
      Observable: {
        isLazy: true,
        members: {
          pipe: { returns: 'this', observables: 'pipes' },
          toPromise: { returns: 'Promise<any>' },
        },
      },
    },
  },
  {
    name: 'rxjs',
    modules: ['rxjs', 'rxjs/operators'],
    verifiedWith: '7.8.2',
    exports: {
      ...each('firstValueFrom lastValueFrom', {
        returns: 'Promise<any>',
        observables: 'subscribes',
      }),
      ...each('map catchError retry timeout first take defaultIfEmpty', { observables: 'passes' }),
      forkJoin: { returns: '@nestjs/axios.Observable', observables: 'joins' },
    },
    types: {},
  },
  {
    name: 'undici',
    modules: ['undici'],
    verifiedWith: '7.30.2',
    exports: undici.exports,
    types: {
      Namespace: undici.namespace,
      Dispatcher: {
        members: {
          request: {
            returns: 'Promise<ResponseData>',
            acquires: 'body',
            effect: { ...method, argument: 0 },
          },
          stream: { returns: 'Promise<any>', effect: { ...method, argument: 0 } },
          ...each('close destroy', { returns: 'Promise<void>' }),
        },
      },
      ResponseData: {
        members: {
          ...each('json text arrayBuffer blob bytes formData', { body: 'reads' }),
          ...bodyMembers,
          body: { type: 'Body', body: 'part' },
          ...each('statusCode headers trailers opaque context', { body: 'tells' }),
        },
      },
      Body: {
        // On its way: the wait was the request's.
        members: each('json text arrayBuffer blob bytes formData dump', {
          returns: 'Promise<any>',
          effect: { env: 'http', op: 'read', memo: true },
        }),
      },
    },
  },
  {
    name: 'got',
    modules: ['got'],
    verifiedWith: '14.6.6',
    exports: { ...got.exports, got: { type: 'Namespace' } },
    types: {
      Namespace: got.namespace,
      Got: { extends: 'Namespace' },
      Request: requestType('json text buffer'),
    },
  },
  {
    name: 'ky',
    modules: ['ky'],
    verifiedWith: '1.14.3',
    exports: ky.exports,
    types: {
      Namespace: ky.namespace,
      KyInstance: { extends: 'Namespace' },
      Request: requestType('json text arrayBuffer blob formData'),
    },
  },
  {
    name: 'superagent',
    modules: ['superagent'],
    verifiedWith: '10.4.2',
    exports: superagent.exports,
    types: {
      Namespace: superagent.namespace,
      Agent: { members: superagentMembers },
      Request: {
        role: 'builder',
        awaited: { returns: 'any', effect: { env: 'http', op: 'builder' } },
        members: {
          ...each(
            'set query send type accept auth attach field timeout retry redirects responseType ' +
              'buffer parse ok withCredentials unset http2 agent trustLocalhost',
            { returns: 'this' },
          ),
          end: {
            effect: { env: 'http', op: 'builder' },
            callback: { at: 0, params: ['error', undefined] },
          },
          then: { effect: { env: 'http', op: 'builder' } },
        },
      },
    },
  },
  {
    name: 'ofetch',
    modules: ['ofetch'],
    verifiedWith: '1.5.1',
    exports: each('ofetch $fetch', { type: 'Fetch' }),
    types: {
      Fetch: {
        call: { returns: 'Promise<any>', effect: method },
        members: {
          raw: { returns: 'Promise<any>', effect: method },
          create: { returns: 'Fetch' },
        },
      },
    },
  },
  ...['request-promise', 'request-promise-native'].map((name): Library => ({
    name,
    modules: [name],
    verifiedWith: '4.1.51',
    exports: requestPromise.exports,
    types: {
      Namespace: requestPromise.namespace,
      RequestPromiseAPI: { extends: 'Namespace' },
    },
  })),
  fetchFunction('node-fetch', '3.3.2', {}),
  fetchFunction('cross-fetch', '4.1.0', { fetch: fetchLike }),
  {
    name: 'needle',
    modules: ['needle'],
    verifiedWith: '3.5.0',
    exports: needle.exports,
    types: { Namespace: needle.namespace },
  },
  {
    name: 'graphql-request',
    modules: ['graphql-request'],
    verifiedWith: '7.4.0',
    exports: graphqlRequest.exports,
    types: {
      Namespace: graphqlRequest.namespace,
      GraphQLClient: { members: graphqlMembers(0) },
    },
  },
  {
    name: 'http',
    modules: ['http', 'https'],
    verifiedWith: '20.20.2',
    exports: nodeHttp.exports,
    types: { Namespace: nodeHttp.namespace, ClientRequest: {}, Server: {} },
  },
];
