/** One piece of work of many; `i` is its index. */
export type Task = (i: number) => Promise<unknown>;

export async function oneByOne(count: number, task: Task): Promise<void> {
  for (let i = 0; i < count; i++) await task(i);
}

export async function allAtOnce(count: number, task: Task): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, i) => task(i)));
}

/** What p-limit and p-map do: each worker takes the next element when it is done with the last. */
export async function atMost(limit: number, count: number, task: Task): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await task(next++);
  };
  await Promise.all(Array.from({ length: Math.min(limit, count) }, worker));
}
