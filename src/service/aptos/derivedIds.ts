// Hashes of token and collection names, and addresses that the Aptos framework derives from others.

import { sha256 } from '@noble/hashes/sha2.js';
import { sha3_256 } from '@noble/hashes/sha3.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { bytesToText } from '../../base/base64.ts';
import { bytesToHex, type Hex, hexToBytes } from '../../base/hex.ts';
import { APT_METADATA_ADDRESS } from './address.ts';
import { APT_COIN_TYPE } from './moveType.ts';

/** The domain separators of `0x1::object` for addresses derived from a seed, and from a user and an object. */
const OBJECT_FROM_SEED_SCHEME = 0xfe;
const OBJECT_DERIVED_SCHEME = 0xfc;

/** The first bytes of a name and of a URI that the official tables store. */
export const MAX_NAME_BYTES = 128;
export const MAX_URI_BYTES = 512;

const encoder = new TextEncoder();

const hashText = (text: string): string => bytesToHex(sha256(encoder.encode(text))).slice(2);

/** `creator` is a long address; the name is not truncated. */
export function hashCollectionDataId(creator: Hex, collection: string): string {
  return hashText(`${creator}::${collection}`);
}

/** `creator` is a long address; the names are not truncated. */
export function hashTokenDataId(creator: Hex, collection: string, name: string): string {
  return hashText(`${creator}::${collection}::${name}`);
}

/** The metadata object that a coin is paired with (AIP-63), even if it does not exist yet. `coinType` is normalized. */
export function getPairedMetadataAddress(coinType: string): Hex {
  if (coinType === APT_COIN_TYPE) return APT_METADATA_ADDRESS;
  return bytesToHex(
    sha3_256(
      concatBytes(hexToBytes(APT_METADATA_ADDRESS), encoder.encode(coinType), Uint8Array.of(OBJECT_FROM_SEED_SCHEME)),
    ),
  );
}

/** The primary store of an account for a fungible asset. Both are long addresses. */
export function getPrimaryStoreAddress(owner: Hex, metadata: Hex): Hex {
  return bytesToHex(
    sha3_256(concatBytes(hexToBytes(owner), hexToBytes(metadata), Uint8Array.of(OBJECT_DERIVED_SCHEME))),
  );
}

/** At most the first `maxBytes` bytes of a text in UTF-8, without a partial character. */
export function truncateUtf8(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = encoder.encode(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytesToText(bytes.subarray(0, end));
}
