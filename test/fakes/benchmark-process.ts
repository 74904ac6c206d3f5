import { serveOrder } from '../../benchmarks/harness/serve-order.ts';
import { fakeTable } from './benchmark-cases.ts';

serveOrder(fakeTable);
