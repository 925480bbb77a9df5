// What carries a request to whoever answers it: the port between the typed client and sockets, workers or memory.
import type { WireReply, WireRequest } from '../api/wire/request.ts';

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
