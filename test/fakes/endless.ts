/** Never returns, and leaves the processor to other tests: what ends it looks at the clock, not at the work. */
export function endless(): never {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  // deadtime-ignore-next-line no-blocking-sleep -- a program that hangs is what the tests need
  for (;;) Atomics.wait(cell, 0, 0, 5);
}
