// Reading a sign-in message strictly: the message, or one problem that says where and why.
import { HexLensError } from '../../base/errors.ts';
import { explain } from './explainFailure.ts';
import { recognise, type SignInOptions } from './grammar.ts';
import type { SignInMessage } from './siweMessage.ts';
import type { SignInProblem } from './siweProblem.ts';

export type SignInReading = { readonly message: SignInMessage } | { readonly problem: SignInProblem };

/**
 * Reads the exact text of a message (EIP-4361; service.md, "Sign-in message"). Nothing is trimmed or repaired: what
 * comes back prints to the very same bytes. Never throws; work grows linearly with the text and stops at the size limit.
 */
export function readSignInMessage(text: string, options: SignInOptions = {}): SignInReading {
  const result = recognise(text, options);
  return 'message' in result ? result : { problem: explain(text, result.failure, options) };
}

/** As `readSignInMessage`; throws `bad-input` (one issue, for the body field `message`) instead of giving a problem. */
export function parseSignInMessage(text: string, options: SignInOptions = {}): SignInMessage {
  const result = readSignInMessage(text, options);
  if ('message' in result) return result.message;
  const { message, fix } = result.problem;
  throw new HexLensError('bad-input', message, {
    issues: [{ field: 'message', message }],
    fix:
      fix === undefined
        ? 'Have a corrected message signed.'
        : `${fix.title}, and have the corrected message signed again.`,
  });
}
