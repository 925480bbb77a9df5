// A simulated call as people write it: function and arguments or data, amounts with units, blocks and overrides as text.
import type { SendLookup } from '../api/lookups.ts';
import type { AccountOverride, Simulation } from '../api/traceTarget.ts';
import { createBadInputFault, HexLensError } from '../base/errors.ts';
import { type Hex, isAddress, isHash, isHex, toLowerHex, toQuantity, toWordHex } from '../base/hex.ts';
import { type LocalizableText, localizable } from '../base/localize.ts';
import type { AbiItem } from './abiItem.ts';
import { encodeCall } from './encodeCall.ts';
import { parseFunctionDeclaration } from './functionDeclaration.ts';

export interface SimulationTexts {
  readonly from?: string | undefined;
  /** Empty: `data` creates a contract. */
  readonly to?: string | undefined;
  /** `transfer(address,uint256)`, with `args`; in place of `data`. */
  readonly function?: string | undefined;
  /** One per parameter, as text or JSON. */
  readonly args?: readonly unknown[] | undefined;
  readonly data?: string | undefined;
  readonly value?: string | undefined;
  readonly gas?: string | undefined;
  readonly gasPrice?: string | undefined;
  /** A number, or `latest`. */
  readonly block?: string | undefined;
  /** `0xADDRESS.balance=1ether`, `.nonce=5`, `.code=0x…`, `.0xSLOT=0x…`. */
  readonly overrides?: readonly string[] | undefined;
}

const UNIT_DECIMALS: Readonly<Record<string, number>> = { '': 0, wei: 0, gwei: 9, ether: 18, eth: 18 };
const MAX_AMOUNT = 2n ** 256n - 1n;

/** An amount in wei: `1000`, `0x3e8`, `1.5 ether`, `3gwei`; `null` when it is none. */
export function parseWei(text: string): bigint | null {
  const trimmed = text.trim().replaceAll('_', '').toLowerCase();
  if (/^0x[0-9a-f]{1,64}$/.test(trimmed)) return BigInt(trimmed);
  const [, whole = '', fraction = '', unit = ''] = /^(\d{1,78})(?:\.(\d{1,18}))?\s*([a-z]*)$/.exec(trimmed) ?? [];
  const decimals = Object.hasOwn(UNIT_DECIMALS, unit) ? UNIT_DECIMALS[unit] : undefined;
  if (whole === '' || decimals === undefined || fraction.length > decimals) return null;
  const amount = BigInt(whole + fraction.padEnd(decimals, '0'));
  return amount <= MAX_AMOUNT ? amount : null;
}

/** Collects what is wrong with each field. */
class SimulationParser {
  readonly #texts: SimulationTexts;
  readonly #issues: { readonly field: string; readonly message: LocalizableText }[] = [];

  constructor(texts: SimulationTexts) {
    this.#texts = texts;
  }

  parse(base: Simulation | null): Simulation {
    const { function: declaration, data, overrides = [] } = this.#texts;
    const from = this.#readAddress('from') ?? base?.from;
    if (from === undefined) this.#addIssue('from', localizable('from is required: the address that calls'));
    const to = this.#texts.to === '' ? null : (this.#readAddress('to') ?? base?.to);
    if (to === undefined) this.#addIssue('to', localizable('to is required: the contract that is called'));
    if (declaration !== undefined && data !== undefined)
      this.#addIssue('data', localizable('data cannot be given together with a function'));
    if (declaration === undefined && (this.#texts.args ?? []).length > 0)
      this.#addIssue('args', localizable('args cannot be given without a function'));
    const input = declaration === undefined ? (this.#readData() ?? base?.data ?? '0x') : this.#encode(declaration);
    const [value, gas, gasPrice] = [this.#readAmount('value'), this.#readAmount('gas'), this.#readAmount('gasPrice')];
    const block = this.#readBlock() ?? base?.block;
    const parsed = this.#readOverrides(overrides);
    if (this.#issues.length > 0) throw createBadInputFault(this.#issues);
    const { value: ofBase, gas: gasOfBase, gasPrice: priceOfBase } = base ?? {};
    const amounts = { value: value ?? ofBase, gas: gas ?? gasOfBase, gasPrice: gasPrice ?? priceOfBase };
    return {
      from: from as Hex,
      to: to as Hex | null,
      data: input,
      ...Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== undefined)),
      ...(block !== undefined && { block }),
      ...(parsed !== undefined && { overrides: parsed }),
    };
  }

  #addIssue(field: string, message: LocalizableText): void {
    this.#issues.push({ field, message });
  }

  #readAddress(field: 'from' | 'to'): Hex | undefined {
    const text = this.#texts[field]?.trim();
    if (text === undefined) return undefined;
    if (isAddress(text)) return toLowerHex(text);
    this.#addIssue(field, localizable('{0} must be an address: 0x and 40 hex digits', field));
    return `0x${'0'.repeat(40)}`;
  }

  #readData(): Hex | undefined {
    const data = this.#texts.data?.trim();
    if (data === undefined) return undefined;
    if (isHex(data) && data.length % 2 === 0) return toLowerHex(data);
    this.#addIssue('data', localizable('{0} must be bytes as 0x hex, two digits each', 'data'));
    return undefined;
  }

