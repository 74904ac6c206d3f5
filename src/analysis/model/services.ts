import { each, withDefault } from './members.ts';
import type { Library, LibraryType, Member } from './schema.ts';
import { reading, resource, service, writing } from './service.ts';

const mailing: Member = { returns: 'Promise<any>', effect: { env: 'email', op: 'write' } };

const GITHUB: Readonly<Record<string, Member>> = {
  request: { returns: 'Promise<any>', effect: { env: 'http', op: 'verb' } },
  graphql: { returns: 'Promise<any>', effect: { env: 'http', op: 'document' } },
  ...each('auth hook log', {}),
};
const PAGED: Readonly<Record<string, Member>> = {
  paginate: { returns: 'Promise<any>', effect: { env: 'http', op: 'argument', argument: 0 } },
  rest: { type: 'Endpoints' },
};
const endpoints: Library['types'] = {
  Endpoints: { members: { search: { type: 'Searches' } }, anyMember: { type: 'Scope' } },
  Searches: { anyMember: reading },
  Scope: {
    memberPatterns: [
      [/^(?:get|list|check|download|compare)(?![a-z])/, reading],
      [/^[a-z]/, writing],
    ],
  },
};

/** GitHub: `octokit.rest.issues.listForRepo(…)`, and `octokit.issues` up to version 16 of the whole kit. */
function octokit(
  name: string,
  verifiedWith: string,
  type: LibraryType,
  types: Library['types'] = {},
): Library {
  return {
    name,
    modules: [name],
    verifiedWith,
    isHosted: true,
    exports: { Octokit: { construct: { returns: 'Octokit' } } },
    types: { Octokit: type, ...types },
  };
}

const sendGridMembers: Readonly<Record<string, Member>> = {
  ...each('send sendMultiple', mailing),
  ...each('setApiKey setClient setTimeout setTwilioEmailAuth setSubstitutionWrappers', {}),
};
const sendGrid = withDefault(
  { MailService: { construct: { returns: 'MailService' } } },
  { members: sendGridMembers },
);
const push = withDefault({
  sendNotification: writing,
  ...each('setVapidDetails setGCMAPIKey generateVAPIDKeys encrypt', {}),
});
const mail = withDefault({ createTransport: { returns: 'Transporter' } });

const twilioClient: Member = { construct: { returns: 'Client' } };
const twilio = withDefault(
  { Twilio: twilioClient },
  {
    call: { returns: 'Client' },
    ...twilioClient,
    // Of requests that Twilio sends: they compare a signature with a text.
    members: each('validateRequest validateExpressRequest validateRequestWithBody webhook', {}),
  },
);

