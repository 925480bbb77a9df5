// What a handler is: one operation's typed input to its typed output, over the configured nodes.

import type { Freshness } from '../api/freshness.ts';
import type { Input, OperationId, Output } from '../api/operations/operations.ts';
import type { Progress } from '../api/workerProtocol.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { AptosNetworks } from './aptos/aptosNetworks.ts';
import type { EvmNodes } from './evm/evmNodes.ts';
import type { GetLabel } from './evm/evmRecords.ts';
import type { Indexes } from './indexer/indexes.ts';
import type { MetadataFetcher } from './metadata/tokenMetadata.ts';
import type { GetTokenTrust } from './queries/describeTokens.ts';

export interface HandlerContext {
  readonly nodes: EvmNodes;
  readonly clock: Clock;
  readonly log: Log;
  readonly getLabel: GetLabel;
  /** The user's word on token contracts: it beats every rule of ours. */
  readonly getTrust: GetTokenTrust;
  readonly indexes: Indexes;
  readonly metadata: MetadataFetcher;
  /** Hears of requests that take longer than a moment. */
  readonly reportProgress: (progress: Progress) => void;
  /** What may be done once is only looked at, and stays to be done. */
  readonly dryRun: boolean;
  readonly aptos: AptosNetworks;
}

export interface HandlerResult<T> {
  readonly output: T;
  /** Absent: not to be kept. */
  readonly freshness?: Freshness;
  /** Further headers of the reply, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Rejects with a HexLensError. The signal aborts everything the handler has under way. */
export type Handler<Id extends OperationId> = (
  input: Input<Id>,
  context: HandlerContext,
  signal: AbortSignal | undefined,
) => Promise<HandlerResult<Output<Id>>>;
