// The ledger of the Aptos tests: three accounts, two coins, and tokens of both standards in five blocks.
import type { Hex } from '../../../src/base/hex.ts';
import { getPairedMetadataAddress } from '../../../src/service/aptos/derivedIds.ts';
import {
  assetTransfer,
  coinTransfer,
  failedTransfer,
  mintObject,
  mintToken,
  type ObjectToken,
  pairCoin,
  type Token,
  transferObject,
  transferToken,
} from './ledgerActions.ts';
import { createSyntheticLedger, type LedgerBuilder, toLong } from './syntheticLedger.ts';

/** Begins with a zero, which nodes do not print. */
export const alice = toLong(`0x0a11ce${'1'.repeat(57)}`);
export const bob = toLong(`0xb0b${'2'.repeat(61)}`);
export const carol = toLong(`0xca401${'3'.repeat(59)}`);
/** Its address begins with a zero too, which type strings omit. */
export const MOON = `0x7fd${'5'.repeat(59)}::moon::Moon`;
export const MOON_METADATA = getPairedMetadataAddress(MOON);
/** An asset without a paired coin. */
export const UNPAIRED_ASSET = toLong(`0x10e${'4'.repeat(60)}`);
export const HUGE_AMOUNT = 18_446_744_073_709_551_614n;

export const card: Token = { creator: alice, collection: 'Cards "of" old', name: 'Ace #1' };
export const twin: Token = { creator: alice, collection: 'Cards "of" old', name: 'Ace #2' };
export const stamp: Token = { creator: bob, collection: 'Stamps', name: 'Blue' };
export const gem: ObjectToken = {
  creator: alice,
  collection: 'Gems',
  name: 'Ruby',
  object: toLong(`0x9e3${'7'.repeat(60)}`),
  collectionObject: toLong(`0xc01${'8'.repeat(60)}`),
};

export interface SampleLedger {
  readonly ledger: LedgerBuilder;
  readonly heights: Readonly<Record<'coins' | 'assets' | 'tokens' | 'objects' | 'failed', bigint>>;
}

export function createSampleLedger(chainId = 4): SampleLedger {
  const ledger = createSyntheticLedger(chainId);
  const coins = ledger.block(
    coinTransfer(alice, bob, 100n),
    coinTransfer(alice, carol, HUGE_AMOUNT, MOON),
    coinTransfer(bob, alice, 7n),
  );
  const assets = ledger.block(
    pairCoin(carol, MOON, MOON_METADATA),
    assetTransfer(carol, alice, 55n, MOON_METADATA),
    assetTransfer(alice, bob, 66n),
    assetTransfer(bob, carol, 77n, UNPAIRED_ASSET),
  );
  const tokens = ledger.block(mintToken(card), mintToken(twin), mintToken(stamp), transferToken(card, alice, bob));
  const objects = ledger.block(mintObject(gem), transferObject(gem, alice, carol));
  const failed = ledger.block(failedTransfer(alice));
  return { ledger, heights: { coins, assets, tokens, objects, failed } };
}

export const owners: readonly Hex[] = [alice, bob, carol];
