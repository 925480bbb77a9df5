// What the server needs of whatever executes requests. The worker's `Backend` implements it; the server does not import it.
import type { WireReply, WireRequest } from '../api/wire/request.ts';
import type { CheckedGroup, ReadinessChecks } from '../service/checkReadiness.ts';
import type { IndexStatus } from '../service/indexer/indexes.ts';

export interface HttpCallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The caller is a program: it gets no data read before its request, and a verified sign-in consumes its nonce. */
  readonly forProgram?: boolean;
}

export interface HttpBackend {
  /** Resolves with any status: faults of the service and of remote hosts are replies. */
  call(request: WireRequest, options?: HttpCallOptions): Promise<WireReply>;
  checkReadiness(options?: { readonly groups?: readonly CheckedGroup[] }): Promise<ReadinessChecks>;
  /** Progress of every index opened so far. */
  getIndexStatuses(): readonly IndexStatus[];
}
