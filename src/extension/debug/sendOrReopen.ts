// Carries the requests of a debug session, which is opened again where the service does not know it any more.
import type { DebugRequest, SendDebugRequest } from '../../api/debugSession.ts';
import { HexLensError, isFault } from '../../base/errors.ts';
import { localizable } from '../../base/localize.ts';

/**
 * The worker may have been started again, or hold other sessions meanwhile.
 *
 * @throws `not-found` where the chain no longer has the transaction; faults of the service.
 */
export function sendOrReopen(
  send: (request: DebugRequest, signal?: AbortSignal) => Promise<unknown>,
  open: () => Promise<unknown>,
): SendDebugRequest {
  const carry = async (kind: string, input: object, signal?: AbortSignal): Promise<unknown> => {
    const request = { kind, ...input } as DebugRequest;
    try {
      return await send(request, signal);
    } catch (error) {
      if (!isFault(error, 'not-found')) throw error;
      await open().catch((reason: unknown) => {
        if (!isFault(reason, 'not-found')) throw reason;
        const text = localizable(
          'The chain no longer has this transaction: it was reset or rolled back. Stop the session and debug one of its present transactions.',
        );
        throw new HexLensError('not-found', text);
      });
      return send(request, signal);
    }
  };
  return carry as SendDebugRequest;
}
