// The port between the typed client and what carries its requests: sockets, a worker, or memory in tests.
import type { WireReply, WireRequest } from '../api/wire/request.ts';

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves with any status, including errors. Rejects with a HexLensError when there is no response: unreachable, timed
 * out, cancelled, or rejected before it was sent.
 */
export interface Transport {
  send(request: WireRequest, options?: SendOptions): Promise<WireReply>;
}
