// Which values of a log or a call are amounts, and whose: a token's own, or the chain's native coin.
import { keccak256 } from 'ox/Hash';
import { bytesToHex } from '../base/hex.ts';
import type { DecodedItem } from './decodeAbi.ts';
import type { DecodedValue } from './decodeValues.ts';
import { NATIVE_COIN } from './seaportTrade.ts';

/** Events of a token about itself: the parameter that is an amount of it. All others are addresses, and indexed. */
const OWN_EVENTS: Readonly<Record<string, number>> = {
  'Transfer(address,address,uint256)': 2,
  'Approval(address,address,uint256)': 2,
  'Mint(address,uint256)': 1,
  'Mint(address,address,uint256)': 2,
  'Burn(address,uint256)': 1,
  'Deposit(address,uint256)': 1,
  'Withdrawal(address,uint256)': 1,
};

/** Shares of an ERC-4626 vault, which is the token; what it holds is counted in another one. */
const SHARES: Readonly<Record<string, number>> = {
  'Deposit(address,address,uint256,uint256)': 3,
  'Withdraw(address,address,address,uint256,uint256)': 4,
};

/** Functions of a token: the parameter that is an amount of it. */
const OWN_FUNCTIONS: Readonly<Record<string, number>> = {
  'transfer(address,uint256)': 1,
  'transferFrom(address,address,uint256)': 2,
  'approve(address,uint256)': 1,
  'increaseAllowance(address,uint256)': 1,
  'decreaseAllowance(address,uint256)': 1,
  'mint(address,uint256)': 1,
  'mint(uint256)': 0,
  'burn(uint256)': 0,
  'burnFrom(address,uint256)': 1,
  'transferAndCall(address,uint256,bytes)': 1,
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)': 2,
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)': 2,
  'receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)': 2,
};

/** Parameters that are native coin whatever contract is called. */
const NATIVE_VALUES: Readonly<Record<string, number>> = {
  'execute(address,uint256,bytes)': 1,
  'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)': 1,
  'SafeReceived(address,uint256)': 1,
  'UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)': 5,
};

const placeIn = (table: Readonly<Record<string, number>>, canonical: string): number | null =>
  Object.hasOwn(table, canonical) ? (table[canonical] ?? null) : null;

/**
 * The amounts of a reading: value -> lower-case address of its token, or `NATIVE`. Whether `contract` is an ERC-20 at
 * all is for the chain to say. An indexed last parameter is the id of an ERC-721, never an amount.
 */
export function getAmountUnits(
  { item, values }: DecodedItem,
  contract: string | null,
): ReadonlyMap<DecodedValue, string> {
  const { canonical, kind, inputs } = item;
  const own =
    kind === 'event'
      ? (placeIn(OWN_EVENTS, canonical) ?? placeIn(SHARES, canonical))
      : kind === 'function'
        ? placeIn(OWN_FUNCTIONS, canonical)
        : null;
  const native = placeIn(NATIVE_VALUES, canonical);
  const units = new Map<DecodedValue, string>();
  const ownValue = own === null || inputs[own]?.indexed ? undefined : values[own];
  if (ownValue !== undefined && contract !== null) units.set(ownValue, contract.toLowerCase());
  const nativeValue = native === null ? undefined : values[native];
  if (nativeValue !== undefined) units.set(nativeValue, NATIVE_COIN);
  return units;
}

let byTopic: ReadonlyMap<string, number> | undefined;

/** topic0 -> topics that such an event of an ERC-20 has. */
function topicCounts(): ReadonlyMap<string, number> {
  const encoder = new TextEncoder();
  byTopic ??= new Map(
    Object.entries(OWN_EVENTS).map(([canonical, at]) => [
      bytesToHex(keccak256(encoder.encode(canonical), { as: 'Bytes' })),
      at + 1,
    ]),
  );
  return byTopic;
}

/** The amount in a log by its topics alone, as decimal text: `null` for an ERC-721's, whose id is a topic too. */
export function getLogAmount(topics: readonly (string | null | undefined)[], data: string | null): string | null {
  const own = topics.filter(topic => typeof topic === 'string');
  const [topic0] = own;
  if (topic0 === undefined || data?.length !== 66 || !/^0x[0-9a-f]{64}$/i.test(data)) return null;
  return topicCounts().get(topic0.toLowerCase()) === own.length ? BigInt(data).toString() : null;
}
