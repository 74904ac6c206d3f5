import { each, NAMESPACE } from './members.ts';
import type { Library, LibraryType, Member } from './schema.ts';
import { reading, writing } from './service.ts';

/** From memory for some time. */
const remembered: Member = {
  returns: 'Promise<any>',
  effect: { env: 'http', op: 'read', memo: true },
};
const mailing: Member = { returns: 'Promise<any>', effect: { env: 'email', op: 'write' } };

/** A method writes unless its name says that it reads. */
function verbs(
  reads: RegExp,
  members: Readonly<Record<string, Member>> = {},
  writes: RegExp = /^[a-z]/,
): LibraryType {
  return {
    members,
    memberPatterns: [
      [reads, reading],
      [writes, writing],
    ],
  };
}

const READS = /^(?:get|list|search|find|read|download|count|exists|preview|estimate)(?![a-z])/;

/** One class makes the client, whose methods are requests. */
function client(
  name: string,
  verifiedWith: string,
  className: string,
  type: LibraryType,
  types: Readonly<Record<string, LibraryType>> = {},
): Library {
  const made: Member = { construct: { returns: className } };
  return {
    name,
    modules: [name],
    verifiedWith,
    isHosted: true,
    exports: { [className]: made },
    types: { [className]: type, ...types },
  };
}

const stigg: Library = {
  ...client('@stigg/node-server-sdk', '4.55.0', 'Stigg', {
    members: {
      ...each(
        'getBooleanEntitlement getNumericEntitlement getMeteredEntitlement getEnumEntitlement getEntitlement',
        remembered,
      ),
      waitForInitialization: {
        returns: 'Promise<Stigg>',
        effect: { env: 'http', op: 'sync' },
      },
      close: { returns: 'Promise<void>' },
      ...each('addListener removeListener', {}),
    },
    memberPatterns: [
      [READS, reading],
      [/^[a-z]/, writing],
    ],
  }),
  exports: each('default Stigg', { type: 'Static' }),
};

const clerkParts: Member = { type: 'Part' };

