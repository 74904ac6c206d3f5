// Runs one case until it is killed; says so when the case has started.
import { runFake } from './benchmarks.ts';

const [variant, port] = process.argv.slice(2);
await runFake(variant!, { set: { port: port! }, onProgress: () => console.log('started') });
