/** Has the user's cache below `folder`, until the function that is returned is called. */
export function withCacheIn(folder: string): () => void {
  const names = ['XDG_CACHE_HOME', 'LOCALAPPDATA', 'HOME'] as const;
  const before = names.map((it) => process.env[it]);
  for (const it of names) process.env[it] = folder;
  return () => {
    for (const [i, it] of names.entries()) {
      if (before[i] === undefined) delete process.env[it];
      else process.env[it] = before[i];
    }
  };
}
