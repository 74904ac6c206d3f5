import { disk, type Files } from '../project/files.ts';

export interface TrustOption {
  /** Whether configuration of the project that is code is run. */
  readonly trustConfig?: boolean;
}

/** The disk as `--trust-config` lets it be read. What starts a process is loaded only for that: it takes 3 ms. */
export async function diskFor({ trustConfig = false }: TrustOption): Promise<Files> {
  if (!trustConfig) return disk;
  const { trusting } = await import('../scan/configuration-program.ts');
  return trusting();
}
