// What carries a request to whoever answers it: the port between the typed client and sockets, workers or memory.
import type { WireReply, WireRequest } from '../contract/request.ts';

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves with any status, also those that mean a fault. Rejects with a HexLensError when there is no answer at all:
 * unreachable, timed out, cancelled, refused before it was sent.
 */
export interface Transport {
  send(request: WireRequest, options?: SendOptions): Promise<WireReply>;
}

/** Our own service names the fault code of an error reply here; hosts never speak for us, so theirs is dropped. */
export const FAULT_HEADER = 'x-hexlens-fault';

/** Which remote host answered, by a name for people (`api.example:8443`); set by the HTTP transport only. */
export const HOST_HEADER = 'x-hexlens-host';

/** How many records of the page were left out on our side, so that a page without records is not taken for the end. */
export const FILTERED_HEADER = 'x-hexlens-filtered';
