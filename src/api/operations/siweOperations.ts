// Group A: sign-in verification ("A. Verification" of the description).
import { identity } from '../records/siweRecords.ts';
import { defineOperations } from './operation.ts';
import { text } from './parameterKinds.ts';
import { body } from './parameters.ts';

export const siweOperations = defineOperations('auth', {
  verifySignIn: {
    method: 'POST',
    path: '/challenge/verify/evm',
    title: 'Verify Sign-In Message',
    summary: 'Verifies an EIP-191 signature over an EIP-4361 message and returns the identity of the signer.',
    parameters: {
      message: body(text(1_048_576, 'the sign-in message'), 'The sign-in message that the end user signs.'),
      signature: body(text(1_048_576, '0x and hex digits'), 'The EIP-191 signature of the account that signs in.'),
    },
    reply: { shape: 'record', record: identity, status: 201 },
    traits: { source: 'input' },
  },
});
