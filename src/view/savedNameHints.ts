// Inlay hints with the saved names of addresses in a text.

import { getNamedSelector } from '../api/chains.ts';
import { sanitizeText } from '../base/displayText.ts';
import { getNamedChainId } from '../detect/literalContext.ts';
import { scanLiterals } from '../detect/scanLiterals.ts';

export interface SavedNameHint {
  /** Offset after the address. */
  readonly offset: number;
  readonly name: string;
}

/** Longer names would hide the code. */
const MAX_LENGTH = 40;
/** Characters of the line in which the name is looked for. */
const MAX_DISTANCE = 200;

/** Hints for whole addresses with `0x`, where the name does not already stand before the address in its line. */
export function findSavedNameHints(
  text: string,
  getName: (address: string, chain?: string) => string | null,
): readonly SavedNameHint[] {
  const names: SavedNameHint[] = [];
  for (const found of scanLiterals(text)) {
    if (found.shape !== 'bytes20' && found.shape !== 'bytes32') continue;
    const padded = /^0x0{24}([0-9a-f]{40})$/i.exec(found.text)?.[1];
    const chain = getNamedSelector(getNamedChainId(text, found)) ?? undefined;
    const name = getName(found.text, chain) ?? (padded === undefined ? null : getName(`0x${padded}`, chain));
    if (name === null) continue;
    const before = text.slice(Math.max(0, found.start - MAX_DISTANCE), found.start);
    const line = before.slice(before.lastIndexOf('\n') + 1).toLowerCase();
    if (line.includes(name.toLowerCase())) continue;
    names.push({ offset: found.end, name: sanitizeText(name, MAX_LENGTH) });
  }
  return names;
}
