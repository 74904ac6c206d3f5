import { each, withDefault } from './members.ts';
import { chained, checked, immediate, pure } from './pure.ts';
import type { Library, LibraryType, Member } from './schema.ts';

function library(
  name: string,
  verifiedWith: string,
  named: Readonly<Record<string, Member>>,
  types: Readonly<Record<string, LibraryType>> = {},
): Library {
  const { exports, namespace } = withDefault(named);
  return {
    name,
    modules: [name],
    verifiedWith,
    exports,
    types: { Namespace: namespace, ...types },
  };
}

/** Those whose callbacks may be asynchronous, that keep a function for later, and that change what they are given. */
const NOT_OF_LODASH =
  'each eachRight flatMap flatMapDeep flatMapDepth forEach forEachRight forIn forInRight forOwn forOwnRight invoke ' +
  'invokeMap map mapKeys mapValues reduce reduceRight result times transform ' +
  'after ary attempt before bind bindAll bindKey chain cond curry curryRight debounce defer delay flip flow flowRight ' +
  'iteratee mixin negate over overArgs overEvery overSome partial partialRight rearg rest runInContext ' +
  'spread tap throttle thru unary wrap ' +
  'assign assignIn assignInWith assignWith defaults defaultsDeep extend extendWith fill merge mergeWith pull pullAll ' +
  'pullAllBy pullAllWith pullAt remove reverse set setWith unset update updateWith';
const ofLodash = `(?!(?:${NOT_OF_LODASH.replaceAll(' ', '|')})(?:\\.js)?$)[a-zA-Z]+(?:\\.js)?`;
const NOT_OF_REMEDA =
  'addProp conditional debounce flatMap forEach forEachObj funnel map mapKeys mapValues mapWithFeedback once ' +
  'partialBind partialLastBind pipe piped purry reduce tap times when';

const DECIMALS =
  'abs absoluteValue add ceil cmp div divToInt dividedBy dividedToIntegerBy exp floor idiv integerValue minus mod ' +
  'modulo mul multipliedBy negated neg plus pow prec precision round shiftedBy sqrt squareRoot sub sum times toDP ' +
  'toDecimalPlaces toNearest toPower toSD toSignificantDigits trunc truncated';
/** Exact numbers: each operation gives another one. */
function decimals(name: string, verifiedWith: string, className: string): Library {
  return pure(name, verifiedWith, {
    makes: className,
    named: { [className]: { returns: className, construct: { returns: className } } },
    types: { [className]: chained(DECIMALS) },
  });
}
const TIMES =
  'add clone endOf locale local minus plus set setLocale setZone startOf subtract toLocal toUTC tz utc';

/** It waits for a function that it calls, or for a promise that other code has started. */
const tried: Member = {
  effect: { env: 'cpu', op: 'unknown' },
  withCallback: { callback: { at: 0, params: [] } },
};

/** Computes, and changes what it is called on: what comes later counts on it. */
const changing: Member = { effect: { env: 'cpu', op: 'unknown' } };

