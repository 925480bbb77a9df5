// The hash at the cursor, with what the text around it says.
import type { Hex } from '../../base/hex.ts';
import { checkDisclosure } from '../../view/checkDisclosure.ts';
import { detectLiteralAtCursor } from './detectLiteral.ts';

export interface DetectedHash {
  readonly hash: Hex;
  /** It is no key by the text around it, or because the user entered it as a hash. */
  readonly isPublic: boolean;
}

/** `null` where there is none. */
export function detectHashAtCursor(): DetectedHash | null {
  const found = detectLiteralAtCursor();
  if (found?.literal.kind !== 'hash32') return null;
  const rules = { fileName: found.fileName, addressesOnClick: false };
  const { decision } = checkDisclosure(found.literal, { isLocal: false, isUserRequested: true }, rules);
  return { hash: found.literal.hash, isPublic: decision === 'yes' };
}
