import type { WordList } from './word-list.ts';

const ruleIds = ['no-hot-path-sleep'];

/** `rate` alone counts unless it is the loop's own frequency (`updateRate`, `refresh rate`). */
export const pacing: WordList = {
  ruleIds,
  effect:
    'A comment within three lines of the sleep, or a name around it, states that the pause protects something: no report.',
  words: [
    'rate ?limit*',
    {
      word: 'rates?',
      notAfter: 'update refresh poll polling scan sync frame sample tick check render'.split(' '),
    },
    ...[
      'throttl*',
      'limiter*',
      { word: 'limits?', notBefore: ['and*', 'or*', 'offset*', '[0-9]*'] },
    ],
    ...['pac(e|es|ed|ing)', 'quota*', 'polite*', 'courtesy*', 'd?dos', 'cool ?down*', 'stagger*'],
    ...['pressure*', 'gentl[ey]*', 'gentler*', 'back ?off*', 'spread*', 'debounc*', 'breath*'],
    ...['hammer*', 'overwhelm*', 'overload*', 'flood*', 'bans?*', 'banned*', 'banning', 'captcha*'],
    ...['abus*', 'slow(ly|ed)?', 'human*', 'tpm*', 'rpm*', 'rps*', 'qps*', 'requests? per*'],
    ...['per (second|minute|sec|min|hour)'],
    '(requests?|calls?|messages?|e?mails?|letters?|queries|jobs?|items?|times) (an?|each|every) (second|sec|minute|min|hour)',
    '(req(uest)?s?|calls?|messages?) ?/ ?(s|sec|second|m|min|minute|h|hour)',
    {
      word: 'avoid*',
      notBefore: ['(an? )?(busy|tight|hot|spin|cpu|burning|endless|infinite|100)*'],
    },
    ...['load on', 'strain', 'friendly*', 'nice', 'spam*', 'burst*'],
    ...['interval between*', 'delay between*', 'gaps?'],
    '(fetch|request|call|api|crawl*|scrap*|visit) (delay|pause|gap|interval)*',
    'between (requests|calls|batches|items|messages|pages)*',
    'before (another|the next) (request|call|query|page)*',
    'before \\w+ (another|the next) (request|call|query|page)*',
    ...['lock window*', 'starv*', 'relax*', 'be kind*', 'kindness*'],
  ],
};

export const retrying: WordList = {
  ruleIds,
  effect: 'A comment or a name states that the loop tries again: no report.',
  words: [
    ...['retr(y|ies|ied|ying)', 're ?connect*', 'attempts?', 'tries', 're ?try*', 'back ?off'],
  ],
};

export const spreading: WordList = {
  ruleIds,
  effect:
    'A comment or a name states that chance decides the time: no report, but for a worker whose time has a minimum.',
  words: ['jitter'],
};

export const waitingFirst: WordList = {
  ruleIds,
  effect:
    'A function whose name begins with one of these words waits, stops something or pretends: no report in its loop.',
  words: [
    ...['wait', 'await', 'ensure', 'until', 'retry', 'reconnect', 'shut ?down', 'terminate'],
    ...['simulate', 'demo', 'mock', 'fake', 'animate', 'typewriter', 'health', 'heart ?beat'],
    ...['keep alive', 'ping', 'countdown', 'probe'],
  ],
};

export const waiting: WordList = {
  ruleIds,
  effect:
    'A function whose name contains one of these words waits for a state: no report in its loop.',
  words: [
    ...['wait(s|ing)? (for|until)', 'until (ready|done|idle|healthy)', 'with (retry|retries)'],
    ...['simulation', 'simulator', 'health ?checks?', 'poll (until|for|status)'],
  ],
};

export const simulation: WordList = {
  ruleIds,
  effect: 'A loop that calls something with one of these names imitates a person: no report.',
  words: [
    ...['presence', 'typing', 'animation', 'animate', 'spinner', 'progress bar', 'keyboard'],
    ...['keystroke', 'mouse', 'cursor to', 'click', 'scroll*', 'screenshot'],
  ],
};
