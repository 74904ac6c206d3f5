/** What may end a scan in the middle of a file, and the path of that file. */
export interface Watch {
  /** From now on the scan is at this file or folder: an absolute path. */
  begin(path: string): void;
  /** Runs work during which no signal and no message is read. Throws where it is ended. */
  run<T>(work: () => T): T;
}

/** For a scan in a thread that others watch, or that may take as long as it does. */
export const unwatched: Watch = { begin() {}, run: (work) => work() };
