import { each, withDefault } from './members.ts';
import type { Library, Member } from './schema.ts';

const reading: Member = { returns: 'Promise<any>', effect: { env: 'http', op: 'read' } };

/** A client whose methods, however deep (`openai.chat.completions.create`), are HTTP requests. */
function service(name: string, verifiedWith: string, className: string): Library {
  const client: Member = { construct: { returns: 'Client' } };
  const { exports, namespace } = withDefault({ [className]: client }, client);
  return {
    name,
    modules: [name],
    verifiedWith,
    isHosted: true,
    exports,
    types: {
      Namespace: namespace,
      [className]: { extends: 'Client' },
      Client: { anyMember: { type: 'Resource' } },
      Resource: {
        call: { returns: 'Promise<any>', effect: { env: 'http', op: 'write' } },
        // Of Stripe: they compare a signature with a text.
        members: {
          ...each('list retrieve search', reading),
          ...each('constructEvent constructEventAsync', {}),
        },
        anyMember: { type: 'Resource' },
      },
    },
  };
}

const sendGridMembers: Readonly<Record<string, Member>> = {
  ...each('send sendMultiple', {
    returns: 'Promise<any>',
    effect: { env: 'email', op: 'write' },
  }),
  ...each('setApiKey setClient setTimeout setTwilioEmailAuth setSubstitutionWrappers', {}),
};
const sendGrid = withDefault(
  { MailService: { construct: { returns: 'MailService' } } },
  { members: sendGridMembers },
);
const mail = withDefault({ createTransport: { returns: 'Transporter' } });

export const services: readonly Library[] = [
  service('openai', '6.49.0', 'OpenAI'),
  service('@anthropic-ai/sdk', '1.11.0', 'Anthropic'),
  service('stripe', '23.1.0', 'Stripe'),
  service('@slack/web-api', '8.2.0', 'WebClient'),
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
];
