import { each } from './members.ts';
import type { Effect, Library, LibraryType, Member } from './schema.ts';

const sync: Effect = { env: 'queue', op: 'sync' };
const control: Member = { returns: 'Promise<any>', effect: sync };
/** Written to the socket's buffer: nothing is waited for. */
const send: Member = { effect: { env: 'queue', op: 'write', key: 0, sync: true } };

const SETUP =
  'assertQueue checkQueue deleteQueue purgeQueue bindQueue unbindQueue assertExchange checkExchange ' +
  'deleteExchange bindExchange unbindExchange cancel prefetch recover';
const ACKNOWLEDGEMENTS = 'ack ackAll nack nackAll reject';

const channel: LibraryType = {
  role: 'channel',
  concurrency: 'pipelined',
  members: {
    ...each(SETUP, control),
    ...each(ACKNOWLEDGEMENTS, send),
    ...each('publish sendToQueue', send),
    consume: { ...control, callback: { at: 1, params: [undefined], runs: 'per-job' } },
    get: { returns: 'Promise<any>', effect: { env: 'queue', op: 'write', key: 0, work: true } },
    close: { ...control, releases: 'this' },
  },
};
const createChannel: Member = {
  returns: 'Promise<Channel>',
  acquires: 'channel',
  effect: sync,
};

export const amqplib: Library = {
  name: 'amqplib',
  modules: ['amqplib'],
  verifiedWith: '2.3.1',
  exports: {
    connect: { returns: 'Promise<ChannelModel>', acquires: 'connection', effect: sync },
  },
  types: {
    ChannelModel: {
      role: 'client',
      concurrency: 'pipelined',
      members: {
        createChannel,
        createConfirmChannel: { ...createChannel, returns: 'Promise<ConfirmChannel>' },
        close: { ...control, releases: 'this' },
      },
    },
    Channel: channel,
    ConfirmChannel: {
      ...channel,
      members: { ...channel.members, waitForConfirms: control },
    },
  },
};
