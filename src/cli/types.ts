import { createTypeMemory, type TypeMemory, type TypeProvider } from '../project/type-memory.ts';
import { visible } from '../report/visible.ts';
import { installedTypes } from '../project/typescript/provider.ts';

export interface TypesOption {
  /** Whether the project's own TypeScript is run. */
  readonly types?: boolean;
}

/** The additions of `--types` to a scan. */
export interface AskedTypes {
  readonly types?: TypeMemory;
  readonly provider?: TypeProvider;
  /** The scan is over. */
  end(): void;
}

/** Without them a scan runs nothing of the project; with them it runs the TypeScript that is installed there. */
export function askedTypes({ types: isAsked = false }: TypesOption): AskedTypes {
  if (!isAsked) return { end() {} };
  const { answersTo, end } = installedTypes({
    onFailure: (reason) =>
      void process.stderr.write(`deadtime: without types: ${visible(reason)}\n`),
  });
  return { types: createTypeMemory(), provider: { answersTo }, end };
}
