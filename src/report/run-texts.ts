import type { Place } from '../runtime/recording.ts';
import { withCommas } from './counts.ts';
import { visible } from './visible.ts';

/** What is open for longer may never end. */
export const LONG_OPEN_MS = 1_000;

export function placeText(at: Place | undefined): string {
  return at ? visible(`${at.file}:${at.line}`) : '';
}

export function rateText(count: number, ms: number): string {
  const rate = ms > 0 ? (1_000 * count) / ms : 0;
  return rate >= 10 ? withCommas(Math.round(rate)) : String(Math.round(rate * 10) / 10);
}

export function shareText(part: number, whole: number): string {
  return `${whole > 0 ? Math.round((100 * part) / whole) : 0} %`;
}

/** Two digits are as much as a reader compares: `0.34 ms`, `9.1 ms`, `112 ms`, `2.5 s`. */
export function timeText(ms: number): string {
  if (ms >= 1_000) return `${digits(ms / 1_000)} s`;
  return `${digits(ms)} ms`;
}

function digits(value: number): string {
  if (value >= 100) return withCommas(Math.round(value));
  const places = value >= 10 ? 0 : value >= 1 ? 1 : 2;
  return String(Number(value.toFixed(places)));
}
