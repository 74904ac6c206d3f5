/** The order to a proxy, its first message. Any later one requests the traffic. */
export interface ProxyOrder {
  readonly host: string;
  readonly port: number;
  /** Half of it is waited for in each direction. */
  readonly roundTripMs: number;
}

/** Since the proxy was started. */
export interface Traffic {
  readonly connections: number;
  /** Answers that the server began after the client had spoken, on all connections. */
  readonly roundTrips: number;
}

export type ProxyReport =
  | { readonly state: 'ready'; readonly port: number }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'counted'; readonly traffic: Traffic };
