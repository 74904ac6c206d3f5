import type { WordList } from './word-list.ts';

const loops = ['no-autocommit-in-loop', 'no-independent-await-in-loop'];
const reads = ['no-sequential-independent-awaits'];

export const intendedOrder: WordList = {
  ruleIds: loops,
  effect:
    'A comment in the loop, or in the three lines above it, declares its order or pace intended: no report.',
  words: [
    ...[
      'sequential*',
      'serial(ly|ise|ize)?',
      { word: 'in order', notBefore: ['to', 'that', 'for'] },
    ],
    '(chronological|dependency|insertion|reverse|topological) order*',
    'one (at a time|by one|after (another|the other))*',
    'order (matters|is (important|intended|significant|relevant))*',
    '(keep|preserve|maintain)(s|ing)? (the |their )?order*',
    ...['intentional*', 'deliberate*', 'on purpose*', 'rate.?limit*', 'throttl*'],
    ...['avoid (overload|hammer|flood|too many)*', "don'?t (ddos|hammer|overload)*"],
    ...['not (in )?parallel*', 'back.?pressure*', 'memory (use|usage|limit|pressure)*'],
    'limit (memory|concurrency|load)*',
  ],
};

export const limitedConcurrency: WordList = {
  ruleIds: reads,
  effect:
    'A comment in a statement, or in the three lines above it, declares that it must not run concurrently with others: no report.',
  words: [
    ...['in (\\w+ )?waves', 'pool pressure', 'starv(es?|ing|ation)', 'sequentially'],
    "(connection|connections|database|db)[ -]pool('s|\u2019s)? (size|limit|max*)",
    '(exhaust|saturate|drain)* (the |our )?(\\w+ )?pool',
    ...['one (at a time|after (another|the other))', 'not (in )?parallel'],
    'parallel (connections|checkouts)',
  ],
};

export const inTurn: WordList = {
  ruleIds: [...loops, ...reads],
  effect: 'The same in German, French, Italian, Spanish, Portuguese, Turkish and Polish.',
  words: [
    ...['nacheinander', 'der reihe nach', 'sequen[tz]iell', 's[ée]quentiel*', 'sequenziale?*'],
    ...['se[cq]uencial(mente)?', 's[ıi]ral[ıi]', 'sekwencyjn*'],
  ],
};

export const inTurnElsewhere: WordList = {
  ruleIds: [...loops, ...reads],
  effect: 'The same in Russian, Chinese, Japanese and Korean.',
  words: [
    ...['последовательно', '按顺序', '逐个', '逐一', '串行', '順番に', '直列', '순차', '순서대로'],
  ].map((it) => `${it}*`),
};

export const separateQuery: WordList = {
  ruleIds: ['no-nested-checkout'],
  effect:
    'A comment in the three lines above a query declares that it does not belong to the transaction around it: no report.',
  words: [
    ...['outside', 'separate(ly)?', 'independent(ly)?', 'autonomous', 'regardless', 'audit'],
    ...['(its|their|an?) own (connection|transaction)', 'another (connection|transaction)'],
    'not (be )?(part of|in|inside) (the|this|a) transaction',
    ...['(surviv|outliv)\\w+', 'even (if|when)'],
  ],
};