/** Packages of companies: the name of a method distinguishes reads and writes. */
export const apis: readonly Library[] = [
  {
    ...stigg,
    types: {
      Static: { members: { initialize: { returns: 'Stigg' } } },
      ...stigg.types,
    },
  },
  client(
    '@workos-inc/node',
    '11.0.0',
    'WorkOS',
    {
      members: each(
        'userManagement sso webhooks organizations directorySync passwordless auditLogs events organizationDomains apiKeys',
        { type: 'Part' },
      ),
    },
    {
      // They put an address together, or compare a signature.
      Part: verbs(
        READS,
        each(
          'getAuthorizationUrl getAuthorizationUrlWithPKCE getLogoutUrl getJwksUrl constructEvent verifyHeader ' +
            'computeSignature getTimestampAndSignatureHash loadSealedSession',
          {},
        ),
        /^(?:accept|authenticate|create|delete|deactivate|enroll|reactivate|remove|resend|reset|revoke|send|update)/,
      ),
    },
  ),
  {
    ...client('postmark', '5.1.0', 'ServerClient', {
      ...verbs(READS),
      members: {
        ...each(
          'sendEmail sendEmailBatch sendEmailWithTemplate sendEmailBatchWithTemplates',
          mailing,
        ),
        ...each('setClientOptions getClientOptions', {}),
      },
    }),
    exports: each('ServerClient Client', { construct: { returns: 'ServerClient' } }),
  },
  {
    name: 'yahoo-finance2',
    modules: ['yahoo-finance2'],
    verifiedWith: '4.0.2',
    isHosted: true,
    // Up to version 2 the default export is the client itself.
    exports: { default: { type: 'YahooFinance', construct: { returns: 'YahooFinance' } } },
    types: {
      YahooFinance: {
        members: {
          ...each(
            'chart historical insights options quote quoteSummary recommendationsBySymbol screener search trendingSymbols',
            reading,
          ),
          quoteCombine: remembered,
        },
      },
    },
  },
  {
    name: 'google-spreadsheet',
    modules: ['google-spreadsheet'],
    verifiedWith: '5.3.0',
    isHosted: true,
    remedies: { batch: 'Write all rows with one `addRows`' },
    exports: { GoogleSpreadsheet: { construct: { returns: 'GoogleSpreadsheet' } } },
    types: {
      GoogleSpreadsheet: {
        members: {
          loadInfo: reading,
          useServiceAccountAuth: {
            returns: 'Promise<any>',
            effect: { env: 'http', op: 'sync' },
            until: '3',
          },
          ...each('addSheet updateProperties delete', writing),
          sheetsByIndex: { type: 'GoogleSpreadsheetWorksheet[]' },
          ...each('sheetsById sheetsByTitle', { type: 'Sheets' }),
        },
      },
      Sheets: { anyMember: { type: 'GoogleSpreadsheetWorksheet' } },
      GoogleSpreadsheetWorksheet: {
        members: {
          ...each('loadHeaderRow loadCells getCellsInRange', reading),
          getRows: { ...reading, returns: 'Promise<GoogleSpreadsheetRow[]>' },
          ...each(
            'addRow addRows setHeaderRow saveUpdatedCells saveCells clear resize delete',
            writing,
          ),
          ...each('getCell getCellByA1', {}),
        },
      },
      GoogleSpreadsheetRow: {
        members: { ...each('save delete', writing), ...each('get set', {}) },
      },
    },
  },
  {
    name: '@clerk/backend',
    modules: ['@clerk/backend'],
    verifiedWith: '3.25.0',
    isHosted: true,
    exports: {
      createClerkClient: { returns: 'Clerk' },
      Clerk: { returns: 'Clerk', until: '1' },
    },
    types: {
      Clerk: {
        members: each(
          'users organizations sessions invitations clients emailAddresses phoneNumbers domains allowlistIdentifiers ' +
            'blocklistIdentifiers oauthApplications redirectUrls signInTokens testingTokens jwtTemplates',
          clerkParts,
        ),
      },
      Part: verbs(READS),
    },
  },
  {
    name: '@clerk/nextjs',
    modules: ['@clerk/nextjs', '@clerk/nextjs/server'],
    verifiedWith: '7.9.17',
    isHosted: true,
    exports: {
      clerkClient: { returns: 'Promise<@clerk/backend.Clerk>' },
      currentUser: remembered,
      // Read off the request.
      auth: {},
    },
    types: {},
  },
  {
    name: 'plaid',
    modules: ['plaid'],
    verifiedWith: '47.0.0',
    isHosted: true,
    exports: {
      PlaidApi: { construct: { returns: 'PlaidApi' } },
      Configuration: { construct: {} },
    },
    types: { PlaidApi: verbs(/(?:Get|List|Search)$/) },
  },
  {
    name: 'algoliasearch',
    modules: ['algoliasearch'],
    verifiedWith: '5.65.0',
    isHosted: true,
    exports: {
      algoliasearch: { returns: 'Algoliasearch' },
      default: { returns: 'Algoliasearch', type: NAMESPACE, until: '4' },
    },
    types: {
      [NAMESPACE]: {},
      Algoliasearch: {
        members: {
          ...each('waitForTask waitForApiKey waitForAppTask', {
            returns: 'Promise<any>',
            effect: { env: 'http', op: 'sync' },
          }),
          ...each(
            'addAlgoliaAgent clearCache setClientApiKey generateSecuredApiKey getSecuredApiKeyRemainingValidity',
            {},
          ),
          initIndex: { returns: 'SearchIndex', until: '4' },
        },
        memberPatterns: [
          [/^(?:get|list|search|browse|has)(?![a-z])/, reading],
          [
            /^(?:save|partialUpdate|delete|clear|replace|batch|multipleBatch|add|set|update|operation|chunked)/,
            writing,
          ],
        ],
      },
      SearchIndex: {
        members: {
          ...each('search getObject getObjects findObject browseObjects getSettings', {
            ...reading,
            until: '4',
          }),
          ...each(
            'saveObject saveObjects partialUpdateObject partialUpdateObjects deleteObject deleteObjects deleteBy ' +
              'clearObjects setSettings replaceAllObjects',
            { ...writing, until: '4' },
          ),
        },
      },
    },
  },
];
