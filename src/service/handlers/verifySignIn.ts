// `verifySignIn`: the identity record of the account that signed an EIP-4361 message.
import { DOMAIN_HEADER } from '../../api/wire/responseHeaders.ts';
import type { Handler } from '../handler.ts';
import type { SiweVerifier } from '../siwe/siweVerifier.ts';

/** A handler over a shared verifier, which remembers consumed nonces. */
export const verifySignIn =
  (verifier: SiweVerifier): Handler<'verifySignIn'> =>
  async ({ message, signature }, { forEditor }, signal) => {
    const { identity, isDomainBound } = await verifier.verify(message, signature, { signal, dryRun: forEditor });
    return { output: identity, ...(!isDomainBound && { headers: { [DOMAIN_HEADER]: 'not bound' } }) };
  };
