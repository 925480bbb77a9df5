// The unnamed rest of the test chain: blocks of ordinary traffic, generated from the block number.
import type { Hex } from '../../../src/base/hex.ts';
import { encodeData, vaultAbi } from './contractAbis.ts';
import type { TestTransaction } from './mineBlock.ts';
import type { AccountName, ContractName } from './testChain.ts';
import type { TokenLedger } from './tokenLedger.ts';

/** Six to twelve transactions; every block whose number ends in 5 has none. */
export function createTrafficBlock(
  number: number,
  accounts: Readonly<Record<AccountName, Hex>>,
  contracts: Readonly<Record<ContractName, Hex>>,
  ledger: TokenLedger,
): readonly TestTransaction[] {
  if (number % 10 === 5) return [];
  const below = createDraw(number);
  const people = [accounts.alice, accounts.bob, accounts.carol, accounts.dave, accounts.erin, accounts.frank];
  const someone = () => people[below(people.length)] ?? accounts.alice;
  const { apes, items, coin, usdx } = ledger;
  const acts: readonly (() => TestTransaction)[] = [
    () => apes.mint(someone(), BigInt(number * 1_000 + apes.owners.size)),
    () => apes.transfer(pick(apes.listUnburned()), someone(), below(2) === 0),
    () => apes.transfer(pick(apes.listUnburned()), someone()),
    () => items.mint(someone(), BigInt(1 + below(8)), BigInt(1 + below(50))),
    () => items.mintBatch(someone(), [BigInt(1 + below(4)), BigInt(5 + below(4))], [3n, BigInt(1 + below(9))]),
    () => coin.mint(someone(), BigInt(1 + below(1_000)) * 10n ** 17n),
    () => coin.transfer(accounts.bob, someone(), BigInt(1 + below(1_000_000))),
    () => usdx.transfer(accounts.carol, someone(), BigInt(1 + below(1_000_000))),
    () => ({ from: someone(), to: someone(), value: BigInt(1 + below(1_000_000_000)), gas: 21_000 }),
    () => ({ from: someone(), to: someone(), value: 10n ** 16n, gas: 21_000, kind: 'legacy' }),
    () => ({ from: someone(), to: contracts.vault, value: 4n, data: encodeData(vaultAbi.split, [people.slice(0, 4)]) }),
    () => ({ from: someone(), to: contracts.vault, data: encodeData(vaultAbi.failWithReason), fails: true }),
  ];
  const pick = (ids: readonly bigint[]) => ids[below(ids.length)] ?? 1n;
  return Array.from({ length: 6 + below(7) }, () => {
    const act = acts[below(acts.length)] ?? acts[0];
    return act === undefined ? { from: accounts.alice, to: accounts.bob } : act();
  });
}

/** Pseudo-random numbers, the same on every run (mulberry32, public domain). */
function createDraw(seed: number): (below: number) => number {
  let state = (seed * 0x9e3779b1) >>> 0;
  return below => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
