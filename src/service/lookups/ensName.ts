// An ENS name in the one spelling that counts (ENSIP-15), with its hashes (EIP-137) and its DNS form (ENSIP-10).
import { namehash, normalize } from 'ox/Ens';
import { HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';

export interface EnsName {
  /** Normalised. */
  readonly name: string;
  /** Hash of the name, then of the name without its first label, and so on; the top-level domain's is the last. */
  readonly nameHashes: readonly [Hex, ...Hex[]];
  /** Labels with their lengths before them, closed by a zero: what wildcard resolvers read. */
  readonly dnsName: Hex;
}

/** DNS form allows 63 bytes per label; the registry itself sets no limit. */
const MAX_LABEL_BYTES = 255;
const MAX_LENGTH = 400;

function refuse(details: string): HexLensError {
  return new HexLensError('bad-input', 'This is not a valid ENS name, so nobody is asked about it.', {
    details,
    fix: 'Type it again yourself: a copied name may hold characters that only look like letters.',
  });
}

/** Throws `bad-input` for whatever ENSIP-15 refuses: mixed scripts, look-alikes, invisible characters, empty labels. */
export function parseEnsName(text: string): EnsName {
  const written = text.trim();
  if (written === '' || written.length > MAX_LENGTH) throw refuse('it is empty or too long');
  let name: string;
  try {
    name = normalize(written);
  } catch (error) {
    throw refuse(error instanceof Error ? error.message.slice(0, 200) : 'it cannot be normalised');
  }
  const labels = name.split('.');
  if (labels.length > 24) throw refuse('it has too many parts');
  const encoded = labels.map(label => new TextEncoder().encode(label));
  if (encoded.some(({ length }) => length === 0 || length > MAX_LABEL_BYTES)) throw refuse('a part of it is empty');
  const dns = encoded.map(bytes => byte(bytes.length) + [...bytes].map(byte).join('')).join('');
  const [first, ...above] = labels.map((_, at): Hex => namehash(labels.slice(at).join('.')));
  if (first === undefined) throw refuse('it is empty');
  return { name, nameHashes: [first, ...above], dnsName: `0x${dns}00` };
}

const byte = (value: number) => value.toString(16).padStart(2, '0');
