import type { Effect, Library, LibraryType } from './schema.ts';

function command(effect: Omit<Effect, 'env'>): LibraryType {
  return { awaited: { effect: { env: 'http', ...effect } } };
}

/** AWS SDK 3: one package per service, one class per command; what a command does is in its name. */
export const aws: Library = {
  name: '@aws-sdk',
  modules: [],
  modulePattern: '@aws-sdk/(?:client-[\\w-]+|lib-dynamodb)',
  verifiedWith: '3.1169.0',
  isHosted: true,
  exports: { DynamoDBDocumentClient: { type: 'DocumentClientStatic' } },
  exportPatterns: [
    [/Client$/, { construct: { returns: 'Client' } }],
    [/^ReceiveMessageCommand$/, { construct: { returns: 'TakeCommand' } }],
    [
      /^(?:Get|BatchGet|TransactGet|List|Describe|Head|Query|Scan|Search|Select|Lookup|Filter)\w*Command$/,
      { construct: { returns: 'ReadCommand' } },
    ],
    [/Command$/, { construct: { returns: 'WriteCommand' } }],
  ],
  types: {
    DocumentClientStatic: { members: { from: { returns: 'Client' } } },
    Client: {
      members: {
        send: { returns: 'Promise<any>', effect: { env: 'http', op: 'argument', argument: 0 } },
        destroy: {},
      },
    },
    ReadCommand: command({ op: 'read' }),
    WriteCommand: command({ op: 'write' }),
    TakeCommand: command({ op: 'write', work: true }),
  },
};
