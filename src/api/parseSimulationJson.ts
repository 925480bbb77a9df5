// A simulated call from outside, such as a link or a saved page: everything in it is checked.
import { type Hex, isAddress, isHash, isHex, parseQuantity, toLowerHex } from '../base/hex.ts';
import { isObject } from '../base/isObject.ts';
import type { AccountOverride, Simulation, SimulationContext } from './traceTarget.ts';

const MAX_DATA_LENGTH = 400_000;
const MAX_ENTRIES = 100;

const isData = (value: unknown): value is Hex =>
  isHex(value) && value.length % 2 === 0 && value.length <= MAX_DATA_LENGTH;
const isQuantity = (value: unknown): value is Hex => parseQuantity(value) !== null;
const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** The properties that are there, if each is valid; `null` where one is not. */
function pick<T extends object>(
  value: Readonly<Record<string, unknown>>,
  guards: Readonly<Record<keyof T & string, (property: unknown) => boolean>>,
): Partial<T> | null {
  const picked: Record<string, unknown> = {};
  for (const [name, isValid] of Object.entries<(property: unknown) => boolean>(guards)) {
    const property = Object.hasOwn(value, name) ? value[name] : undefined;
    if (property === undefined) continue;
    if (!isValid(property)) return null;
    picked[name] = property;
  }
  return picked as Partial<T>; // each by its guard
}

function parseContext(value: unknown): SimulationContext | null {
  if (!isObject(value)) return null;
  const picked = pick<SimulationContext>(value, {
    parentHash: isHash,
    time: isNumber,
    gasLimit: isQuantity,
    feeRecipient: isAddress,
    prevRandao: isHash,
    baseFeePerGas: isQuantity,
  });
  const required = ['parentHash', 'time', 'gasLimit', 'feeRecipient', 'prevRandao'] as const;
  return picked !== null && required.every(name => picked[name] !== undefined) ? (picked as SimulationContext) : null;
}

const isStateDiff = (value: unknown): boolean =>
  isObject(value) &&
  Object.keys(value).length <= MAX_ENTRIES &&
  Object.entries(value).every(([slot, word]) => isHash(slot) && isHash(word));

function parseOverrides(value: unknown): Simulation['overrides'] | null {
  if (!isObject(value) || Object.keys(value).length > MAX_ENTRIES) return null;
  const overrides: Record<Hex, AccountOverride> = {};
  for (const [address, override] of Object.entries(value)) {
    if (!isAddress(address) || !isObject(override)) return null;
    const guards = { balance: isQuantity, nonce: isQuantity, code: isData, stateDiff: isStateDiff };
    const picked = pick<AccountOverride>(override, guards);
    if (picked === null) return null;
    overrides[toLowerHex(address)] = picked;
  }
  return overrides;
}

export function parseSimulationJson(value: unknown): Simulation | null {
  if (!isObject(value)) return null;
  const { from, to, data, context, overrides } = value;
  if (!isAddress(from) || (to !== null && !isAddress(to)) || !isData(data)) return null;
  const rest = pick<Pick<Simulation, 'value' | 'gas' | 'gasPrice' | 'block'>>(value, {
    value: isQuantity,
    gas: isQuantity,
    gasPrice: isQuantity,
    block: isNumber,
  });
  const parsedContext = context === undefined ? undefined : parseContext(context);
  const parsedOverrides = overrides === undefined ? undefined : parseOverrides(overrides);
  if (rest === null || parsedContext === null || parsedOverrides === null) return null;
  return {
    from: toLowerHex(from),
    to: to === null ? null : toLowerHex(to),
    data: toLowerHex(data),
    ...rest,
    ...(parsedContext !== undefined && { context: parsedContext }),
    ...(parsedOverrides !== undefined && { overrides: parsedOverrides }),
  };
}

const SELECTOR_DIGITS = 8;
const WORD_DIGITS = 64;

/**
 * Words of 32 bytes that a simulated call sends to the node: arguments, also those after the code of a creation, what code pushes,
 * and storage; then the data and codes, which may have others between their words.
 */
export function listWords({ data, overrides = {} }: Pick<Simulation, 'data' | 'overrides'>): readonly Hex[] {
  const digits = data.slice(2);
  const starts = new Set([SELECTOR_DIGITS, digits.length % WORD_DIGITS]);
  const words = [...starts].flatMap(start => digits.slice(start).match(/.{64}/g) ?? []);
  const stored = Object.values(overrides).flatMap(({ stateDiff = {}, ...fields }) => [
    ...Object.values(fields),
    ...Object.entries(stateDiff).flat(),
  ]);
  const codes = Object.values(overrides).flatMap(({ code }) => code ?? []);
  const pushed = [data, ...codes].flatMap(code => Array.from(code.matchAll(PUSH32), ([, word = '']) => word));
  return [...[...words, ...pushed].map((word): Hex => `0x${word}`), ...stored.filter(isHash), data, ...codes];
}
/** The operand of a `PUSH32`, which may be within that of another. */
const PUSH32 = /(?<=7f)(?=([\da-f]{64}))/gi;
