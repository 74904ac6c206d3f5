/** A method whose calls a running program measures. */
export type MeasuredMethod = AcquiringMethod | ReleasingMethod | SendingMethod;

/** Gives a connection of a pool, by its promise or to a callback. */
export interface AcquiringMethod {
  readonly does: 'acquire';
  readonly name: string;
  /** The methods that the pool puts on the connection itself, and that release it. */
  readonly releases: readonly string[];
  /** The index of the callback, or `last`, and of its parameters those that are the connection and its release. */
  readonly callback?: {
    readonly at: number | 'last';
    readonly connection: number;
    readonly release?: number;
  };
}

/** A method of the pool that gets the connection which is released. */
export interface ReleasingMethod {
  readonly does: 'release';
  readonly name: string;
  /** The index of the argument with the connection. */
  readonly connection: number;
}

/** Sends one statement or command, and ends by its promise or by one of `ends`. */
export interface SendingMethod {
  readonly does: 'send';
  readonly name: string;
  readonly sent: Sent;
  readonly ends: readonly End[];
  /** Only what it sends on a connection that is checked out is the program's: the driver checks its servers with it, too. */
  readonly isOfPool?: true;
}

/**
 * Where a call has what it sends. `text`: a statement, in an argument or in the property of one, and as the parts of a template;
 * `name`: a command, whose arguments are values of the program and are not read; `document`: a command that is the first key of a
 * document, and what it is about. `this` is the object of the method.
 */
export type Sent =
  | { readonly shape: 'text'; readonly at: number | 'this'; readonly property: string }
  | { readonly shape: 'name'; readonly at: number; readonly property: string | number }
  | {
      readonly shape: 'document';
      readonly at: number;
      /** The argument and the property with the name of the collection, and the name that is none. */
      readonly collection: {
        readonly at: number;
        readonly property: string;
        readonly none: string;
        /** The commands whose key has it as its value; the value of a different one may be a secret. */
        readonly valueOf: readonly string[];
      };
    };

/**
 * A function that the driver calls once it has the answer: an argument of the call, or a method of the object that is sent. It gets
 * the result, the error, or the error before the result.
 */
export type End =
  | { readonly argument: number | 'last'; readonly gets: EndGets }
  | { readonly method: string; readonly gets: EndGets };

type EndGets = 'result' | 'error' | 'error or result';
