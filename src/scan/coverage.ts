import { awaitCoverageOf, type HiddenAwait } from '../analysis/coverage/await-coverage.ts';
import type { RootCause } from '../analysis/coverage/roots.ts';
import type { FileFacts } from '../analysis/file/file.ts';
import { startsAt } from '../analysis/syntax/places.ts';
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
}

/** What hides it. */
export interface RootPlace {
  readonly cause: RootCause;
  readonly name: string;
  /** An absolute path. */
  readonly path: string;
  readonly at: Position;
}

export function coverageOf(file: FileFacts): FileCoverage {
  const { awaits, hidden } = awaitCoverageOf(file);
  const known = new Map<FileFacts, Positions>();
  const positionAt = (of: FileFacts, offset: number) => {
    const positions = known.get(of) ?? positionsOf(of.text);
    known.set(of, positions);
    return positions.at(offset);
  };
  const placed = ({ node, root }: HiddenAwait): HiddenPlace => ({
    at: positionAt(file, startsAt(node)),
    root: {
      cause: root.cause,
      name: root.name,
      path: root.at.file.path,
      at: positionAt(root.at.file, startsAt(root.at.node)),
    },
  });
  return { awaits, hidden: hidden.map(placed) };
}
