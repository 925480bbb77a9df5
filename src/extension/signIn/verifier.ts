// One verification through the backend, whose worker only looks: no nonce is used up, a message may be looked at again.
import { createClient } from '../../client/client.ts';
import type { Identity } from '../../view/siwe/verificationResult.ts';
import type { BackendHost } from '../worker/workerClient.ts';

/** Resolves with the identity, embedded or from the remote host of the settings; rejects with a HexLensError. */
export type Verify = (message: string, signature: string, signal: AbortSignal) => Promise<Identity>;

export function createVerifier({ transport }: Pick<BackendHost, 'transport'>): Verify {
  const client = createClient(transport);
  return (message, signature, signal) => client.verifySignIn({ message, signature }, { signal });
}
