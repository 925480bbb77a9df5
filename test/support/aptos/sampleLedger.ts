// The story that the Aptos tests tell: three people, two coins, tokens of both standards, in a handful of blocks.
import type { Hex } from '../../../src/base/hex.ts';
import { pairedMetadata } from '../../../src/service/aptos/derivedIds.ts';
import {
  assetTransfer,
  coinTransfer,
  failure,
  giveObject,
  giveToken,
  mintObject,
  mintToken,
  type ObjectToken,
  pair,
  type Token,
} from './ledgerActions.ts';
import { createLedger, type LedgerBuilder, long } from './syntheticLedger.ts';

/** One address begins with zeros, which nodes do not print. */
export const alice = long(`0x0a11ce${'1'.repeat(57)}`);
export const bob = long(`0xb0b${'2'.repeat(61)}`);
export const carol = long(`0xca401${'3'.repeat(59)}`);
/** Its address begins with zeros too: the type strings of a chain strip them. */
export const MOON = `0x7fd${'5'.repeat(59)}::moon::Moon`;
export const MOON_METADATA = pairedMetadata(MOON);
/** An asset that no coin is paired with. */
export const LONER = long(`0x10e${'4'.repeat(60)}`);
export const HUGE = 18_446_744_073_709_551_614n;

export const card: Token = { creator: alice, collection: 'Cards "of" old', name: 'Ace #1' };
export const twin: Token = { creator: alice, collection: 'Cards "of" old', name: 'Ace #2' };
export const stamp: Token = { creator: bob, collection: 'Stamps', name: 'Blue' };
export const gem: ObjectToken = {
  creator: alice,
  collection: 'Gems',
  name: 'Ruby',
  object: long(`0x9e3${'7'.repeat(60)}`),
  collectionObject: long(`0xc01${'8'.repeat(60)}`),
};

export interface Story {
  readonly ledger: LedgerBuilder;
  readonly heights: Readonly<Record<'coins' | 'assets' | 'tokens' | 'objects' | 'failed', bigint>>;
}

export function tellStory(chainId = 4): Story {
  const ledger = createLedger(chainId);
  const coins = ledger.block(
    coinTransfer(alice, bob, 100n),
    coinTransfer(alice, carol, HUGE, MOON),
    coinTransfer(bob, alice, 7n),
  );
  const assets = ledger.block(
    pair(carol, MOON, MOON_METADATA),
    assetTransfer(carol, alice, 55n, MOON_METADATA),
    assetTransfer(alice, bob, 66n),
    assetTransfer(bob, carol, 77n, LONER),
  );
  const tokens = ledger.block(mintToken(card), mintToken(twin), mintToken(stamp), giveToken(card, alice, bob));
  const objects = ledger.block(mintObject(gem), giveObject(gem, alice, carol));
  const failed = ledger.block(failure(alice));
  return { ledger, heights: { coins, assets, tokens, objects, failed } };
}

export const owners: readonly Hex[] = [alice, bob, carol];
