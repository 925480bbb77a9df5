// The state of a source, with what a simulation puts in its place.
import type { AccountOverride } from '../../api/traceTarget.ts';
import { type Hex, hexToBytes, toLowerHex } from '../../base/hex.ts';
import type { SourceAccount, StateSource } from './replay/stateSource.ts';
import { trimZeros } from './stateSources.ts';

export class OverriddenSource implements StateSource {
  readonly fetchBlockHash: StateSource['fetchBlockHash'];
  readonly #source: StateSource;
  /** By address in lower case. */
  readonly #accounts: ReadonlyMap<string, AccountOverride>;
  /** By address and slot in lower case. */
  readonly #slots: ReadonlyMap<string, Hex>;

  constructor(source: StateSource, overrides: Readonly<Record<Hex, AccountOverride>>) {
    this.#source = source;
    this.fetchBlockHash = number => source.fetchBlockHash(number);
    const entries = Object.entries(overrides);
    this.#accounts = new Map(entries.map(([address, override]) => [address.toLowerCase(), override]));
    this.#slots = new Map(
      entries.flatMap(([address, { stateDiff = {} }]) =>
        Object.entries(stateDiff).map(([slot, value]) => [`${address} ${slot}`.toLowerCase(), value] as const),
      ),
    );
  }

  async fetchAccount(address: Hex): Promise<SourceAccount | null> {
    const account = await this.#source.fetchAccount(address);
    const override = this.#accounts.get(address);
    if (override === undefined) return account;
    const { balance, nonce, code } = override;
    return {
      balance: balance === undefined ? (account?.balance ?? 0n) : BigInt(balance),
      nonce: nonce === undefined ? (account?.nonce ?? 0n) : BigInt(nonce),
      code: code === undefined ? (account?.code ?? new Uint8Array(0)) : hexToBytes(toLowerHex(code)),
    };
  }

  async fetchStorage(address: Hex, slot: Hex): Promise<Uint8Array> {
    const value = this.#slots.get(`${address} ${slot}`);
    return value === undefined ? this.#source.fetchStorage(address, slot) : trimZeros(hexToBytes(value));
  }
}
