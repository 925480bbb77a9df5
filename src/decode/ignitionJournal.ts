// Reads the journal of Hardhat Ignition: one JSON object per line.
import type { Hex } from '../base/hex.ts';
import { isObject } from '../base/isObject.ts';

/** The block in which Ignition created the contract; `null` when the journal does not have its address. */
export function findCreationBlock(journal: string, address: Hex): number | null {
  const wanted = address.toLowerCase();
  for (const line of journal.split('\n')) {
    if (!line.includes('"contractAddress"') || !line.toLowerCase().includes(wanted)) continue;
    try {
      const { receipt } = JSON.parse(line) as { readonly receipt?: unknown };
      if (!isObject(receipt) || String(receipt['contractAddress']).toLowerCase() !== wanted) continue;
      const block = receipt['blockNumber'];
      if (typeof block === 'number' && Number.isSafeInteger(block)) return block;
    } catch {} // the last line is incomplete when Ignition was stopped
  }
  return null;
}
