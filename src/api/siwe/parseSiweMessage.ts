// Parses sign-in messages strictly: the message, or one problem with its location and reason. The rules of the fields: grammar.ts.
import { HexLensError } from '../../base/errors.ts';
import { explainFailure } from './explainFailure.ts';
import { matchGrammar, type SiweParseOptions } from './grammar.ts';
import type { SiweMessage } from './siweMessage.ts';
import type { SiweProblem } from './siweProblem.ts';

export type SiweParseResult = { readonly message: SiweMessage } | { readonly problem: SiweProblem };

/**
 * Parses the exact text of a message (EIP-4361). Nothing is trimmed or repaired: formatting the result restores the same
 * bytes. Never throws; takes linear time up to the size limit.
 */
export function safeParseSiweMessage(text: string, options: SiweParseOptions = {}): SiweParseResult {
  const result = matchGrammar(text, options);
  return 'message' in result ? result : { problem: explainFailure(text, result.failure, options) };
}

/** As `safeParseSiweMessage`; throws `bad-input` (one issue, for the body field `message`) instead of giving a problem. */
export function parseSiweMessage(text: string, options: SiweParseOptions = {}): SiweMessage {
  const result = safeParseSiweMessage(text, options);
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
