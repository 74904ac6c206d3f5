import type { WordList } from './word-list.ts';

export const heavyWork: WordList = {
  ruleIds: ['no-yield-per-iteration'],
  effect:
    'A call with one of these words in its name counts as heavy work of the iteration: no report.',
  words: [
    ...['verify*', 'hash*', 'sign(ature|atures)?', 'encrypt*', 'decrypt*', 'compress*', 'inflate'],
    ...['deflate', 'gzip*', 'gunzip', 'zip', 'unzip', 'render*', 'parse*', 'pars(ing|er)'],
    ...['stringify', 'serializ*', 'deserializ*', 'transpil*', 'compil*', 'bundl*', 'minif*'],
    ...['transform*', 'process*', 'comput*', 'calculat*', 'generat*', 'build*', 'analy[sz]*'],
    ...['classif*', 'index*', 'sort*', 'merge*', 'diff*', 'clone*', 'embed*', 'score*', 'simulat*'],
    ...['train*', 'resiz*', 'encode*', 'decode*', 'validat*', 'replay*', 'apply*', 'execut*'],
    ...['evaluat*', 'scan*', 'match ?all', 'crunch*', 'heavy', 'expensive', 'cpu', 'block*'],
    ...['import*', 'convert*', 'extract*', 'chunk*', 'tokeni[sz]*', 'optimi[sz]*', 'run*', 'sync'],
  ],
};

export const intendedYield: WordList = {
  ruleIds: ['no-yield-per-iteration'],
  effect:
    'A comment within three lines of the yield, or the name of its function, declares heavy iterations or intended turns: no report.',
  words: [
    ...['heavy', 'expensive', 'cpu', 'block*', 'starv*', 'long[- ]running', 'intensive', 'hog*'],
    ...['responsive*', 'freez*', 'flush*', 'settle*', 'drain*', 'microtask*', 'act'],
    ...['simulat*', 'fake', 'mock', 'test*'],
  ],
};

export const intendedLoad: WordList = {
  ruleIds: ['no-blocking-sleep'],
  effect:
    'A comment near the sleep, or the name of its function, declares that the code exists to keep the thread busy: no report.',
  words: [
    ...['simulat*', 'pretend*', 'fakes?', 'mock*', 'demo*', 'benchmark*', 'stress*', 'burn*'],
    ...['hog*', 'cpu', 'load', 'heavy', 'spin*', 'intensive', 'block* (the )?(event )?loop'],
  ],
};

export const pretended: WordList = {
  ruleIds: ['no-hot-path-sleep', 'no-blocking-sleep'],
  effect: 'A comment states that a pause simulates work: no report.',
  words: ['simulat(e|es|ed|ing|ion)', 'pretend*', 'fake', 'mock', 'demo'],
};

export const limiting: WordList = {
  ruleIds: ['no-thread-pool-flood', 'no-query-per-item'],
  effect: 'A name around the calls states that only some run concurrently: no report.',
  words: [
    ...['limit(ed|er|s)?', 'throttled?', 'semaphore', 'mutex', 'queued?', 'enqueue', 'concurrency'],
    ...['concurrent', 'pool(ed)?', 'workers?', 'piscina', 'schedule[dr]?', 'slots?', 'debounced?'],
    ...['once', 'memoized?', 'dedupe', 'sema', 'acquire'],
  ],
};

export const readingVerbs: WordList = {
  ruleIds: ['no-sequential-independent-awaits'],
  effect:
    'With `strict`, a call that Deadtime cannot follow and whose name begins with one of these verbs is assumed to read.',
  words: [
    ...['count', 'exists?', 'fetch', 'find', 'get', 'has', 'is', 'list', 'load', 'lookup'],
    ...['read', 'search'],
  ],
};

export const guardVerbs: WordList = {
  ruleIds: ['no-sequential-independent-awaits'],
  effect:
    'A call whose name begins with one of these verbs may stop what follows: it starts no run of reads.',
  words: [
    ...['ensure', 'assert', 'verify', 'check', 'validate', 'authori[sz]e', 'authenticate', 'can'],
    ...['require', 'guard', 'must', 'lock', 'acquire', 'begin', 'connect', 'init', 'setup'],
    ...['migrate', 'wait'],
  ],
};
