import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { regularText } from '../../system/regular-file.ts';
import type { Values } from '../case.ts';
import type { MachineProfile } from './results.ts';

const PROFILE_FILE = 'deadtime.profile.json';

/** A file that is there and is no profile. */
export class ProfileError extends Error {}

/** A profile's values for benchmarks, and where they come from, for people. */
export interface ProfileValues {
  readonly values: Partial<Values>;
  /** "measured on 2026-11-21, PostgreSQL 15.18". */
  readonly note: string;
}

/** The profile of the nearest folder that has one, from `folder` upwards; throws `ProfileError` for a broken one. */
export function profileAround(folder: string): MachineProfile | undefined {
  for (let it = folder; ; it = dirname(it)) {
    const path = join(it, PROFILE_FILE);
    if (existsSync(path)) return profileAt(path);
    if (existsSync(join(it, '.git')) || dirname(it) === it) return undefined;
  }
}

/**
 * The parameters of benchmarks for which the profile is better than a default. The round trip only where it is that of the
 * user's own network: on loopback it is already part of every measurement.
 */
export function profileValues({ database, environment }: MachineProfile): ProfileValues {
  const isNetwork = database?.origin === 'url';
  return {
    values: isNetwork ? { roundTripMs: database.roundTrip.medianMs } : {},
    note: `measured on ${environment.date.slice(0, 10)}, ${environment.database ?? ''}`,
  };
}

/** Throws `ProfileError`. */
export function profileAt(path: string): MachineProfile {
  try {
    const profile: unknown = JSON.parse(regularText(path));
    if (isProfile(profile)) return profile;
  } catch (error) {
    throw new ProfileError(`${path} cannot be read: ${(error as Error).message}`);
  }
  throw new ProfileError(`${path} is not a profile of this version: run deadtime profile again`);
}

/** Whether what is used of it has the right shape; people edit files, and merge them. */
function isProfile(value: unknown): value is MachineProfile {
  const { format, environment, database } = (value ?? {}) as Partial<MachineProfile>;
  return (
    format === 1 &&
    /^\d{4}-\d\d-\d\dT/.test(environment?.date ?? '') &&
    isPlain(environment?.database ?? '') &&
    (database === undefined || isDuration(database.roundTrip?.medianMs))
  );
}

/** It is printed: a terminal obeys some characters. */
function isPlain(text: unknown): boolean {
  return typeof text === 'string' && !/\p{Cc}/u.test(text);
}

function isDuration(ms: unknown): boolean {
  return typeof ms === 'number' && Number.isFinite(ms) && ms >= 0;
}
