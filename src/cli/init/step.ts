/** The change of `deadtime init` to one file, whose path starts at the repository's top, with forward slashes. */
export type Step = Needs &
  (
    | {
        readonly kind: 'write';
        readonly path: string;
        /** Undefined where there is no such file. */
        readonly before: string | undefined;
        readonly after: string;
        readonly isExecutable?: boolean;
      }
    | { readonly kind: 'present'; readonly path: string }
    | {
        readonly kind: 'by-hand';
        readonly path: string;
        /** Why only the owner of the file can add it. */
        readonly because: string;
        readonly text: string;
      }
  );

/** What the written file needs. */
export interface Needs {
  /** Packages that the project does not install yet. */
  readonly needs?: readonly string[];
}

/** Reads a file of the project by its path; undefined where there is none. */
export type Read = (path: string) => string | undefined;
