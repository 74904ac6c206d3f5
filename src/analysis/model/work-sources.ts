/** What runs the tests of a project: functions that are given a title and the test. */
export interface TestRunners {
  /** Packages that export these functions; without an import, they are globals. */
  readonly packages: readonly string[];
  readonly functions: RegExp;
  /** Members of them that are given the same: `it.only('…', …)`. */
  readonly variants: RegExp;
  /** Members of them that return such a function: `it.each(table)('…', …)`. */
  readonly makers: RegExp;
}

export const testRunners: TestRunners = {
  packages: ['node:test', 'mocha', 'vitest', '@jest/globals'],
  functions: /^(?:it|test|specify)$/,
  variants: /^(?:only|concurrent|sequential|failing|fails|default)$/,
  makers: /^(?:each|for|runIf|skipIf)$/,
};

/** Functions that return the events of an emitter for a loop, by their package: `for await (const [job] of on(queue, 'job'))`. */
export const eventFunctions: Readonly<Record<string, RegExp>> = {
  'node:events': /^on$/,
  events: /^on$/,
};

/** The event of an emitter whose listener gets a message: `socket.on('message', …)`. */
export const messageEvent = 'message';
