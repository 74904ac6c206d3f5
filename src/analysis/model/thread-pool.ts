import { each, withDefault } from './members.ts';
import type { Effect, Library, Member } from './schema.ts';

const cpu: Effect = { env: 'cpu', op: 'unknown', threadPool: 'cpu' };
const brief: Effect = { env: 'cpu', op: 'unknown' };
const immediate: Effect = { env: 'cpu', op: 'unknown', sync: true };
const promised: Member = { returns: 'Promise<any>', effect: cpu };
const calledBack: Member = {
  effect: cpu,
  callback: { at: 'last', params: ['error', undefined] },
};
/** On the spot without a callback, on the thread pool with one. */
const either: Member = { effect: immediate, withCallback: calledBack };
const briefCalledBack: Member = { ...calledBack, effect: brief };
/** A few random bytes take a thread for microseconds. */
const drawn: Member = { effect: immediate, withCallback: briefCalledBack };
/** A promise, or a callback. */
const promisedOrCalledBack: Member = { ...promised, withCallback: calledBack };

const CRYPTO = 'pbkdf2 scrypt generateKeyPair generateKey checkPrime generatePrime';
const RANDOM = 'randomBytes randomInt randomFill';
const ZLIB =
  'gzip gunzip deflate inflate deflateRaw inflateRaw unzip brotliCompress brotliDecompress zstdCompress zstdDecompress';

function library(
  name: string,
  modules: readonly string[],
  verifiedWith: string,
  members: Readonly<Record<string, Member>>,
  traits: Pick<Library, 'job'> = {},
): Library {
  const { exports, namespace } = withDefault(members);
  return { name, modules, verifiedWith, ...traits, exports, types: { Namespace: namespace } };
}

function sync(names: string): string {
  return names.replaceAll(/\S+/g, '$&Sync');
}

const subtle = {
  ...each(
    'encrypt decrypt sign verify digest generateKey deriveKey deriveBits wrapKey unwrapKey',
    promised,
  ),
  // The bytes of a key, read or written.
  ...each('importKey exportKey', { ...promised, effect: brief }),
};
const lookup: Effect = { env: 'dns', op: 'read', key: 0, threadPool: 'dns' };
/** The resolver asks the name server itself, not by getaddrinfo on the pool. */
const resolve: Effect = { env: 'dns', op: 'read', key: 0 };
const RESOLVES =
  'resolve resolve4 resolve6 resolveMx resolveTxt resolveSrv resolveNs resolveCname reverse';
const dnsPromises = withDefault({
  ...each('lookup lookupService', { returns: 'Promise<any>', effect: lookup }),
  ...each(RESOLVES, { returns: 'Promise<any>', effect: resolve }),
});

const passwords = { job: 'scrypt' } as const;
const sharpWhole = withDefault({}, { call: { returns: 'Sharp' } });

/** Work on libuv's threads, files excepted: docs/internals/rules.md, "Reads, writes and waits". */
export const threadPool: readonly Library[] = [
  (() => {
    const crypto = withDefault({
      ...each(CRYPTO, calledBack),
      ...each('sign verify', either),
      ...each(RANDOM, drawn),
      // A few hashes, unlike what makes passwords dear: 40 microseconds each.
      hkdf: briefCalledBack,
      ...each('createHash createHmac', { returns: 'Hash' }),
      ...each('createSign createVerify', { returns: 'Hash' }),
      ...each('createCipheriv createDecipheriv', { returns: 'Cipher' }),
      ...each('createPublicKey createPrivateKey createSecretKey', { returns: 'Key' }),
      ...each('createDiffieHellman createECDH getDiffieHellman', { returns: 'Exchange' }),
      ...each(
        'randomUUID timingSafeEqual getHashes getCiphers getCurves publicEncrypt publicDecrypt privateEncrypt privateDecrypt hash',
        {},
      ),
      ...each(sync(`${CRYPTO} hkdf randomFill`), { effect: immediate }),
      subtle: { type: 'SubtleCrypto' },
      webcrypto: { type: 'Crypto' },
    });
    return {
      name: 'crypto',
      modules: ['crypto'],
      verifiedWith: '20.20.2',
      job: 'pbkdf2',
      exports: crypto.exports,
      types: {
        Namespace: crypto.namespace,
        Crypto: { members: { subtle: { type: 'SubtleCrypto' } } },
        SubtleCrypto: { members: subtle },
        Hash: {
          members: {
            ...each('update copy', { returns: 'this' }),
            ...each('digest sign verify', {}),
          },
        },
        Cipher: {
          members: {
            ...each('setAAD setAuthTag setAutoPadding', { returns: 'this' }),
            ...each('update final getAuthTag', {}),
          },
        },
        Key: { members: each('export equals', {}) },
        Exchange: {
          members: each(
            'computeSecret generateKeys getPrivateKey getPublicKey setPrivateKey getPrime getGenerator',
            {},
          ),
        },
      },
    } satisfies Library;
  })(),
  library('zlib', ['zlib'], '20.20.2', {
    ...each(ZLIB, calledBack),
    ...each(sync(ZLIB), { effect: immediate }),
  }),
  {
    name: 'dns/promises',
    modules: ['dns/promises'],
    verifiedWith: '20.20.2',
    exports: dnsPromises.exports,
    types: { Namespace: dnsPromises.namespace },
  },
  library('dns', ['dns'], '20.20.2', {
    ...each('lookup lookupService', {
      effect: lookup,
      callback: { at: 'last', params: ['error', undefined] },
    }),
    ...each(RESOLVES, {
      effect: resolve,
      callback: { at: 'last', params: ['error', undefined] },
    }),
    promises: { type: 'dns/promises.Namespace' },
  }),
  library(
    'bcrypt',
    ['bcrypt'],
    '6.0.0',
    {
      ...each('hash compare genSalt', promisedOrCalledBack),
      ...each('hashSync compareSync genSaltSync', { effect: immediate }),
    },
    passwords,
  ),
  // In this thread, some of it in each turn.
  library(
    'bcryptjs',
    ['bcryptjs'],
    '3.0.3',
    {
      ...each('hash compare genSalt', {
        returns: 'Promise<any>',
        effect: brief,
        withCallback: briefCalledBack,
      }),
      ...each('hashSync compareSync genSaltSync getRounds getSalt truncates', {
        effect: immediate,
      }),
    },
    passwords,
  ),
  library(
    '@node-rs/bcrypt',
    ['@node-rs/bcrypt'],
    '2.0.0',
    {
      ...each('hash compare verify genSalt', promised),
      ...each('hashSync compareSync verifySync genSaltSync', { effect: immediate }),
    },
    passwords,
  ),
  library('argon2', ['argon2'], '0.45.1', each('hash verify', promised), passwords),
  library(
    '@node-rs/argon2',
    ['@node-rs/argon2'],
    '2.2.1',
    {
      ...each('hash verify', promised),
      ...each('hashSync verifySync', { effect: immediate }),
    },
    passwords,
  ),
  {
    name: 'sharp',
    modules: ['sharp'],
    verifiedWith: '0.35.5',
    exports: sharpWhole.exports,
    types: {
      Namespace: sharpWhole.namespace,
      Sharp: {
        role: 'builder',
        members: {
          ...each('toBuffer toFile stats', promisedOrCalledBack),
          // It reads the head of the image.
          metadata: {
            returns: 'Promise<any>',
            effect: brief,
            withCallback: { ...calledBack, effect: brief },
          },
        },
        anyMember: { returns: 'this' },
      },
    },
  },
];
