// Addresses as people read them.
import { checksumAddress } from './checksumAddress.ts';
import { shortenHex } from './displayText.ts';
import { isAddress } from './hex.ts';

const MAX_CACHED_ADDRESSES = 20_000;
const cache = new Map<string, string>();

/**
 * An EVM address with its checksum; any other text, such as an Aptos address, unchanged. Cached, since EIP-55 costs a hash for
 * each address, and the same few addresses occur in thousands of rows.
 */
export function toDisplayAddress(address: string): string {
  if (!isAddress(address)) return address;
  const cached = cache.get(address);
  if (cached !== undefined) return cached;
  const text = checksumAddress(address);
  if (cache.size >= MAX_CACHED_ADDRESSES) cache.clear();
  cache.set(address, text);
  return text;
}

/** `0x7099…79C8`. */
export const toShortDisplayAddress = (address: string): string => shortenHex(toDisplayAddress(address));
