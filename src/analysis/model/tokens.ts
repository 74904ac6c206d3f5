import { each } from './members.ts';
import { checked, immediate, pure } from './pure.ts';
import type { Effect, Library, LibraryType, Member } from './schema.ts';

const again: Member = { returns: 'this' };
const cpu: Effect = { env: 'cpu', op: 'unknown' };
/** Made to be dear. */
const dear: Member = { returns: 'Promise<any>', effect: cpu };

/** A token under construction. */
function token(steps: string, end: string): LibraryType {
  return { members: { ...each(steps, again), [end]: {} } };
}

const CLAIMS =
  'setIssuer setSubject setAudience setJti setNotBefore setExpirationTime setIssuedAt setProtectedHeader';

/**
 * jose. A key set of an address is fetched when a token is verified with it, and kept then: nothing is claimed about what
 * verifying does.
 */
const jose = pure('jose', '6.2.18', {
  named: {
    ...each(
      'jwtVerify jwtDecrypt compactVerify compactDecrypt flattenedVerify flattenedDecrypt generalVerify generalDecrypt',
      checked,
    ),
    SignJWT: { construct: { returns: 'SignJWT' } },
    EncryptJWT: { construct: { returns: 'EncryptJWT' } },
    CompactSign: { construct: { returns: 'CompactSign' } },
    CompactEncrypt: { construct: { returns: 'CompactEncrypt' } },
  },
  types: {
    SignJWT: token(CLAIMS, 'sign'),
    EncryptJWT: token(
      `${CLAIMS} setContentEncryptionKey setInitializationVector setKeyManagementParameters ` +
        'replicateAudienceAsHeader replicateIssuerAsHeader replicateSubjectAsHeader',
      'encrypt',
    ),
    CompactSign: token('setProtectedHeader', 'sign'),
    CompactEncrypt: token(
      'setProtectedHeader setContentEncryptionKey setInitializationVector setKeyManagementParameters',
      'encrypt',
    ),
  },
});

/** Secrets, tokens and hashes: computed in this process. */
export const tokens: readonly Library[] = [
  jose,
  {
    name: '@nestjs/jwt',
    modules: ['@nestjs/jwt'],
    verifiedWith: '12.0.2',
    exports: { JwtService: { construct: { returns: 'JwtService' } } },
    types: {
      JwtService: {
        members: {
          ...each('sign signAsync decode', {}),
          verify: { effect: immediate },
          verifyAsync: checked,
        },
      },
    },
  },
  pure('hash-wasm', '4.13.0', {
    named: each('argon2d argon2i argon2id argon2Verify bcrypt bcryptVerify pbkdf2 scrypt', dear),
  }),
  pure('otplib', '13.5.0', { named: each('verify', checked) }),
  pure('speakeasy', '2.0.0'),
  pure('oslo', '1.2.1', {
    modules: ['oslo', 'oslo/crypto', 'oslo/encoding', 'oslo/otp', 'oslo/webauthn'],
    classes: 'TOTPController HMAC',
  }),
  pure('@oslojs/crypto', '1.0.1', {
    modules: [
      '@oslojs/binary',
      '@oslojs/encoding',
      '@oslojs/jwt',
      '@oslojs/otp',
      '@oslojs/webauthn',
    ],
    modulePattern: '@oslojs/crypto/[a-z0-9]+',
  }),
  // Its metadata service fetches.
  pure('@simplewebauthn/server', '14.0.3', {
    without: 'MetadataService SettingsService',
    named: each('verifyRegistrationResponse verifyAuthenticationResponse', checked),
  }),
];
