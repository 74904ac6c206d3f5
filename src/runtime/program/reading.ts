import { Module } from 'node:module';
import type { Sources } from './sources.ts';

/** The module itself: loaders call the method that it has at that moment. */
const fs = process.getBuiltinModule('node:fs');

interface Loading {
  load(this: unknown, path: string): unknown;
}

/**
 * Loaders for `require()` (tsx, ts-node) read a file themselves, and compile what they generate from it: for the one read of a module
 * that is being loaded, they get its text with probes, and the lines of the generated text stay those of the file. The result is to
 * be called when a module is compiled: from then on, the program itself may read its file.
 */
export function changeRead(sources: Sources): () => void {
  const modules = Module.prototype as unknown as Loading;
  const original = modules.load;
  let restore = () => {};
  modules.load = function (path) {
    if (!sources.has(path)) return original.call(this, path);
    const { readFileSync } = fs;
    const outer = restore;
    const reading = ((file: unknown, ...rest: readonly unknown[]) => {
      const text = (readFileSync as (...args: readonly unknown[]) => unknown)(file, ...rest);
      if (file !== path) return text;
      own();
      return typeof text === 'string' ? withProbes(sources, path, text) : text;
    }) as typeof readFileSync;
    const own = () => {
      if (fs.readFileSync === reading) fs.readFileSync = readFileSync;
      restore = outer;
    };
    fs.readFileSync = reading;
    restore = own;
    try {
      return original.call(this, path);
    } finally {
      own();
    }
  };
  return () => restore();
}

function withProbes(sources: Sources, path: string, text: string): string {
  try {
    return sources.textFor(path, text) ?? text;
  } catch {
    // The program runs as it is.
    return text;
  }
}
