import { relative, sep } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { type Shard, shardFrom } from '../report/shard.ts';
import { checksumOf } from '../scan/cache/checksum.ts';

export function shardOption(): Option {
  return new Option(
    '--shard <i/n>',
    'scan one of n parts of the files; deadtime merge merges the reports',
  ).argParser((value: string) => {
    const shard = shardFrom(value);
    if (!shard) throw new InvalidArgumentError('It is a part and how many there are: 1/4 to 4/4.');
    return shard;
  });
}

/** A file stays in its part when other files are added or removed, so that the cached results of each part stay valid. */
export function filesOfShard(
  files: readonly string[],
  { index, count }: Shard,
  root: string,
): readonly string[] {
  return files.filter((path) => {
    const file = relative(root, path).split(sep).join('/');
    return Number.parseInt(checksumOf(file), 16) % count === index - 1;
  });
}
