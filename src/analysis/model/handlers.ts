/** How a function that a framework calls is recognised by what it does with its parameters, where no import connects them. */
export interface Handler {
  /** The types of its parameters, in order. */
  readonly params: readonly (string | undefined)[];
  /** With so many parameters, an error precedes them: `(error, req, res, next) => …`. */
  readonly countWithError?: number;
  /** Which parameter shows it: by its name, and by a method that is called on it or a property that is set. */
  readonly by: number;
  readonly called: RegExp;
  readonly calls?: RegExp;
  readonly sets?: RegExp;
  /** In a project that also has one of these packages, the function may be theirs. */
  readonly unless: readonly string[];
}
