import 'truth';
import { createServer } from 'node:http';
import { routes } from './routes.js';
import { drainingWorker, heartbeat, idleWorker, pollingWorker } from './workers.js';

const server = createServer(async (request, response) => {
  try {
    await routes[request.url.slice(1)]();
  } catch (error) {
    console.error(error);
    response.statusCode = 500;
  }
  response.end('done');
});
worker('pollingWorker', pollingWorker);
worker('drainingWorker', drainingWorker);
worker('idleWorker', idleWorker);
worker('heartbeat', heartbeat);
drive(server);
