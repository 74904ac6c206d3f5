// Starts a server and a proxy before it, says where they are, and waits to be killed.
import { startDatabase } from '../../src/proof/servers/database.ts';

const [kind] = process.argv.slice(2);
const started = await startDatabase({ kinds: [kind === 'mysql' ? 'mysql' : 'postgres'] });
if (started.state !== 'ready') throw new Error(JSON.stringify(started));
const { url, dataFolder } = started;
const proxy = await started.delayed(1);
console.log(JSON.stringify({ url, proxyUrl: proxy.url, dataFolder }));
setInterval(() => {}, 1_000);
