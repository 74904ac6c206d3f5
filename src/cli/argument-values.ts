import { InvalidArgumentError } from 'commander';
import { MOST_SECONDS } from '../proof/result.ts';
import { UsageError } from './failure.ts';
import { type AgentName, agentNames } from './init/names.ts';

/** Of an option that may be repeated. */
export function listed(value: string, others: readonly string[] = []): readonly string[] {
  if (value === '') throw new InvalidArgumentError('It is empty.');
  return [...others, value];
}

export function agentsFrom(value: string): readonly AgentName[] {
  return value.split(',').map((name) => {
    const agent = agentNames.find((it) => it === name.trim());
    if (agent) return agent;
    throw new InvalidArgumentError(`The agents are ${agentNames.join(', ')}.`);
  });
}

/** The patch of standard input. */
export function onlyDash(patch: string): string {
  if (patch === '-') return patch;
  throw new UsageError(`A patch in a file is --patch ${patch}.`);
}

export function whole(value: string): number {
  const number = amount(value);
  if (number >= 1 && Number.isInteger(number)) return number;
  throw new InvalidArgumentError('It is a whole number from 1 on.');
}

export function positive(value: string): number {
  const number = amount(value);
  if (number > 0) return number;
  throw new InvalidArgumentError('It is a number above 0.');
}

/** Beyond that a number is a slip. */
const MOST = 10_000_000;

export function amount(value: string): number {
  const number = value.trim() === '' ? NaN : Number(value);
  if (number >= 0 && number <= MOST) return number;
  throw new InvalidArgumentError(`It is a number from 0 to ${MOST}.`);
}

/** `60`, `60s`, `5m`. */
export function duration(value: string): number {
  const match = /^(?<number>[\d.]+)(?<unit>s|m|h)?$/.exec(value.trim())?.groups;
  const number = match ? Number(match['number']) : NaN;
  const factor = UNITS[(match?.['unit'] ?? 's') as keyof typeof UNITS];
  if (number * factor >= 1 && number * factor <= LONGEST) return number * factor;
  throw new InvalidArgumentError('It is a time such as 60s or 5m, from 1 s to 24 h.');
}

const UNITS = { s: 1, m: 60, h: 3_600 } as const;
const LONGEST = 86_400;

/** Less than a second is over before anything has started. */
export function seconds(value: string): number {
  const number = value.trim() === '' ? NaN : Number(value);
  if (number >= 1 && number <= MOST_SECONDS) return number;
  throw new InvalidArgumentError(`It is a number of seconds from 1 to ${MOST_SECONDS}.`);
}
