// Keys of a contract's mappings that HexLens has seen, and words of its storage.

import { MAX_STORAGE_SLOTS, type SendLookup } from '../../api/lookups.ts';
import { type Hex, hexToBytes, isAddress, toWordHex } from '../../base/hex.ts';
import { toBatches } from '../../base/toBatches.ts';
import { SeenKeys } from '../../decode/source/contractState.ts';
import type { FetchWords } from '../../decode/source/readVariable.ts';
import { getDevelopmentAccounts } from '../../detect/developmentAccounts.ts';

const SMALL_NUMBERS = 16n;

export interface CollectedKeys {
  readonly keys: SeenKeys;
  /** No transaction of the chain was left out. */
  readonly isComplete: boolean;
}

export interface StorageKeysPorts {
  readonly lookup: SendLookup;
  /** Addresses of the address book. */
  listSaved(): Promise<readonly string[]>;
}

/** The address book and the accounts of development nodes only serve chains of this machine: slots tell keys. */
export async function collectStorageKeys(
  { chain, address, isLocal }: { readonly chain: string; readonly address: Hex; readonly isLocal: boolean },
  { lookup, listSaved }: StorageKeysPorts,
  signal: AbortSignal,
): Promise<CollectedKeys> {
  const keys = new SeenKeys();
  const { preimages, words, isComplete } = await lookup('storageKeys', { chain, address }, signal);
  for (const each of preimages) keys.addPreimage(hexToBytes(each));
  if (!isLocal) return { keys, isComplete };
  const known = [...(await listSaved()), ...getDevelopmentAccounts().map(each => each.address)];
  for (const each of [...known, address]) if (isAddress(each)) keys.addWord(BigInt(each));
  for (let number = 0n; number < SMALL_NUMBERS; number++) keys.addWord(number);
  for (const word of words) keys.addWord(word);
  return { keys, isComplete };
}

/** Without a block, words of the newest one. */
export function createFetchWords(
  { chain, address, block }: { readonly chain: string; readonly address: Hex; readonly block: number | undefined },
  lookup: SendLookup,
  signal: AbortSignal,
): FetchWords {
  return async slots => {
    const words: bigint[] = [];
    for (const part of toBatches(slots, MAX_STORAGE_SLOTS)) {
      const input = { chain, address, slots: part.map(toWordHex), ...(block !== undefined && { block }) };
      words.push(...(await lookup('storageWords', input, signal)).words);
    }
    return words;
  };
}
