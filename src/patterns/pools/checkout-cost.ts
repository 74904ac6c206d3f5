import { valueOf } from '../../analysis/provenance/value-of.ts';
import { packageOf } from '../../analysis/model/index.ts';
import { type Node, propertyName, walk } from '../../analysis/syntax/ast.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { optionOf } from '../../analysis/values/pool-limits.ts';
import type { LibraryValue } from '../../analysis/file/value.ts';
import { groupsOf } from '../../analysis/syntax/grouped.ts';

/** The waits of one checkout in addition to its query, as far as the driver and the pool's options prove them. */
export interface CheckoutCost {
  readonly roundTrips: number;
  /** The content of the round trip: `a ping`. */
  readonly request: string | undefined;
  /** Who decides on the round trip: the code or the options of Deadtime; the driver where absent. */
  readonly by?: 'code' | 'options';
}

const FREE: CheckoutCost = { roundTrips: 0, request: undefined };

/**
 * A project's declaration about its checkouts, by driver: `checkoutRtt` round trips that each one waits for, because a proxy is
 * in between or other code sets up the session. `mysql2` includes `mysql2/promise`.
 */
export type DriverCosts = Readonly<Record<string, Readonly<Record<string, number>>>>;

export const NO_DRIVER_COSTS: DriverCosts = {};

/** The project's declaration, which overrides what the code shows; undefined without one for the driver. */
export function declaredCheckoutCost(
  driver: string,
  drivers: DriverCosts,
): CheckoutCost | undefined {
  const name = [driver, packageOf(driver)].find((it) => Object.hasOwn(drivers, it));
  const roundTrips = name === undefined ? undefined : drivers[name]!['checkoutRtt'];
  if (roundTrips === undefined) return undefined;
  return roundTrips > 0 ? { roundTrips, request: 'what `drivers` declares', by: 'options' } : FREE;
}

export function checkoutCostOf(source: LibraryValue | undefined): CheckoutCost {
  const pool = source?.type.pool;
  if (!source || !pool) return FREE;
  if (isPreparedOnAcquire(source)) {
    return { roundTrips: 1, request: 'the query of an acquire listener', by: 'code' };
  }
  for (const { option, values, roundTrips, request } of pool.checkoutOptions ?? []) {
    const configured = optionOf(source, option);
    if (!configured) continue;
    // What only run time knows may switch the default's request off.
    if (configured.value === undefined && roundTrips < pool.checkoutRoundTrips) return FREE;
    if (configured.value !== undefined && values.includes(configured.value)) {
      return { roundTrips, request };
    }
  }
  return { roundTrips: pool.checkoutRoundTrips, request: pool.checkoutRequest };
}

/** `pool.on('acquire', (client) => client.query('SET …'))` stands before each query in the connection's line. */
function isPreparedOnAcquire({ origin }: LibraryValue): boolean {
  if (!origin) return false;
  const { file, node } = origin;
  return (acquireListeners(file).get(node) ?? []).some(({ listener }) => asksQueries(listener));
}

function asksQueries(listener: Node): boolean {
  let queries = false;
  walk(listener, (it) => {
    if (it.type === 'MemberExpression' && propertyName(it) === 'query') queries = true;
  });
  return queries;
}

interface AcquireListener {
  readonly emitter: Node;
  readonly listener: Node;
}

/** By the pool's origin. */
const acquireListeners = groupsOf(
  'acquire listeners',
  (file: FileFacts) =>
    file.nodes.all('CallExpression').flatMap((call): readonly AcquireListener[] => {
      const { callee } = call;
      const [event, listener] = call.arguments;
      if (callee.type !== 'MemberExpression' || propertyName(callee) !== 'on') return [];
      // no veto: the shape of the call
      if (event?.type !== 'Literal' || event.value !== 'acquire' || !listener) return [];
      return [{ emitter: callee.object, listener }];
    }),
  ({ emitter }, file) => {
    const value = valueOf(file, emitter);
    return value.kind === 'library' ? value.origin?.node : undefined;
  },
);
