// What the extension's main thread and the worker offer to each other over their message port.
import type { Hex } from '../base/hex.ts';
import type { Log } from '../base/log.ts';
import type { Configuration } from './configuration.ts';
import type { LookupId, LookupInput, LookupOutput } from './lookups.ts';
import type { WireReply, WireRequest } from './wire/request.ts';

/** Where the worker offers its HTTP service, on this machine only. */
export interface HttpEndpoint {
  /** 0 chooses a free one. */
  readonly port: number;
  /** What clients send as `X-API-Key`. */
  readonly key: string;
}

export type LookupRequest = {
  [Id in LookupId]: { readonly lookup: Id; readonly input: LookupInput<Id> };
}[LookupId];

/**
 * What the worker offers to the main thread. Replies cross as objects by structured clone: for a block of 1,000
 * transactions (3 MB of JSON) that took half the time of JSON text, in a string or in a transferred buffer.
 */
export interface WorkerInterface {
  readonly calls: {
    readonly request: { readonly params: WireRequest; readonly output: WireReply };
    readonly lookup: { readonly params: LookupRequest; readonly output: LookupOutput<LookupId> };
    /** Opens the HTTP service at the endpoint in place of an earlier one, `null` closes it; the output is its URL. */
    readonly serveHttp: { readonly params: HttpEndpoint | null; readonly output: string | null };
  };
  readonly notifications: {
    /** Always the first message; may be repeated. */
    readonly configure: Configuration;
    /** Pauses the task that progress was reported for under this name, after its current step. */
    readonly pauseTask: string;
    /** Resumes a paused task; so does the next request that needs it. */
    readonly resumeTask: string;
    /** The worker closes what it has open and exits by itself. */
    readonly stop: null;
  };
}

export interface LogLine {
  readonly level: keyof Log;
  readonly message: string;
}

/** What the main thread offers to the worker. */
export interface WorkerClientInterface {
  readonly calls: Readonly<Record<never, never>>;
  readonly notifications: {
    /** Several lines in one message: each one wakes the main thread. */
    readonly log: readonly LogLine[];
    /** The head of the chain with this selector may have changed since the last lookup `chainStatus` with `isPoll`. */
    readonly headChange: string;
    readonly progress: Progress;
  };
}

export type WorkerEvent =
  | ({ readonly type: 'log' } & LogLine)
  | { readonly type: 'headChange'; readonly chain: string }
  | { readonly type: 'progress'; readonly progress: Progress };

/** How far a task has come that takes longer than a moment. */
export interface Progress {
  /** The same name for the same task: later progress replaces earlier. */
  readonly task: string;
  /** Reading blocks or transactions into an index, or the logs of one contract for one request. */
  readonly kind: 'index' | 'logs';
  /** Canonical chain selector; `null` for an Aptos network, and for tasks that belong to no chain. */
  readonly chain: string | null;
  /** Name of the Aptos network that is being indexed. */
  readonly aptosNetwork?: string;
  /** The contract or wallet that is being indexed; `null` for a whole chain. */
  readonly address: Hex | null;
  /** What is indexed of the address: NFT transfers of a contract, those of a wallet, sales of a contract's NFTs. */
  readonly scope?: 'contract' | 'wallet' | 'trades';
  /** What is counted; blocks when absent. */
  readonly unit?: 'transactions';
  readonly done: number;
  /** `null` while unknown. */
  readonly total: number | null;
  /** False in the last report of a task: it is complete, was paused, or failed. */
  readonly isRunning: boolean;
  /** The user has paused it: it ends after its present step. A request that needs it resumes it. */
  readonly isPaused?: boolean;
}
