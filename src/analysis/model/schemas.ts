import { each } from './members.ts';
import { checked, methods, pure } from './pure.ts';
import type { Library, LibraryType, Member } from './schema.ts';

const schema: Member = { returns: 'Schema' };
const sameSchema: LibraryType = { extends: 'Schema' };

/** Any step gives a schema, but those that give data. */
function schemas(checks: string, data: string, parts: readonly string[]): LibraryType {
  return {
    members: {
      ...each(checks, checked),
      ...each(data, {}),
      ...Object.fromEntries(parts.map((it) => [it, { type: 'Shape' }])),
    },
    memberPatterns: [[/^[a-z]/, schema]],
  };
}

const ZOD_CHECKS =
  'parseAsync safeParseAsync spa encodeAsync decodeAsync safeEncodeAsync safeDecodeAsync';
const ZOD_DATA =
  'parse safeParse encode decode safeEncode safeDecode isOptional isNullable toJSONSchema';
/** Functions of their own since version 4, and no schemas. */
const ZOD_FUNCTIONS =
  'parse safeParse encode decode safeEncode safeDecode treeifyError flattenError formatError prettifyError ' +
  'toJSONSchema config setErrorMap getErrorMap registry globalRegistry locales util regexes core NEVER clone';

const zodNamed: Readonly<Record<string, Member>> = {
  ...each(ZOD_FUNCTIONS, {}),
  ...each(
    'parseAsync safeParseAsync encodeAsync decodeAsync safeEncodeAsync safeDecodeAsync',
    checked,
  ),
  ...each('coerce iso', { type: 'Makers' }),
  ...each('ZodError ZodRealError', { construct: {} }),
};

const zod: Library = {
  name: 'zod',
  modules: ['zod', 'zod/v3', 'zod/v4', 'zod/mini', 'zod/v4-mini'],
  verifiedWith: '4.6.7',
  exports: {
    ...each('z default', { type: 'Makers' }),
    ...zodNamed,
  },
  exportPatterns: [[/^[a-z]/, schema]],
  types: {
    Makers: { members: zodNamed, memberPatterns: [[/^[a-z]/, schema]] },
    Schema: schemas(ZOD_CHECKS, ZOD_DATA, ['shape']),
    Shape: { anyMember: { type: 'Schema' } },
    ...Object.fromEntries(
      'ZodType ZodTypeAny ZodSchema ZodObject ZodRawShape AnyZodObject ZodEffects ZodArray ZodUnion ZodString ZodNumber'
        .split(' ')
        .map((it) => [it, sameSchema]),
    ),
  },
};

/** Of a schema that asks elsewhere, as of any other, only the asynchronous forms wait. */
const YUP_CHECKS = 'validate validateAt isValid';
const YUP_DATA = 'validateSync validateSyncAt isValidSync cast describe isType getDefault';
const JOI_CHECKS = 'validateAsync';
const JOI_DATA = 'validate describe';

function named(
  name: string,
  verifiedWith: string,
  type: LibraryType,
  functions: Readonly<Record<string, Member>> = {},
): Library {
  const makers: Member = { type: 'Makers' };
  return {
    name,
    modules: [name],
    verifiedWith,
    exports: { default: makers, ValidationError: { construct: {} } },
    exportPatterns: [[/^[a-z]/, schema]],
    types: {
      Makers: {
        members: { ...functions, ValidationError: { construct: {} } },
        memberPatterns: [[/^[a-z]/, schema]],
      },
      Schema: type,
    },
  };
}

/** Packages that check the form of data: they compute, and run what the program has given them. */
export const formCheckers: readonly Library[] = [
  zod,
  named('yup', '1.7.1', schemas(YUP_CHECKS, YUP_DATA, [])),
  named('joi', '18.3.2', schemas(JOI_CHECKS, JOI_DATA, []), each('attempt assert', {})),
  pure('valibot', '1.5.0', { named: each('parseAsync safeParseAsync', checked) }),
  pure('class-validator', '0.15.1', { named: each('validate validateOrReject', checked) }),
  pure('ajv', '8.20.0', {
    modules: ['ajv', 'ajv/dist/2019', 'ajv/dist/2020'],
    makes: 'Ajv',
    named: { Ajv: { construct: { returns: 'Ajv' } } },
    types: {
      Ajv: {
        // `compileAsync` fetches schemas.
        members: {
          ...each('compile getSchema', { returns: 'Validate' }),
          ...each('addSchema addMetaSchema addFormat addKeyword addVocabulary removeSchema', {
            returns: 'this',
          }),
          ...each('validate validateSchema errorsText', {}),
        },
      },
      Validate: { call: {} },
    },
  }),
  {
    name: 'ts-pattern',
    modules: ['ts-pattern'],
    verifiedWith: '5.9.2',
    exports: {
      match: { returns: 'Match' },
      isMatching: {},
      ...each('P Pattern', { type: 'Patterns' }),
    },
    types: {
      Match: {
        members: {
          // The function of the first pattern that fits runs when the chain ends.
          ...each('with when', { returns: 'this', callback: { at: 'last', params: [] } }),
          ...each('returnType narrow', { returns: 'this' }),
          otherwise: { callback: { at: 0, params: [] } },
          ...each('exhaustive run', {}),
        },
      },
      Patterns: { ...methods, call: {} },
    },
  },
];
