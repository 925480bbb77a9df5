// Handlers: one per operation, from its typed input to its typed output.
import type { Freshness } from '../api/freshness.ts';
import type { Input, OperationId, Output } from '../api/operations/operations.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { AptosNetworks } from './aptos/aptosNetworks.ts';
import type { ChainAddressBook } from './chainAddressBook.ts';
import type { EvmNodes } from './evm/evmNodes.ts';
import type { IndexReader } from './indexer/indexes.ts';
import type { VerifiedSources } from './lookups/verifiedSources.ts';
import type { MetadataFetcher } from './metadata/tokenMetadata.ts';
import type { TaskRegistry } from './taskRegistry.ts';

export interface HandlerContext {
  readonly nodes: EvmNodes;
  readonly clock: Clock;
  readonly log: Log;
  /** What the user's address book says on the chain with this selector. */
  getAddressBook(chain: string): ChainAddressBook;
  readonly indexes: IndexReader;
  readonly metadata: MetadataFetcher;
  readonly verifiedSources: VerifiedSources;
  /** Gets the progress of requests that take longer than a moment. */
  readonly tasks: TaskRegistry;
  /** Not for a program: a sign-in is verified without consuming its nonce, and what was read a moment ago may be used again. */
  readonly forEditor: boolean;
  readonly aptos: AptosNetworks;
}

export interface HandlerResult<T> {
  readonly output: T;
  /** Not to be cached when absent. */
  readonly freshness?: Freshness;
  /** Additional headers of the reply, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Rejects with a HexLensError. The signal aborts all of the handler's requests. */
export type Handler<Id extends OperationId> = (
  input: Input<Id>,
  context: HandlerContext,
  signal: AbortSignal | undefined,
) => Promise<HandlerResult<Output<Id>>>;
