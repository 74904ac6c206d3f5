/** An invalid part of a configuration. */
export interface Mistake {
  /** The keys and indexes on the way to it, from the top of the configuration: `['rules', 'no-idle-poll', 1]`. */
  readonly at: MistakePath;
  /** What is wrong, and what to write instead. */
  readonly text: string;
}

export type MistakePath = readonly (string | number)[];
