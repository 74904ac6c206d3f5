import { each, withDefault } from './members.ts';
import type { Library, Member } from './schema.ts';

const control: Member = { returns: 'Promise<any>', effect: { env: 'queue', op: 'sync' } };
const reading: Member = { returns: 'Promise<any>', effect: { env: 'queue', op: 'read' } };
/** The server has it once the promise is settled. */
const sending: Member = { returns: 'Promise<any>', effect: { env: 'queue', op: 'write', key: 0 } };
/** Written to the socket's buffer: nothing is waited for. */
const sent: Member = { effect: { env: 'queue', op: 'write', key: 0, sync: true } };

const amqp = withDefault({ connect: { returns: 'AmqpConnectionManager' } });
const mqttWhole = withDefault({
  connect: { returns: 'MqttClient' },
  connectAsync: { returns: 'Promise<MqttClient>', effect: { env: 'queue', op: 'sync' } },
});

/** Message brokers: their answers go to other programs. */
export const messages: readonly Library[] = [
  {
    name: 'amqp-connection-manager',
    modules: ['amqp-connection-manager'],
    verifiedWith: '5.0.0',
    exports: amqp.exports,
    types: {
      Namespace: amqp.namespace,
      AmqpConnectionManager: {
        members: {
          createChannel: { returns: 'ChannelWrapper' },
          ...each('isConnected on once addListener removeListener', {}),
          ...each('close connect', control),
        },
      },
      ChannelWrapper: {
        concurrency: 'pipelined',
        members: {
          ...each('publish sendToQueue', sending),
          ...each('ack ackAll nack nackAll', sent),
          ...each(
            'waitForConnect addSetup removeSetup close cancel cancelAll assertQueue checkQueue deleteQueue purgeQueue ' +
              'bindQueue unbindQueue assertExchange checkExchange deleteExchange bindExchange unbindExchange',
            control,
          ),
          consume: { ...control, callback: { at: 1, params: [undefined], runs: 'per-job' } },
          get: {
            returns: 'Promise<any>',
            effect: { env: 'queue', op: 'write', key: 0, work: true },
          },
          queueLength: {},
        },
      },
    },
  },
  {
    name: 'nats',
    modules: ['nats'],
    verifiedWith: '2.29.3',
    exports: {
      connect: { returns: 'Promise<NatsConnection>', effect: { env: 'queue', op: 'sync' } },
      ...each('StringCodec JSONCodec headers', {}),
    },
    types: {
      NatsConnection: {
        concurrency: 'pipelined',
        members: {
          ...each('publish publishMessage', sent),
          // Who answers may do anything.
          request: { returns: 'Promise<any>', effect: { env: 'queue', op: 'unknown', key: 0 } },
          jetstream: { returns: 'JetStreamClient' },
          subscribe: { returns: 'Subscription' },
          ...each('isClosed getServer', {}),
          ...each('close drain flush', control),
        },
      },
      Subscription: {
        isWorkSource: true,
        members: {
          ...each('unsubscribe isClosed getSubject getReceived getProcessed getPending', {}),
          drain: control,
        },
      },
      JetStreamClient: {
        concurrency: 'pipelined',
        members: { publish: sending, consumers: { type: 'Consumers' } },
      },
      Consumers: { members: { get: { ...reading, returns: 'Promise<Consumer>' } } },
      Consumer: {
        members: {
          ...each('consume fetch', { ...control, returns: 'Promise<ConsumerMessages>' }),
          next: { returns: 'Promise<any>', effect: { env: 'queue', op: 'write', work: true } },
          info: reading,
        },
      },
      ConsumerMessages: { isWorkSource: true, members: { close: control, stop: {} } },
    },
  },
  {
    name: 'mqtt',
    modules: ['mqtt'],
    verifiedWith: '5.16.0',
    exports: mqttWhole.exports,
    types: {
      Namespace: mqttWhole.namespace,
      MqttClient: {
        concurrency: 'pipelined',
        members: {
          // Of what no answer is asked for, which is the default, it waits for the socket only.
          publishAsync: { ...sent, returns: 'Promise<any>' },
          publish: sent,
          ...each('subscribeAsync unsubscribeAsync endAsync', control),
          ...each('on once end subscribe unsubscribe', {}),
        },
      },
    },
  },
  {
    name: '@nestjs/microservices',
    modules: ['@nestjs/microservices'],
    verifiedWith: '12.1.1',
    exports: each('ClientProxy ClientKafka ClientRedis ClientNats ClientMqtt ClientRMQ ClientTCP', {
      construct: { returns: 'ClientProxy' },
    }),
    types: {
      ClientProxy: {
        members: {
          connect: control,
          close: {},
          // Once somebody subscribes; who answers may do anything.
          send: {
            returns: '@nestjs/axios.Observable',
            effect: { env: 'queue', op: 'unknown', key: 0 },
          },
          // At once, whether anybody subscribes or not.
          emit: { returns: 'Sent', effect: { env: 'queue', op: 'write', key: 0 } },
        },
      },
      Sent: {
        members: {
          pipe: { returns: 'this', observables: 'pipes' },
          toPromise: { returns: 'Promise<any>' },
          subscribe: {},
        },
      },
    },
  },
];
