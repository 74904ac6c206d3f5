import { awaitCoverageOf, type HiddenAwait } from '../analysis/coverage/await-coverage.ts';
import type { RootCause } from '../analysis/coverage/roots.ts';
import { contradictionOf, type Subject, subjectOf } from '../analysis/coverage/subjects.ts';
import type { DeclaredFunction } from '../analysis/file/declared.ts';
import type { FileFacts } from '../analysis/file/file.ts';
import type { Place } from '../analysis/file/place.ts';
import { packageOf } from '../analysis/model/index.ts';
import { startsAt } from '../analysis/syntax/places.ts';
import { unitAround } from './fingerprint.ts';
import { type Position, type Positions, positionsOf } from './positions.ts';

export type { RootCause };

/** How much of what a file waits for is understood. */
export interface FileCoverage {
  readonly awaits: number;
  readonly hidden: readonly HiddenPlace[];
}

/** An await that is not understood. */
export interface HiddenPlace {
  readonly at: Position;
  readonly root: RootPlace;
  /** What a declaration can be about so that it is understood. */
  readonly subject: SubjectPlace | undefined;
}

/** What hides it. */
export interface RootPlace {
  readonly cause: RootCause;
  readonly name: string;
  /** An absolute path. */
  readonly path: string;
  readonly at: Position;
}

/** A function of the project, or what is called of a package. */
export interface SubjectPlace {
  /** An absolute path, or a package's specifier. */
  readonly module: string;
  /** `Rates.latest`, `createClient.latest` */
  readonly name: string;
  /** That of a package, where the project names one; undefined for a function of the project. */
  readonly version: string | undefined;
  /** Where the function is, or the function that calls the package. */
  readonly path: string;
  readonly at: Position;
  readonly text: string;
  /** What contradicts a declaration about it, for people; undefined where nothing does. */
  contradiction(said: DeclaredFunction): string | undefined;
}

export function coverageOf(file: FileFacts): FileCoverage {
  const { awaits, hidden } = awaitCoverageOf(file);
  const known = new Map<FileFacts, Positions>();
  const placeOf = ({ file: of, node }: Place) => {
    const positions = known.get(of) ?? positionsOf(of.text);
    known.set(of, positions);
    return { path: of.path, at: positions.at(startsAt(node)) };
  };
  const placed = (it: HiddenAwait): HiddenPlace => {
    const { cause, name, at } = it.root;
    const subject = subjectOf(it);
    return {
      at: placeOf({ file, node: it.node }).at,
      root: { cause, name, ...placeOf(at) },
      subject: subject && { ...describedSubject(subject), ...placeOf(codeOf(subject)) },
    };
  };
  return { awaits, hidden: hidden.map(placed) };
}

function describedSubject(subject: Subject): Omit<SubjectPlace, 'path' | 'at'> {
  const { file, node } = codeOf(subject);
  const { name } = subject;
  const text = file.textOf(node);
  if (subject.kind === 'function') {
    const contradiction = (said: DeclaredFunction) => contradictionOf(subject.of, said);
    return { module: file.path, name, version: undefined, text, contradiction };
  }
  const { specifier } = subject;
  const version = file.modules?.versionOf(packageOf(specifier), file.path);
  return { module: specifier, name, version, text, contradiction: () => undefined };
}

function codeOf(subject: Subject): Place {
  if (subject.kind === 'function') return subject.of;
  const { file, node } = subject.call;
  return { file, node: unitAround(node) };
}
