import { serveOrder } from '../../src/proof/harness/serve-order.ts';
import { fakeTable } from './benchmark-cases.ts';

serveOrder(fakeTable);
