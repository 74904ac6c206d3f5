/*
 * What is used of TypeScript 7's own API, which comes with no types that 7.0 and 7.1 share. It is a client of the compiler,
 * which runs as a process of its own.
 */

export interface NativeApi {
  readonly API: new (options: { readonly cwd: string; readonly fs: unknown }) => NativeClient;
}

export interface NativeClient {
  /** 7.0 */
  updateSnapshot?(change: SnapshotChange): Snapshot;
  /** 7.1, where each following one is made by `Snapshot.update`. */
  createSnapshot?(change: SnapshotChange): Snapshot;
  close(): void;
}

export interface SnapshotChange {
  /** To find out which project they belong to: the text of an open file is read once and for all. */
  readonly openFiles?: readonly string[];
  readonly closeFiles?: readonly string[];
  /** Paths of tsconfig.json files. */
  readonly openProjects?: readonly string[];
  /** 7.0 */
  readonly fileChanges?: FileChanges;
  /** 7.1 */
  readonly fileNotifications?: FileChanges;
}

export type FileChanges =
  | { readonly invalidateAll: true }
  | {
      readonly changed: readonly string[];
      readonly created: readonly string[];
      readonly deleted: readonly string[];
    };

export interface Snapshot {
  getDefaultProjectForFile(path: string): NativeProject | undefined;
  /** 7.1 */
  update?(change: SnapshotChange): Snapshot;
  dispose(): void;
}

export interface NativeProject {
  /** Undefined, or the name of no file, for what no tsconfig.json includes. */
  readonly configFileName: string | undefined;
  readonly program: { getSourceFile(path: string): NativeFile | undefined };
  readonly checker: NativeChecker;
}

export interface NativeNode {
  readonly pos: number;
  readonly end: number;
  getStart(): number;
  forEachChild(visit: (child: NativeNode) => void): void;
}

export interface NativeFile extends NativeNode {
  readonly text: string;
}

export interface NativeChecker {
  getTypeAtLocation(nodes: readonly NativeNode[]): readonly (NativeType | undefined)[];
  getNonNullableType(type: NativeType): NativeType | undefined;
  getApparentType(type: NativeType): NativeType | undefined;
  isArrayType(type: NativeType): boolean;
  getTypeArguments(type: NativeType): readonly NativeType[];
}

export interface NativeType {
  readonly id: number;
  isUnionType(): boolean;
  isIntersectionType(): boolean;
  /** Of unions and intersections. */
  getTypes(): readonly NativeType[];
  isTypeReference(): boolean;
  isClassOrInterface(): boolean;
  getBaseTypes(): readonly NativeType[] | undefined;
  getSymbol(): NativeSymbol | undefined;
  getAliasSymbol(): NativeSymbol | undefined;
}

export interface NativeSymbol {
  readonly name: string;
  readonly declarations: readonly { readonly path: string }[];
}
