// A process that says how much work scans take: it is started with `--no-opt`, and loads the scanner when it counts.
import { startCounting } from './work.ts';

export interface Scans {
  readonly texts: readonly string[];
  readonly path: string;
  readonly ruleId: string;
}

export interface ScansWork {
  /** Of each text: calls, iterations and branches of our own code. */
  readonly work: readonly number[];
  readonly findings: readonly number[];
}

const count = startCounting({ detailed: true });
const { findingsIn } = await import('./findings-in.ts');

process.on('message', ({ texts, path, ruleId }: Scans) => {
  // What happens once in a process belongs to no text.
  findingsIn(texts[0]!, path, ruleId);
  const each = texts.map((text) => {
    count.sinceLast();
    const findings = findingsIn(text, path, ruleId);
    return { findings, work: count.sinceLast() };
  });
  process.send!({
    work: each.map((it) => it.work),
    findings: each.map((it) => it.findings),
  } satisfies ScansWork);
});
process.on('disconnect', () => process.exit());
