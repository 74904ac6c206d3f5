import { table } from '../table.ts';
import { serveOrder } from './serve-order.ts';

serveOrder(table);