/** All that they export computes. */
const wholly = Object.entries({
  '@casl/ability': '7.0.1',
  '@noble/curves': '2.4.0',
  '@noble/hashes': '2.4.0',
  '@paralleldrive/cuid2': '3.3.0',
  '@scure/base': '2.4.0',
  'base-x': '5.0.1',
  bs58: '6.0.0',
  bytes: '3.1.2',
  'camelcase-keys': '10.0.3',
  'change-case': '5.4.4',
  cookie: '2.0.2',
  'crypto-js': '4.2.0',
  cuid: '3.0.0',
  deepmerge: '4.3.1',
  'escape-html': '1.0.3',
  'fast-deep-equal': '3.1.3',
  he: '2.0.0',
  'heic-convert': '2.1.0',
  'http-status-codes': '2.3.0',
  i18next: '27.1.5',
  'iconv-lite': '0.7.3',
  'iron-session': '9.0.1',
  'js-yaml': '5.5.0',
  json5: '2.2.3',
  'libphonenumber-js': '1.13.16',
  'memory-cache': '0.2.0',
  mime: '4.1.2',
  'mime-types': '3.0.2',
  mjml: '5.4.1',
  ms: '2.1.3',
  mustache: '4.2.0',
  'next-intl': '4.15.0',
  'object-hash': '3.0.0',
  papaparse: '5.7.1',
  'pascal-case': '4.0.0',
  'pg-format': '1.0.4',
  pluralize: '8.0.0',
  qs: '6.17.1',
  'sanitize-html': '2.18.1',
  slugify: '1.6.9',
  sqlstring: '2.3.3',
  ulid: '3.0.2',
  validator: '13.15.35',
}).map(([name, version]) =>
  // Also their parts: `@noble/hashes/sha2`, `validator/lib/isEmail`.
  pure(name, version, { modulePattern: `${name.replaceAll('.', '\\.')}/.+` }),
);

/** The same of Node.js. */
const ofNode = 'buffer os querystring string_decoder url'
  .split(' ')
  .map((name) => pure(name, '20.20.2'));

