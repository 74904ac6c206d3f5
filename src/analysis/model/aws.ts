import { each, withDefault } from './members.ts';
import type { Effect, Library, LibraryType, Member, Signature, Together } from './schema.ts';

function command(effect: Omit<Effect, 'env'>): LibraryType {
  return { awaited: { effect: { env: 'http', ...effect } } };
}

const READS =
  '(?:admin|batch|transact)?[gG]et|(?:admin)?[lL]ist|describe|head|query|scan|search|select|lookup|filter';
/** A condition holds for its own request, and so does what it is to give back; `name` is the command for several. */
function joint(name: string): Together {
  return {
    how: `Write up to 25 per request with \`${name}\`, and send unprocessed items again`,
    except: /^(?:Condition|Expected$|Expression|Return)/,
  };
}

function fetched(name: string): Together {
  return {
    how: `Fetch up to 100 per request with \`${name}\`, and request unprocessed keys again`,
  };
}

/** Classes with a method for each command, beside those whose names end in `Client`. */
const WHOLE_CLIENTS =
  'ACM APIGateway Athena AutoScaling BedrockRuntime CloudFormation CloudFront CloudWatch CloudWatchLogs ' +
  'CognitoIdentityProvider Comprehend DynamoDB EC2 ECR ECS EventBridge Firehose Glue IAM Kinesis KMS Lambda ' +
  'Polly RDS Rekognition Route53 S3 SageMakerRuntime SecretsManager SES SESv2 SFN SNS SQS SSM STS Textract Translate';
/** They take a task from a list, or make an identity of those that are not known yet. */
const GETS_BUT_WRITES = 'getActivityTask|getId|getOpenIdTokenForDeveloperIdentity';
/** What only asks, by the name of its method. */
const READING = new RegExp(`^(?!(?:${GETS_BUT_WRITES})$)(?:${READS})(?![a-z])`);
/** None of them asks for anything. */
const ASKS_NOTHING = each('destroy middlewareStack config', {});

/** A method that sends, or, given a callback, sends at once. */
function sent(effect: Omit<Effect, 'env'>): Member {
  const whole: Effect = { env: 'http', ...effect };
  return { returns: 'Promise<any>', effect: whole };
}

/** What it answers depends on the command. */
const sentCommand: Member = {
  returns: 'Promise<Output>',
  effect: { env: 'http', op: 'argument', argument: 0 },
};

/** A client with a method for each command: what it does is in its name, as that of the command. */
const whole: LibraryType = {
  members: {
    send: sentCommand,
    ...ASKS_NOTHING,
    receiveMessage: sent({ op: 'write', work: true }),
  },
  memberPatterns: [
    [READING, sent({ op: 'read' })],
    [/^paginate|^waitUntil/, {}],
    [/^(?:put|delete)$/, sent({ op: 'write', together: joint('batchWrite') })],
    [/^(?:put|delete)Item$/, sent({ op: 'write', together: joint('batchWriteItem') })],
    [/^[a-z]/, sent({ op: 'write' })],
  ],
};

/** AWS SDK 3: one package per service, one class per command; what a command does is in its name. */
const version3: Library = {
  name: '@aws-sdk',
  modules: [],
  modulePattern: '@aws-sdk/(?:client-[\\w-]+|lib-dynamodb)',
  verifiedWith: '3.1169.0',
  isHosted: true,
  // Messages and rows; phones and devices take one each.
  destination: /^(?:QueueUrl|TableName|TopicArn|StreamName|StreamARN|DeliveryStreamName)$/,
  remedies: { bulk: 'Send them in batches (SendMessageBatch, PublishBatch, PutRecords)' },
  exports: {
    DynamoDBDocumentClient: { type: 'DocumentClientStatic' },
    DynamoDBDocument: { type: 'DocumentStatic' },
    ...each(WHOLE_CLIENTS, { construct: { returns: 'Whole' } }),
  },
  exportPatterns: [
    [/Client$/, { construct: { returns: 'Client' } }],
    [/^(?:SendMessage|Publish|PutRecord)Command$/, { construct: { returns: 'SendCommand' } }],
    [
      new RegExp(`^(?:${GETS_BUT_WRITES})Command$`, 'i'),
      { construct: { returns: 'WriteCommand' } },
    ],
    [/^GetCommand$/, { construct: { returns: 'FetchCommand' } }],
    [/^GetItemCommand$/, { construct: { returns: 'FetchItemCommand' } }],
    [/^(?:Put|Delete)Command$/, { construct: { returns: 'RowCommand' } }],
    [/^(?:Put|Delete)ItemCommand$/, { construct: { returns: 'ItemCommand' } }],
    [/^ReceiveMessageCommand$/, { construct: { returns: 'TakeCommand' } }],
    [
      /^(?:(?:Admin|Batch|Transact)?Get|(?:Admin)?List|Describe|Head|Query|Scan|Search|Select|Lookup|Filter)\w*Command$/,
      { construct: { returns: 'ReadCommand' } },
    ],
    [/Command$/, { construct: { returns: 'WriteCommand' } }],
  ],
  types: {
    DocumentClientStatic: { members: { from: { returns: 'Client' } } },
    DocumentStatic: { members: { from: { returns: 'Whole' } } },
    Client: {
      members: {
        send: sentCommand,
        destroy: {},
      },
    },
    Whole: whole,
    Output: { members: { Body: { type: 'OutputBody' } } },
    OutputBody: {
      members: each('transformToString transformToByteArray', {
        returns: 'Promise<any>',
        effect: { env: 'http', op: 'sync', memo: true },
      }),
    },
    ReadCommand: command({ op: 'read' }),
    WriteCommand: command({ op: 'write' }),
    FetchCommand: command({ op: 'read', together: fetched('BatchGetCommand') }),
    FetchItemCommand: command({ op: 'read', together: fetched('BatchGetItemCommand') }),
    RowCommand: command({ op: 'write', together: joint('BatchWriteCommand') }),
    ItemCommand: command({ op: 'write', together: joint('BatchWriteItemCommand') }),
    SendCommand: { awaited: { effect: { env: 'queue', op: 'write' } } },
    TakeCommand: command({ op: 'write', work: true }),
  },
};

