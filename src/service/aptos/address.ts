// Aptos addresses that mean the same on every network.
import type { Hex } from '../../base/hex.ts';

export const ZERO_APTOS_ADDRESS: Hex = `0x${'0'.repeat(64)}`;
/** The metadata object of APT: the only one whose address is not derived from its coin type. */
export const APT_METADATA_ADDRESS: Hex = `0x${'a'.padStart(64, '0')}`;
