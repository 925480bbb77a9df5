// Ids and addresses that follow from names: token and collection hashes, metadata of paired coins, primary stores.
import { createHash } from 'node:crypto';
import { bytesToHex, type Hex, hexToBytes } from '../../base/hex.ts';
import { APT_METADATA_ADDRESS } from './address.ts';
import { APT_COIN_TYPE } from './moveType.ts';
import { sha3_256 } from './sha3.ts';

/** How an address made from another one ends (`0x1::object`): by a seed, or from a user and an object. */
const FROM_SEED = 0xfe;
const FROM_OBJECT = 0xfc;

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** `creator` is padded; names are whole: their hash is made before anything is cut. */
export function hashCollectionDataId(creator: Hex, collection: string): string {
  return sha256(`${creator}::${collection}`);
}

export function hashTokenDataId(creator: Hex, collection: string, name: string): string {
  return sha256(`${creator}::${collection}::${name}`);
}

/** The metadata object that a coin is paired with (AIP-63), whether it exists already or not. `coinType` is normalised. */
export function getPairedMetadataAddress(coinType: string): Hex {
  if (coinType === APT_COIN_TYPE) return APT_METADATA_ADDRESS;
  return bytesToHex(
    sha3_256(Buffer.concat([hexToBytes(APT_METADATA_ADDRESS), Buffer.from(coinType), Buffer.of(FROM_SEED)])),
  );
}

/** The store in which an account keeps a fungible asset unless it made others. Both are padded. */
export function getPrimaryStoreAddress(owner: Hex, metadata: Hex): Hex {
  return bytesToHex(sha3_256(Buffer.concat([hexToBytes(owner), hexToBytes(metadata), Buffer.of(FROM_OBJECT)])));
}

/** The first `most` bytes of a text, cut between characters: how the official tables show names. */
export function truncateUtf8(text: string, most: number): string {
  if (text.length * 3 <= most) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  let end = most;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}

export const MAX_NAME_BYTES = 128;
export const MAX_URI_BYTES = 512;
