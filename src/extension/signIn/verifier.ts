// One verification through the backend, whose worker only looks: no nonce is used up, a message may be looked at again.
import { createClient } from '../../client/client.ts';
import type { VerifiedIdentity } from '../../view/siwe/verificationResult.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

/** Resolves with the identity, embedded or from the remote host of the settings; rejects with a HexLensError. */
export type VerifySiwe = (message: string, signature: string, signal: AbortSignal) => Promise<VerifiedIdentity>;

export function createSiweVerifier({ transport }: Pick<WorkerClient, 'transport'>): VerifySiwe {
  const client = createClient(transport);
  return (message, signature, signal) => client.verifySignIn({ message, signature }, { signal });
}
