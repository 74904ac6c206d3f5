import { each, withDefault } from './members.ts';
import type { Library, LibraryType, Member } from './schema.ts';

/** Writing a line is nothing that anybody waits for. */
function logger(levels: string): LibraryType {
  return { members: each(levels, {}) };
}

function parent(levels: string): LibraryType {
  return { members: { ...logger(levels).members, child: { returns: 'Logger' } } };
}

function library(
  name: string,
  verifiedWith: string,
  type: LibraryType,
  named: Readonly<Record<string, Member>>,
  whole: LibraryType = {},
): Library {
  const { exports, namespace } = withDefault(named, whole);
  return {
    name,
    modules: [name],
    verifiedWith,
    exports,
    types: { Logger: type, Namespace: namespace },
  };
}

const made: Member = { returns: 'Logger' };
const nest = 'error fatal log warn';
const pinoLevels = parent('debug error fatal info silent trace warn flush');
const winstonLevels = parent('debug error http info log silly verbose warn');

/** Loggers: called, and passed on, in the middle of awaited work. */
export const loggers: readonly Library[] = [
  {
    name: '@nestjs/common',
    modules: ['@nestjs/common'],
    verifiedWith: '12.5.1',
    exports: {
      ...each('Logger ConsoleLogger', { construct: { returns: 'Logger' }, type: 'Logger' }),
    },
    types: {
      Logger: { members: each(`${nest} debug verbose`, {}) },
      LoggerService: { members: each(nest, {}) },
    },
  },
  library('pino', '10.4.0', pinoLevels, { pino: made }, { call: { returns: 'Logger' } }),
  library('winston', '3.19.0', winstonLevels, { createLogger: made }, winstonLevels),
  library('bunyan', '2.0.5', parent('debug error fatal info trace warn'), { createLogger: made }),
  library('log4js', '6.9.1', logger('debug error fatal info log mark trace warn'), {
    getLogger: made,
  }),
];
