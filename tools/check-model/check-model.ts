// Compares the models of libraries that we do not depend on with their packages, at the version that each model names:
//   npm run check:model all of them; some minutes, and a gigabyte in node_modules/.cache
//   npm run check:model -- NAME... those libraries only
// Prints what a model claims and the declarations of its package do not contain; the exit code is 1 then.
import { resolve } from 'node:path';
import { libraryNamed, packageOf } from '../../src/analysis/model/index.ts';
import { readArguments } from '../arguments.ts';
import { installedApart } from '../install-apart.ts';
import { problemsOf } from './declarations.ts';
import { PACKAGES } from './packages.ts';

const { positionals } = readArguments('npm run check:model [-- NAME...]', {});
const names = positionals.length > 0 ? positionals : Object.keys(PACKAGES);

let count = 0;
for (const name of names) {
  const library = libraryNamed(name);
  if (!library) throw new Error(`no model is named ${name}: its file needs a line in drivers.ts`);
  const listed = PACKAGES[name];
  if (!listed) console.log(`${name} is not in packages.ts: a run without names omits it`);
  const { specifiers = library.modules, beside = [] } = listed ?? {};
  const [first] = specifiers;
  const folder = resolve(`node_modules/.cache/deadtime-model/${name}-${library.verifiedWith}`);
  for (const problem of problemsIn(folder)) {
    count += 1;
    console.log(problem);
  }

  function problemsIn(root: string): readonly string[] {
    try {
      const own = [packageOf(first!), library!.verifiedWith] as const;
      for (const it of [own, ...beside]) installedApart(root, it, { isForced: true });
      return problemsOf({ [name]: specifiers }, root);
    } catch {
      return [`${name}: npm cannot install it`];
    }
  }
}
console.log(`${names.length} libraries, ${count} problems`);
process.exitCode = count > 0 ? 1 : 0;
