// What one configuration of the backend brings about: whoever began on it ends on it.
import type { HttpPort } from '../base/http.ts';
import type { Flights } from '../base/once.ts';
import type { Transport } from '../client/transport.ts';
import type { Configuration } from '../contract/configuration.ts';
import type { Freshness } from '../contract/freshness.ts';
import type { Service } from '../service/service.ts';
import type { Cache, TimedFreshness } from './cache.ts';
import type { EgressPolicy } from './egress.ts';
import type { Lease } from './lease.ts';
import type { RemoteLookups } from './remoteLookups.ts';

export type StoppableHttp = HttpPort & { stop(): Promise<void> };

/** Everything that one configuration brought about. */
export interface Parts {
  readonly configuration: Configuration;
  readonly policy: EgressPolicy;
  readonly http: Lease<StoppableHttp>;
  readonly egress: HttpPort;
  readonly service: Lease<Service>;
  readonly remote: Transport;
  readonly remoteLookups: RemoteLookups | null;
  readonly cache: Cache;
  readonly flights: Flights<unknown>;
}

/** An answer, and how long it may be kept. */
export interface Kept<T> {
  readonly value: T;
  readonly freshness?: Freshness | TimedFreshness | undefined;
}