  #encode(declaration: string): Hex {
    const item = parseFunctionDeclaration(declaration, '');
    if (item !== null) return encodeCall(item, this.#texts.args ?? []);
    const example = 'transfer(address,uint256)';
    this.#addIssue('function', localizable('function must be a declaration with types, such as {0}', example));
    return '0x';
  }

  #readAmount(field: 'value' | 'gas' | 'gasPrice'): Hex | undefined {
    const text = this.#texts[field];
    if (text === undefined || text.trim() === '') return undefined;
    const amount = parseWei(text);
    if (amount !== null) return toQuantity(amount);
    this.#addIssue(field, localizable('{0} must be an amount such as 1000, 0x3e8, 3 gwei or 1.5 ether', field));
    return undefined;
  }

  #readBlock(): number | undefined {
    const text = this.#texts.block?.trim() ?? '';
    if (text === '' || text === 'latest') return undefined;
    const block = Number(text.replaceAll('_', ''));
    if (Number.isSafeInteger(block) && block >= 0) return block;
    this.#addIssue('block', localizable('block must be a number, or latest'));
    return undefined;
  }

  #readOverrides(texts: readonly string[]): Simulation['overrides'] {
    const overrides: Record<string, Omit<AccountOverride, 'stateDiff'> & { stateDiff?: Record<Hex, Hex> }> = {};
    for (const text of texts) {
      const [address = '', name = '', value = ''] =
        /^([^.=]*)\.([^=]*)=(.*)$/s
          .exec(text)
          ?.slice(1)
          .map(part => part.trim()) ?? [];
      const change = isAddress(address) ? parseOverride(name, value) : null;
      if (change === null) {
        const forms = '0xADDRESS.balance=1ether, .nonce=5, .code=0x…, .0xSLOT=0x…';
        this.#addIssue('override', localizable('"{0}" is no override: write {1}', text.slice(0, 120), forms));
        continue;
      }
      const before = overrides[address.toLowerCase()];
      const stateDiff = { ...before?.stateDiff, ...change.stateDiff };
      overrides[address.toLowerCase()] = {
        ...before,
        ...change,
        ...(Object.keys(stateDiff).length > 0 && { stateDiff }),
      };
    }
    return texts.length === 0 ? undefined : overrides;
  }
}

function parseOverride(name: string, value: string): AccountOverride | null {
  if (name === 'code') return isHex(value) && value.length % 2 === 0 ? { code: toLowerHex(value) } : null;
  const number = parseWei(value);
  if (number === null) return null;
  if (name === 'balance') return { balance: toQuantity(number) };
  if (name === 'nonce') return { nonce: toQuantity(number) };
  const isSlot = isHash(name) || /^(?:0x[0-9a-fA-F]{1,63}|\d{1,70})$/.test(name);
  return isSlot ? { stateDiff: { [toWordHex(BigInt(name))]: toWordHex(number) } } : null;
}

/**
 * @param base What the texts change, such as a transaction of the chain; `null` where they are all.
 * @throws `bad-input` that names every wrong field.
 */
export const parseSimulation = (texts: SimulationTexts, base: Simulation | null): Simulation =>
  new SimulationParser(texts).parse(base);

/** The call that a transaction of the chain made, on the state before its block. Fields as the node gives them. */
export function toSimulation(transaction: Readonly<Record<string, unknown>>): Simulation | null {
  const { from, to, input, data = input, value, gas, blockNumber } = transaction;
  if (!isAddress(from) || (to !== null && to !== undefined && !isAddress(to)) || !isHex(data)) return null;
  const block = isHex(blockNumber) ? Number(blockNumber) - 1 : undefined;
  return {
    from: toLowerHex(from),
    to: isAddress(to) ? toLowerHex(to) : null,
    data: toLowerHex(data),
    ...(isHex(value) && value !== '0x0' && { value }),
    ...(isHex(gas) && { gas }),
    ...(block !== undefined && block >= 0 && { block }),
  };
}

/** The same of a transaction by its hash. Rejects with `not-found` where the node does not know it. */
export async function fetchSimulation(
  lookup: SendLookup,
  chain: string,
  hash: Hex,
  signal: AbortSignal,
): Promise<Simulation> {
  const { transaction } = await lookup('nodeTransaction', { chain, hash }, signal);
  const simulation = transaction === null ? null : toSimulation(transaction);
  if (simulation === null) throw new HexLensError('not-found', localizable('Transaction not found on {0}', chain));
  return simulation;
}

/** The function that a call named, with what it returns where the text says it. */
export const parseCalledFunction = (declaration: string | undefined): AbiItem | null =>
  declaration === undefined ? null : parseFunctionDeclaration(declaration, '');
