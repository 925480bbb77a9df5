// `verifySignIn`: the identity of whoever signed an EIP-4361 message, or why it is not accepted.
import { DOMAIN_HEADER } from '../../contract/headers.ts';
import type { SignInVerifier } from '../auth/verifier.ts';
import type { Handler } from '../handler.ts';

/** Over a verifier, as that remembers the nonces that were used. */
export const verifySignIn =
  (verifier: SignInVerifier): Handler<'verifySignIn'> =>
  async ({ message, signature }, { lookOnly }, signal) => {
    const { identity, domainBound } = await verifier.verify(message, signature, { signal, lookOnly });
    return { output: identity, ...(!domainBound && { headers: { [DOMAIN_HEADER]: 'not bound' } }) };
  };
