import { each, withDefault } from './members.ts';
import type { Effect, Library, LibraryType, Member } from './schema.ts';
import { reading, resource, service, writing } from './service.ts';

/** A model that is asked and answers: it keeps nothing that another question would see. */
function answers(names: string): LibraryType {
  return resource({ ...each(names, reading), ...AT_ONCE });
}

/** They answer piece by piece, or with another client, and not with a promise. */
const AT_ONCE = each('stream', {});

/** What a model may call while it answers does whatever it does. */
function asked(options: NonNullable<Effect['options']>): Member {
  return {
    returns: 'Promise<any>',
    effect: { env: 'http', op: 'read', options, optionsAt: 0 },
  };
}

// A conversation is kept, and grows by each answer.
const inConversation: Member = asked({ conversation: 'sync' });

const question: Member = asked({ tools: 'sync' });

/** What one text is asked of can be asked of many at once. */
function ofTexts(together: NonNullable<Effect['together']>): Member {
  return { returns: 'Promise<any>', effect: { env: 'http', op: 'read', together } };
}

const ofInput = ofTexts({
  how: 'Pass all of them in one call: `input` accepts a list',
  option: 'input',
});

const geminiQuestions = each(
  'generateContent generateContentStream countTokens embedContent',
  reading,
);
/** Each message goes with those before it. */
const geminiChat: LibraryType = {
  members: { ...each('sendMessage sendMessageStream', writing), getHistory: {} },
};

const ollamaAsks: Member = { returns: 'Promise<any>', effect: { env: 'http', op: 'unknown' } };
const ollamaMembers: Readonly<Record<string, Member>> = {
  ...each('chat generate embed embeddings create pull push delete copy', ollamaAsks),
  ...each('list show ps', reading),
};
const ollama = withDefault(
  { Ollama: { construct: { returns: 'Ollama' } } },
  { members: ollamaMembers },
);

/** Large language models, asked over HTTP. */
export const llms: readonly Library[] = [
  service({
    name: 'openai',
    verifiedWith: '7.57.0',
    className: 'OpenAI',
    alsoNamed: 'AzureOpenAI',
    members: each('stream', {}),
    own: {
      ...each('embeddings moderations', { type: 'AnswersToTexts' }),
      completions: { type: 'Answers' },
      chat: { type: 'Chat' },
      audio: { type: 'Audio' },
      images: { type: 'Images' },
      responses: { type: 'Responses' },
      withOptions: { returns: 'Client' },
    },
    types: {
      Answers: answers('create parse'),
      AnswersToTexts: resource({ create: ofInput }),
      Chat: { members: { completions: { type: 'Answers' } } },
      Audio: { members: each('transcriptions translations speech', { type: 'Answers' }) },
      Images: { members: each('generate edit createVariation', reading) },
      Responses: resource({ ...each('create parse', inConversation), ...AT_ONCE }),
    },
  }),
  service({
    name: 'groq-sdk',
    verifiedWith: '1.6.0',
    className: 'Groq',
    members: {},
    own: {
      embeddings: { type: 'AnswersToTexts' },
      chat: { type: 'Chat' },
      audio: { type: 'Audio' },
      withOptions: { returns: 'Client' },
    },
    types: {
      Answers: { members: { create: reading } },
      AnswersToTexts: { members: { create: ofInput } },
      Chat: { members: { completions: { type: 'Answers' } } },
      Audio: { members: each('transcriptions translations speech', { type: 'Answers' }) },
    },
  }),
  service({
    name: '@anthropic-ai/sdk',
    verifiedWith: '1.12.0',
    className: 'Anthropic',
    members: {},
    own: {
      messages: { type: 'Answers' },
      beta: { type: 'Beta' },
      withOptions: { returns: 'Client' },
    },
    types: {
      Answers: answers('create parse countTokens'),
      Beta: { members: { messages: { type: 'Answers' } }, anyMember: { type: 'Resource' } },
    },
  }),
  service({
    name: '@google/genai',
    verifiedWith: '3.1.0',
    className: 'GoogleGenAI',
    members: {},
    own: { models: { type: 'Models' }, chats: { type: 'Chats' } },
    types: {
      Models: resource(geminiQuestions),
      Chats: { members: { create: { returns: 'Chat' } } },
      Chat: geminiChat,
    },
  }),
  {
    name: '@google/generative-ai',
    modules: ['@google/generative-ai'],
    verifiedWith: '0.24.1',
    isHosted: true,
    exports: { GoogleGenerativeAI: { construct: { returns: 'GoogleGenerativeAI' } } },
    types: {
      GoogleGenerativeAI: {
        members: each('getGenerativeModel getGenerativeModelFromCachedContent', {
          returns: 'GenerativeModel',
        }),
      },
      GenerativeModel: {
        members: {
          ...geminiQuestions,
          batchEmbedContents: reading,
          startChat: { returns: 'ChatSession' },
        },
      },
      ChatSession: geminiChat,
    },
  },
  // Whichever model: the kit asks it.
  {
    name: 'ai',
    modules: ['ai'],
    verifiedWith: '7.0.173',
    isHosted: true,
    exports: {
      generateText: question,
      embed: ofTexts({ how: 'Pass all of them to `embedMany`' }),
      ...each('generateObject embedMany rerank generateImage transcribe generateSpeech', reading),
      ...each('streamText streamObject', {}),
    },
    types: {},
  },
  // The machine's own, which answers a few questions at a time.
  {
    name: 'ollama',
    modules: ['ollama'],
    verifiedWith: '0.6.4',
    exports: ollama.exports,
    types: { Namespace: ollama.namespace, Ollama: { members: ollamaMembers } },
  },
];