/** APIs of companies, by their own packages. */
export const services: readonly Library[] = [
  service({
    name: 'stripe',
    verifiedWith: '23.1.0',
    className: 'Stripe',
    isCalled: true,
    members: {
      ...each('list retrieve search', reading),
      // They compare a signature with a text.
      ...each('constructEvent constructEventAsync', {}),
    },
  }),
  service({
    name: '@slack/web-api',
    verifiedWith: '8.2.0',
    className: 'WebClient',
    members: each(
      'list retrieve search info history members replies lookupByEmail getPermalink getPresence get',
      reading,
    ),
    own: each('on once', {}),
  }),
  service({
    name: '@notionhq/client',
    verifiedWith: '5.26.0',
    className: 'Client',
    members: each('list retrieve query me', reading),
    own: { search: reading },
  }),
  octokit(
    '@octokit/rest',
    '22.0.1',
    {
      members: { ...GITHUB, ...PAGED, search: { type: 'Searches' } },
      anyMember: { type: 'Scope' },
    },
    endpoints,
  ),
  // The other two are made of it, and of plugins.
  octokit('@octokit/core', '7.0.8', { members: GITHUB }),
  octokit(
    'octokit',
    '5.0.5',
    { members: { ...GITHUB, ...PAGED }, anyMember: { type: 'Scope' } },
    endpoints,
  ),
  {
    name: '@actions/github',
    modules: ['@actions/github'],
    verifiedWith: '9.1.1',
    isHosted: true,
    exports: { getOctokit: { returns: '@octokit/rest.Octokit' } },
    types: {},
  },
  {
    name: 'twilio',
    modules: ['twilio'],
    verifiedWith: '6.2.0',
    isHosted: true,
    exports: twilio.exports,
    types: {
      Namespace: twilio.namespace,
      Twilio: { extends: 'Client' },
      Client: { anyMember: { type: 'Resource' } },
      Resource: {
        // `client.messages(sid)` names one of them.
        call: { returns: 'Resource' },
        members: {
          ...each('fetch list page', reading),
          ...each('create update remove', writing),
        },
        anyMember: { type: 'Resource' },
      },
    },
  },
  {
    name: 'resend',
    modules: ['resend'],
    verifiedWith: '6.38.0',
    isHosted: true,
    exports: { Resend: { construct: { returns: 'Resend' } } },
    types: {
      Resend: { members: each('emails batch', { type: 'Mails' }), anyMember: { type: 'Resource' } },
      Mails: {
        members: {
          ...each('send create', mailing),
          ...each('update cancel', writing),
          ...each('get list', reading),
        },
      },
      Resource: resource(each('get list', reading)),
    },
  },
  {
    name: '@vercel/blob',
    modules: ['@vercel/blob'],
    verifiedWith: '2.8.0',
    isHosted: true,
    exports: {
      ...each('put del copy', writing),
      ...each('head list', reading),
    },
    types: {},
  },
  {
    name: 'mailgun.js',
    modules: ['mailgun.js'],
    verifiedWith: '14.0.1',
    isHosted: true,
    exports: { default: { construct: { returns: 'Mailgun' } } },
    types: {
      Mailgun: { members: { client: { returns: 'IMailgunClient' } } },
      IMailgunClient: { members: { messages: { type: 'IMessagesClient' } } },
      IMessagesClient: { members: { create: mailing } },
    },
  },
  {
    name: 'web-push',
    modules: ['web-push'],
    verifiedWith: '3.6.7',
    isHosted: true,
    exports: push.exports,
    types: { Namespace: push.namespace },
  },
  {
    name: 'cloudinary',
    modules: ['cloudinary'],
    verifiedWith: '2.11.0',
    isHosted: true,
    exports: { v2: { type: 'Cloudinary' } },
    types: {
      Cloudinary: {
        members: {
          uploader: { type: 'Uploader' },
          api: { type: 'Api' },
          ...each('config url image picture video utils', {}),
        },
      },
      Uploader: {
        members: {
          // It gives the stream that the file is written to.
          upload_stream: {},
          ...each('upload destroy rename explicit explode multi add_tag remove_tag', writing),
        },
      },
      Api: {
        members: {
          ...each(
            'resource resources resources_by_ids resources_by_tag root_folders sub_folders tags usage',
            reading,
          ),
          ...each(
            'create_folder delete_folder delete_resources delete_resources_by_prefix update',
            writing,
          ),
        },
      },
    },
  },
  {
    name: '@sendgrid/mail',
    modules: ['@sendgrid/mail'],
    verifiedWith: '8.1.6',
    exports: sendGrid.exports,
    types: {
      Namespace: sendGrid.namespace,
      MailService: { members: sendGridMembers },
    },
  },
  {
    name: 'nodemailer',
    modules: ['nodemailer'],
    verifiedWith: '10.6.0',
    exports: mail.exports,
    types: {
      Namespace: mail.namespace,
      Transporter: {
        members: {
          sendMail: { returns: 'Promise<any>', effect: { env: 'email', op: 'write' } },
          verify: { returns: 'Promise<any>', effect: { env: 'email', op: 'read' } },
          close: {},
        },
      },
    },
  },
  // What Nest makes of nodemailer.
  {
    name: '@nestjs-modules/mailer',
    modules: ['@nestjs-modules/mailer'],
    verifiedWith: '2.0.2',
    exports: { MailerService: { construct: { returns: 'MailerService' } } },
    types: {
      MailerService: {
        members: {
          sendMail: { returns: 'Promise<any>', effect: { env: 'email', op: 'write' } },
          addTransporter: {},
        },
      },
    },
  },
];
