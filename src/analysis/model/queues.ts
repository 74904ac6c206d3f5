import { each, withDefault } from './members.ts';
import type { Remedies } from './remedies.ts';
import type { Effect, Library, Member } from './schema.ts';

const read: Effect = { env: 'queue', op: 'read' };
const write: Effect = { env: 'queue', op: 'write' };
const sync: Effect = { env: 'queue', op: 'sync' };
const control: Member = { returns: 'Promise<any>', effect: sync };
const reading: Member = { returns: 'Promise<any>', effect: read };
const writing: Member = { returns: 'Promise<any>', effect: write };
/** Gives one unit of work, or says that there is none. */
const taking: Member = { returns: 'Promise<any>', effect: { ...write, work: true } };

const JOB_READS =
  'getJob getJobs getWaiting getActive getDelayed getCompleted getFailed getJobCounts getWaitingCount getActiveCount ' +
  'getDelayedCount getCompletedCount getFailedCount count isPaused getJobLogs getWorkers';

const jobs: Remedies = { bulk: 'Add all jobs with `addBulk`' };
const bullWhole = withDefault({}, { construct: { returns: 'Queue' }, call: { returns: 'Queue' } });
const boss: Member = { construct: { returns: 'PgBoss' } };
/** The module itself up to version 11, and a member of it since. */
const bossWhole = withDefault({ PgBoss: boss }, boss);

/** Queues: the members that add work, those that fetch it, and the functions that run once per job. */
export const queues: readonly Library[] = [
  {
    name: 'bullmq',
    modules: ['bullmq'],
    verifiedWith: '6.7.0',
    remedies: jobs,
    exports: {
      Queue: { construct: { returns: 'Queue' } },
      FlowProducer: { construct: { returns: 'FlowProducer' } },
      Worker: {
        construct: {
          returns: 'Worker',
          callback: { at: 1, params: ['Job', undefined], runs: 'per-job' },
        },
      },
    },
    types: {
      Queue: {
        role: 'queue',
        isConnected: true,
        members: {
          ...each('add addBulk upsertJobScheduler removeJobScheduler remove', writing),
          ...each(JOB_READS, reading),
          ...each('pause resume drain clean obliterate close', control),
        },
      },
      FlowProducer: {
        role: 'queue',
        isConnected: true,
        members: { ...each('add addBulk', writing), getFlow: reading, close: control },
      },
      Worker: {
        role: 'queue',
        members: { getNextJob: taking, ...each('run close pause resume waitUntilReady', control) },
      },
      Job: {
        members: {
          ...each(
            'updateProgress updateData log remove retry moveToCompleted moveToFailed',
            writing,
          ),
          getState: reading,
        },
      },
    },
  },
  {
    name: 'bull',
    modules: ['bull'],
    verifiedWith: '4.16.5',
    remedies: jobs,
    exports: bullWhole.exports,
    types: {
      Namespace: bullWhole.namespace,
      Queue: {
        role: 'queue',
        isConnected: true,
        members: {
          process: { callback: { at: 'last', params: ['Job', undefined], runs: 'per-job' } },
          ...each('add addBulk removeJobs removeRepeatable', writing),
          ...each(JOB_READS, reading),
          getNextJob: taking,
          ...each('pause resume empty clean obliterate close isReady', control),
        },
      },
      Job: {
        members: {
          ...each('progress update log remove retry moveToCompleted moveToFailed', writing),
          getState: reading,
        },
      },
    },
  },
  {
    name: 'pg-boss',
    modules: ['pg-boss'],
    verifiedWith: '12.38.0',
    usesTables: true,
    remedies: { bulk: 'Insert all jobs with one `insert`' },
    exports: {
      ...bossWhole.exports,
      default: { ...bossWhole.exports['default'], until: '11' },
    },
    types: {
      Namespace: bossWhole.namespace,
      PgBoss: {
        role: 'queue',
        members: {
          ...each(
            'send sendAfter sendThrottled sendDebounced insert publish complete fail cancel resume retry deleteJob ' +
              'createQueue updateQueue deleteQueue schedule unschedule',
            writing,
          ),
          purgeQueue: { ...writing, until: '10' },
          ...each('getJobById getQueues getQueue', reading),
          getQueueSize: { ...reading, until: '10' },
          fetch: taking,
          work: { ...control, callback: { at: 'last', params: [undefined], runs: 'per-job' } },
          ...each('start stop offWork', control),
        },
      },
    },
  },
  {
    name: 'kafkajs',
    modules: ['kafkajs'],
    verifiedWith: '2.2.4',
    remedies: { bulk: 'Send all messages with one `send`' },
    exports: { Kafka: { construct: { returns: 'Kafka' } } },
    types: {
      Kafka: {
        members: {
          consumer: { returns: 'Consumer' },
          producer: { returns: 'Producer' },
        },
      },
      Consumer: {
        role: 'queue',
        members: {
          run: {
            ...control,
            callback: {
              at: 0,
              params: [undefined],
              properties: ['eachMessage', 'eachBatch'],
              runs: 'per-job',
            },
          },
          ...each('connect disconnect subscribe stop', control),
          commitOffsets: writing,
        },
      },
      Producer: {
        role: 'queue',
        isConnected: true,
        members: {
          ...each('send sendBatch', writing),
          transaction: { returns: 'Promise<Transaction>', effect: sync },
          ...each('connect disconnect', control),
        },
      },
      Transaction: {
        members: {
          ...each('send sendBatch sendOffsets', writing),
          ...each('commit abort', control),
        },
      },
    },
  },
  {
    name: 'sqs-consumer',
    modules: ['sqs-consumer'],
    verifiedWith: '14.2.8',
    exports: { Consumer: { type: 'ConsumerStatic', construct: { returns: 'Consumer' } } },
    types: {
      ConsumerStatic: {
        members: {
          create: {
            returns: 'Consumer',
            callback: {
              at: 0,
              params: [undefined],
              properties: ['handleMessage', 'handleMessageBatch'],
              runs: 'per-job',
            },
          },
        },
      },
      Consumer: { role: 'queue', members: each('start stop', {}) },
    },
  },
  {
    name: 'node-cron',
    modules: ['node-cron'],
    verifiedWith: '4.6.0',
    ...periodic('schedule', { callback: { at: 1, params: [undefined], runs: 'scheduled' } }),
  },
  {
    name: 'node-schedule',
    modules: ['node-schedule'],
    verifiedWith: '2.1.1',
    ...periodic('scheduleJob', {
      callback: { at: 'last', params: [undefined], runs: 'scheduled' },
    }),
  },
  {
    name: 'cron',
    modules: ['cron'],
    verifiedWith: '4.4.0',
    ...periodic('CronJob', {
      construct: { callback: { at: 1, params: [], runs: 'scheduled' } },
    }),
  },
];

function periodic(name: string, member: Member): Pick<Library, 'exports' | 'types'> {
  const { exports, namespace } = withDefault({ [name]: member });
  return { exports, types: { Namespace: namespace } };
}
