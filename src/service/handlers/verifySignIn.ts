// `verifySignIn`: the identity of whoever signed an EIP-4361 message, or why it is not accepted.
import { DOMAIN_HEADER } from '../../api/wire/responseHeaders.ts';
import type { Handler } from '../handler.ts';
import type { SignInVerifier } from '../siwe/signInVerifier.ts';

/** Over a verifier, as that remembers the nonces that were used. */
export const verifySignIn =
  (verifier: SignInVerifier): Handler<'verifySignIn'> =>
  async ({ message, signature }, { dryRun: lookOnly }, signal) => {
    const { identity, isDomainBound: domainBound } = await verifier.verify(message, signature, {
      signal,
      dryRun: lookOnly,
    });
    return { output: identity, ...(!domainBound && { headers: { [DOMAIN_HEADER]: 'not bound' } }) };
  };
