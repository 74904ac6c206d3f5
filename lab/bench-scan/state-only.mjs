// What a tool has to do at least that Node.js runs, to see that no file has changed: `node state-only.mjs LIST` asks the disk
// for the state of each file and folder that the JSON in LIST names.
import { readFileSync, statSync } from 'node:fs';

for (const path of JSON.parse(readFileSync(process.argv[2], 'utf8'))) statSync(path);