/** Uploads in parts: started by `done`, which waits for all of them. */
const storage: Library = {
  name: '@aws-sdk/lib-storage',
  modules: ['@aws-sdk/lib-storage'],
  verifiedWith: '3.1169.0',
  isHosted: true,
  exports: { Upload: { construct: { returns: 'Upload' } } },
  types: {
    Upload: {
      members: {
        done: { returns: 'Promise<any>', effect: { env: 'http', op: 'write' } },
        abort: { returns: 'Promise<void>' },
        on: { returns: 'this' },
      },
    },
  },
};

/** Version 2: a method makes a request, which `promise()` sends; given a callback, it sends at once. */
function requested(op: 'read' | 'write', work = false): Member {
  const request: Signature = { returns: 'Request', step: { op } };
  const effect: Effect = { env: 'http', op, ...(work ? { work } : {}) };
  return {
    ...request,
    callback: { at: 1, params: ['error', undefined] },
    withCallback: { effect, callback: { at: 1, params: ['error', undefined] } },
  };
}

const service2: Member = { construct: { returns: 'Service' } };
const dynamo2: Member = { type: 'DynamoDBStatic', construct: { returns: 'Service' } };
const types2: Readonly<Record<string, LibraryType>> = {
  DynamoDBStatic: { members: { DocumentClient: service2 } },
  Service: {
    members: {
      receiveMessage: { returns: 'TakeRequest' },
      ...each('getSignedUrl createPresignedPost makeRequest waitFor setupRequestListeners', {}),
      getSignedUrlPromise: { returns: 'Promise<any>' },
    },
    memberPatterns: [
      [READING, requested('read')],
      [/^[a-z]/, requested('write')],
    ],
  },
  Request: {
    members: {
      promise: { returns: 'Promise<any>', effect: { env: 'http', op: 'builder' } },
      send: {
        effect: { env: 'http', op: 'builder' },
        callback: { at: 0, params: ['error', undefined] },
      },
    },
  },
  TakeRequest: {
    members: {
      promise: { returns: 'Promise<any>', effect: { env: 'http', op: 'write', work: true } },
    },
  },
};
const whole2 = withDefault({ DynamoDB: dynamo2 }, { members: { config: {} }, anyMember: service2 });

export const aws: readonly Library[] = [
  version3,
  storage,
  // It computes a signature, and asks nobody.
  {
    name: '@aws-sdk/s3-request-presigner',
    modules: ['@aws-sdk/s3-request-presigner'],
    verifiedWith: '3.1164.0',
    exports: { getSignedUrl: { returns: 'Promise<any>' } },
    types: {},
  },
  {
    name: 'aws-sdk',
    modules: ['aws-sdk'],
    verifiedWith: '2.1693.0',
    isHosted: true,
    exports: whole2.exports,
    exportPatterns: [[/^[A-Z]\w*$/, service2]],
    types: { ...types2, Namespace: whole2.namespace },
  },
  {
    name: 'aws-sdk/clients',
    modules: [],
    modulePattern: 'aws-sdk/clients/[\\w-]+',
    verifiedWith: '2.1693.0',
    isHosted: true,
    exports: { default: dynamo2, DocumentClient: service2 },
    types: types2,
  },
];
