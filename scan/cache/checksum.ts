import { crc32 } from 'node:zlib';

/**
 * Of what is kept: another where it is cut off or damaged, as after a power failure, but for one in 2^32. Nobody else writes there,
 * and a digest that nobody can forge takes ten times as long: of a large project as long as all of its files are looked at.
 */
export function checksumOf(data: string | Buffer): string {
  return crc32(data).toString(16).padStart(8, '0');
}
