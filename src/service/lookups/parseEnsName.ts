// Normalizes ENS names (ENSIP-15), with their hashes (EIP-137) and DNS encoding (ENSIP-10).
import { namehash, normalize } from 'ox/Ens';
import { HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';

export interface ParsedEnsName {
  /** Normalized. */
  readonly name: string;
  /** Hashes of the name and of its parents, up to the top-level domain. */
  readonly nameHashes: readonly [Hex, ...Hex[]];
  /** DNS wire format, as wildcard resolvers expect it: labels prefixed with their lengths, and a zero. */
  readonly dnsName: Hex;
}

/** A length in DNS wire format is one byte. The registry sets no limit. */
const MAX_LABEL_BYTES = 255;
const MAX_LABELS = 24;
const MAX_NAME_LENGTH = 400;

function createInvalidNameFault(details: string): HexLensError {
  return new HexLensError('bad-input', 'This is not a valid ENS name, so it is not looked up.', {
    details,
    fix: 'Type it again yourself: a copied name may hold characters that only look like letters.',
  });
}

/** Throws `bad-input` for names that ENSIP-15 rejects: mixed scripts, look-alikes, invisible characters, empty labels. */
export function parseEnsName(text: string): ParsedEnsName {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > MAX_NAME_LENGTH) throw createInvalidNameFault('it is empty or too long');
  let name: string;
  try {
    name = normalize(trimmed);
  } catch (error) {
    throw createInvalidNameFault(error instanceof Error ? error.message.slice(0, 200) : 'it cannot be normalized');
  }
  const labels = name.split('.');
  if (labels.length > MAX_LABELS) throw createInvalidNameFault('it has too many parts');
  const encodedLabels = labels.map(label => new TextEncoder().encode(label));
  if (encodedLabels.some(({ length }) => length === 0 || length > MAX_LABEL_BYTES))
    throw createInvalidNameFault('a part of it is empty');
  const dnsDigits = encodedLabels.map(bytes => toHexByte(bytes.length) + [...bytes].map(toHexByte).join('')).join('');
  const [nameHash, ...parentHashes] = labels.map((_, index): Hex => namehash(labels.slice(index).join('.')));
  if (nameHash === undefined) throw createInvalidNameFault('it is empty');
  return { name, nameHashes: [nameHash, ...parentHashes], dnsName: `0x${dnsDigits}00` };
}

const toHexByte = (value: number) => value.toString(16).padStart(2, '0');
