import type { Environment, Quiet } from '../../proof/result.ts';

/** Cells below each other, numbers to the right; the first column is of words. */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  return rows.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
      .trimEnd(),
  );
}

/** "PostgreSQL 18.4 (embedded); AMD EPYC 7B13, 2 cores; Linux 6.1.0 x64; Node v20.20.2; load 0.4; 2026-11-21". */
export function environmentLine(environment: Environment): string {
  const { database, cpu, cores, platform, node, load, date } = environment;
  return [
    ...(database === undefined ? [] : [database]),
    `${cpu}, ${cores} ${cores === 1 ? 'core' : 'cores'}`,
    platform,
    `Node ${node}`,
    `load ${load.toFixed(1)}`,
    date.slice(0, 10),
  ].join('; ');
}

/** Why the numbers are not to be trusted; none on a quiet machine. */
export function quietLines({ isBusy, signs }: Quiet): readonly string[] {
  return isBusy ? ['The machine was busy, so the times are too long:', ...signs] : [];
}

/** The missing parts, and how to get them; one line each. */
export function needsText(
  needs: readonly { readonly what: string; readonly command?: string }[],
): string {
  const lines = needs.map(({ what, command }) =>
    command === undefined ? what : `${what}: ${command}`,
  );
  return lines.map((it) => `  ${it}\n`).join('');
}
