// The messages between the main thread and the backend worker: what each side may say, and in which form.
import type { PlainFault } from '../base/errors.ts';
import type { Hex } from '../base/hex.ts';
import type { Log } from '../base/log.ts';
import type { Configuration } from './configuration.ts';
import type { ChainStatus, LookupId, LookupInput, LookupOutput } from './lookups.ts';
import type { WireReply, WireRequest } from './wire/request.ts';

/**
 * What the main thread says. `id` is its own number for one question; `cancel` names it. `configure` is always the first
 * message and may be repeated. After `stop` the worker ends by itself.
 */
export type MessageToWorker =
  | { readonly type: 'configure'; readonly configuration: Configuration }
  | { readonly type: 'call'; readonly id: number; readonly request: WireRequest }
  | LookupMessage
  | { readonly type: 'serve'; readonly id: number; readonly place: HttpEndpoint | null }
  | { readonly type: 'cancel'; readonly id: number }
  | TaskMessage
  | { readonly type: 'stop' };

/** Where the backend answers HTTP too, on this machine only. */
export interface HttpEndpoint {
  /** 0 takes a free one. */
  readonly port: number;
  /** What callers send as `X-API-Key`. */
  readonly key: string;
}

/**
 * `pause` ends the work that progress named so, after the step it is at; `resume`, or the next request that needs it, goes
 * on from there.
 */
export interface TaskMessage {
  readonly type: 'pause' | 'resume';
  readonly task: string;
}

/** One look-up; the distribution over ids keeps each id with its own input. */
export type LookupMessage = {
  [Id in LookupId]: {
    readonly type: 'lookup';
    readonly id: number;
    readonly lookup: Id;
    readonly input: LookupInput<Id>;
  };
}[LookupId];

/**
 * What the worker says. `result` answers a call, `value` a look-up, `served` a `serve`, `fault` any of them; exactly one per
 * question, none after `cancel` is also fine. Replies cross as objects by structured clone: for a block of 1,000
 * transactions (3 MB of JSON) that took half the time of JSON text in either a string or a transferred buffer.
 */
export type MessageFromWorker =
  | { readonly type: 'result'; readonly id: number; readonly reply: WireReply }
  | { readonly type: 'value'; readonly id: number; readonly value: LookupOutput<LookupId> }
  | { readonly type: 'served'; readonly id: number; readonly url: string | null }
  | { readonly type: 'fault'; readonly id: number; readonly fault: PlainFault }
  | WorkerEvent;

/** What the worker says unasked. */
export type WorkerEvent =
  | { readonly type: 'log'; readonly level: keyof Log; readonly message: string }
  | { readonly type: 'status'; readonly status: ChainStatus }
  | { readonly type: 'progress'; readonly progress: Progress };

/** How far long work is. */
export interface Progress {
  /** The same word for the same work: later progress replaces earlier. */
  readonly task: string;
  /** Blocks into an index, or through the logs of one contract for one request. */
  readonly kind: 'index' | 'logs';
  /** Canonical chain selector; `null` for work that belongs to no chain. */
  readonly chain: string | null;
  /** The contract or wallet that the work is about; `null` when it is about the whole chain. */
  readonly address: Hex | null;
  /** What of the subject: NFT transfers of a contract, those of a wallet, sales of a contract's NFTs. */
  readonly scope?: 'contract' | 'wallet' | 'trades';
  /** Blocks. */
  readonly done: number;
  /** `null` while unknown. */
  readonly total: number | null;
  /** False is the last word on this work: it is done, was paused, or failed. */
  readonly isRunning: boolean;
}