/** Libraries that convert values in this process, synchronously or behind a promise: they query nothing outside. */
export const computing: readonly Library[] = [
  library(
    'path',
    '20.20.2',
    each('basename dirname extname isAbsolute join normalize relative resolve', {}),
  ),
  library('class-transformer', '0.5.1', each('instanceToPlain plainToClass plainToInstance', {})),
  library('jsonwebtoken', '9.0.3', each('decode sign', {})),
  library('uuid', '14.0.3', each('parse v1 v3 v4 v5 v6 v7 validate', {})),
  library(
    'xml2js',
    '0.6.2',
    {
      ...each('parseString parseStringPromise', {}),
      Parser: { construct: { returns: 'Parser' } },
      Builder: { construct: { returns: 'Builder' } },
    },
    {
      Parser: { members: each('parseString parseStringPromise', {}) },
      Builder: { members: each('buildObject', {}) },
    },
  ),
  ...wholly,
  ...ofNode,
  pure('util', '20.20.2', { without: 'promisify callbackify aborted' }),
  // What it guards stays behind it.
  library(
    'assert',
    '20.20.2',
    each(
      'deepEqual deepStrictEqual equal fail ifError match notEqual notStrictEqual ok strictEqual',
      {
        effect: immediate,
      },
    ),
  ),
  pure('lodash', '4.18.1', {
    modules: ['lodash', 'lodash-es'],
    modulePattern: `lodash(?:-es)?/(?:fp/)?${ofLodash}|lodash\\.(?:camelcase|clonedeep|get|groupby|isequal|isempty|kebabcase|keyby|omit|omitby|orderby|pick|pickby|snakecase|sortby|uniq|uniqby)`,
    without: NOT_OF_LODASH,
    named: each('memoize once', { returnsArgument: 0 }),
  }),
  pure('remeda', '2.62.2', { without: NOT_OF_REMEDA }),
  pure('@silverhand/essentials', '2.9.3', {
    without: 'once repeat pickState',
    named: {
      ...each('assert assertEnv', { effect: immediate }),
      ...each('trySafe tryThat', tried),
    },
  }),
  pure('es-toolkit', '1.53.2', {
    modules: ['es-toolkit', 'es-toolkit/compat'],
    modulePattern: 'es-toolkit/(?:array|function|math|object|predicate|string|util)',
    named: each('memoize once', { returnsArgument: 0 }),
    without: `${NOT_OF_LODASH} asyncNoop delay filterAsync flatMapAsync forEachAsync limitAsync mapAsync reduceAsync retry timeout withTimeout Mutex Semaphore`,
  }),
  pure('prom-client', '15.1.3', {
    without: 'Pushgateway',
    classes: 'Counter Gauge Histogram Registry Summary',
    named: { register: { type: 'Methods' } },
  }),
  // It draws to a file by the names that are left out.
  pure('qrcode', '1.5.4', { without: 'toFile toFileStream' }),
  pure('superjson', '2.2.7', { without: 'registerClass registerCustom registerSymbol' }),
  decimals('big.js', '7.0.1', 'Big'),
  decimals('decimal.js', '10.6.0', 'Decimal'),
  decimals('bignumber.js', '11.1.5', 'BigNumber'),
  pure('date-fns', '4.4.0', { modulePattern: 'date-fns/.+' }),
  pure('date-fns-tz', '3.2.0', { modulePattern: 'date-fns-tz/.+' }),
  pure('dayjs', '1.11.23', {
    makes: 'Dayjs',
    named: { Dayjs: { construct: { returns: 'Dayjs' } } },
    types: { Dayjs: chained(TIMES) },
  }),
  pure('luxon', '3.7.2', {
    named: each('DateTime Duration Interval', { type: 'Times' }),
    types: {
      Times: {
        memberPatterns: [[/^(?:from[A-Z]|now$|utc$|local$)/, { returns: 'DateTime' }]],
        anyMember: {},
      },
      DateTime: chained(TIMES),
    },
  }),
  // Its methods change what they are called on.
  pure('moment', '2.31.0', { modules: ['moment', 'moment-timezone'] }),
  pure('semver', '7.8.6', { modulePattern: 'semver/functions/.+' }),
  pure('nanoid', '6.0.2', {
    modules: ['nanoid', 'nanoid/async', 'nanoid/non-secure'],
    named: each('customAlphabet customRandom', { returns: 'Anything' }),
  }),
  // A file is read by the names that are left out.
  pure('handlebars', '4.7.10', {
    named: each('compile', { returns: 'Anything' }),
    without: 'registerHelper registerPartial registerDecorator',
  }),
  pure('ejs', '7.0.2', { named: each('compile', { returns: 'Anything' }), without: 'renderFile' }),
  // The program's own tags and filters may ask elsewhere.
  pure('liquidjs', '10.30.1', {
    named: { Liquid: { construct: { returns: 'Liquid' } } },
    types: {
      Liquid: {
        members: {
          ...each('parse parseAndRenderSync renderSync', {}),
          ...each('parseAndRender render', checked),
        },
      },
    },
  }),
  pure('marked', '18.2.1', { classes: 'Marked' }),
  pure('markdown-it', '15.0.3', {
    makes: 'MarkdownIt',
    types: {
      MarkdownIt: { members: each('use enable disable set', { returns: 'this' }), anyMember: {} },
    },
  }),
  pure('@react-email/render', '2.3.1', {
    modules: ['@react-email/render', '@react-email/components'],
  }),
  pure('cheerio', '1.2.0', { without: 'fromURL', named: { load: { returns: 'Anything' } } }),
  pure('fast-xml-parser', '5.12.1', { classes: 'XMLParser XMLBuilder' }),
  pure('yaml', '2.9.1'),
  pure('pdf-lib', '1.17.1', {
    modules: ['pdf-lib', '@cantoo/pdf-lib'],
    named: { PDFDocument: { type: 'Documents' } },
    types: {
      Documents: { members: each('load create', { returns: 'Promise<PDFDocument>' }) },
      PDFDocument: { anyMember: changing },
    },
  }),
  // A signature may need the time of a server.
  pure('@libpdf/core', '0.4.2', {
    named: { PDF: { type: 'Documents' } },
    types: {
      Documents: {
        members: {
          ...each('load merge', { returns: 'Promise<PDF>' }),
          create: { returns: 'PDF' },
        },
      },
      PDF: { memberPatterns: [[/^(?!sign)[a-z]/, changing]] },
    },
  }),
  pure('hono/cookie', '4.13.19', {
    modules: ['hono/accepts', 'hono/adapter', 'hono/cookie', 'hono/html', 'hono/http-exception'],
  }),
];
