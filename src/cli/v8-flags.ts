import { setFlagsFromString } from 'node:v8';

interface Flag {
  readonly name: string;
  readonly whileScanning: number;
  /** As V8 has it by itself. */
  readonly own: number;
}

/**
 * How much may be allocated on top of the live objects before V8 collects garbage, in % of them. By default it allows about
 * 300, and most of what a scan allocates is dead with the next file.
 */
const HEAP_GROWTH: Flag = { name: 'heap-growing-percent', whileScanning: 100, own: 0 };
/**
 * How many bytes of a function are run before V8 optimizes it. By itself Node 20, which has nothing between its baseline code
 * and that, spends a fifth of a scan in threads that optimize what is hardly run any more; later ones have a tier between.
 */
const OPTIMIZED_AFTER: Flag = { name: 'interrupt-budget', whileScanning: 540_672, own: 67_584 };

const FLAGS = process.versions.node.startsWith('20.')
  ? [HEAP_GROWTH, OPTIMIZED_AFTER]
  : [HEAP_GROWTH];

/** Of V8, until they are set back: what it compiles under others than its own is of no use to the next process. */
export function setFlags(when: 'whileScanning' | 'own'): void {
  for (const flag of FLAGS) setFlagsFromString(`--${flag.name}=${flag[when]}`);
}
