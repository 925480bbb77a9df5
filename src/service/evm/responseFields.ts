// Fields of what nodes return: a value of the expected type, the neutral one where there is none, or `InvalidResponseError`.
import {
  type Hex,
  isAddress,
  isHash,
  isHex,
  parseQuantity,
  parseSafeQuantity,
  toQuantity,
  ZERO_ADDRESS,
} from '../../base/hex.ts';

/** A response that cannot be true. `EvmNode.validate` turns it into a `node-answer` fault that names the node. */
export class InvalidResponseError extends Error {}

export type WireObject = Readonly<Record<string, unknown>>;

/**
 * What is read where a node has no value: it leaves the field out, or writes `null`, an empty text or `0x`. All other fields
 * are required, but for those that a caller reads as `null`.
 */
const NEUTRAL_VALUES = {
  /** Gateways of OP stack chains (Optimism, Base): of deposits, type 0x7e, as other transactions that a chain makes itself. */
  nonce: 0n,
  /** The same gateways, as what else is zero or empty. */
  value: 0n,
  gas: 0n,
  input: '0x',
  /** Flow EVM and smartBCH write empty lists as `null`: the result of `eth_getLogs`, and what is in blocks, receipts, logs. */
  logs: [],
  topics: [],
  transactions: [],
  /** The same chains: of logs without data. */
  data: '0x',
} as const satisfies Readonly<Record<string, bigint | Hex | readonly unknown[]>>;

/** The fields whose neutral value has this type. */
type FieldOf<T> = {
  [Key in keyof typeof NEUTRAL_VALUES]: (typeof NEUTRAL_VALUES)[Key] extends T ? Key : never;
}[keyof typeof NEUTRAL_VALUES];

/** Some nodes write a quantity as a number, such as Anvil the times in receipts. */
const fromNumber = (value: unknown): unknown =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? toQuantity(value) : value;

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '' || value === '0x';

const fail = (key: string, what: string): never => {
  throw new InvalidResponseError(`${key} is not ${what}`);
};

export function requireObject(value: unknown, name: string): WireObject {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return fail(name, 'an object');
  return value as WireObject; // checked above: each field is validated when it is read
}

export function requireArray(source: WireObject, key: string): readonly unknown[] {
  const value = source[key];
  return Array.isArray(value) ? value : fail(key, 'a list');
}

export function requireHash(source: WireObject, key: string): Hex {
  const value = source[key];
  return isHash(value) ? value : fail(key, 'a hash');
}

export function requireAddress(source: WireObject, key: string): Hex {
  const value = source[key];
  return isAddress(value) ? value : fail(key, 'an address');
}

/** `null` where a transaction creates a contract, which old Ganache writes as `0x0`. */
export function optionalAddress(source: WireObject, key: string): Hex | null {
  return isMissing(source[key]) || source[key] === '0x0' ? null : requireAddress(source, key);
}

/** The contract that a transaction created; old Ganache writes the zero address where there is none. */
export function optionalCreatedContract(receipt: WireObject): Hex | null {
  const created = optionalAddress(receipt, 'contractAddress');
  return created === ZERO_ADDRESS ? null : created;
}

export function readHex(source: WireObject, key: FieldOf<Hex>): Hex {
  const value = source[key];
  if (isMissing(value)) return NEUTRAL_VALUES[key];
  return isHex(value) ? value : fail(key, 'hex data');
}

export function readArray(source: WireObject, key: FieldOf<readonly unknown[]>): readonly unknown[] {
  return isMissing(source[key]) ? NEUTRAL_VALUES[key] : requireArray(source, key);
}

export const readLogs = (result: unknown): readonly unknown[] => readArray({ logs: result }, 'logs');

export function readBigInt(source: WireObject, key: FieldOf<bigint>): bigint {
  return isMissing(source[key]) ? NEUTRAL_VALUES[key] : requireBigInt(source, key);
}

export function requireBigInt(source: WireObject, key: string): bigint {
  return parseQuantity(fromNumber(source[key])) ?? fail(key, 'a quantity of at most 256 bits');
}

export function requireNumber(source: WireObject, key: string): number {
  return parseSafeQuantity(fromNumber(source[key])) ?? fail(key, 'a quantity below 2^53');
}

/** The transactions of a block, in its order. Where a chain counts others of its own too (Cosmos), some indexes are left out. */
export function requireTransactions({ transactions, number }: WireObject): readonly WireObject[] {
  let above = -1;
  return readArray({ transactions }, 'transactions').map(entry => {
    const wire = requireObject(entry, 'a transaction');
    const index = requireNumber(wire, 'transactionIndex');
    if (index <= above) throw new InvalidResponseError(`the transactions of block ${Number(number)} are in no order`);
    above = index;
    return wire;
  });
}

/** Seconds since the Unix epoch; `null` when the node does not send it. */
export function optionalSeconds(source: WireObject, key: string): number | null {
  return parseSafeQuantity(fromNumber(source[key]));
}

export const toHashOrNull = (value: unknown): Hex | null => (isHash(value) ? value : null);
export const toHexOrNull = (value: unknown): Hex | null => (isHex(value) ? value : null);
export const toAddressOrNull = (value: unknown): Hex | null => (isAddress(value) ? value : null);

/** The latest time that a `Date` can hold, in seconds. */
const MAX_SECONDS = 8.64e12;

export function toDate(seconds: number): Date {
  if (seconds > MAX_SECONDS) throw new InvalidResponseError('timestamp is past every calendar');
  return new Date(seconds * 1000);
}
