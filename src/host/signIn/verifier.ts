// One verification through the backend, whose worker only looks: no nonce is used up, a message may be looked at again.
import { createClient } from '../../client/client.ts';
import type { Identity } from '../../view/signIn/result.ts';
import type { BackendHost } from '../backend/backendHost.ts';

/** Resolves with the identity, embedded or from the remote host of the settings; rejects with a HexLensError. */
export type Verify = (message: string, signature: string, signal: AbortSignal) => Promise<Identity>;

export function createVerifier({ transport }: Pick<BackendHost, 'transport'>): Verify {
  const client = createClient(transport);
  return (message, signature, signal) => client.verifySignIn({ message, signature }, { signal });
}
