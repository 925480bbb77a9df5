// The state that a replay works on: read from its source at first use, written in layers that can be undone.

import type { AccountFields, StateManagerInterface } from '@ethereumjs/common';
import { Account, type Address } from '@ethereumjs/util';
import { keccak256 } from 'ox/Hash';
import { getOrInsert } from '../../../base/getOrInsert.ts';
import { bytesToBigInt, bytesToHex, type Hex } from '../../../base/hex.ts';
import type { AccountChange, AccountState, StoredWord } from '../../../decode/trace/trace.ts';
import type { StateSource } from './stateSource.ts';

const NO_BYTES = new Uint8Array(0);

type Slots = Map<string, Uint8Array>;

const copyAccount = (account: Account): Account =>
  new Account(account.nonce, account.balance, account.storageRoot, account.codeHash);

export class ReplayState implements StateManagerInterface {
  readonly #source: StateSource;
  /** As they are now; `null` for those that do not exist. */
  readonly #accounts = new Map<string, Account | null>();
  readonly #codes = new Map<string, Uint8Array>();
  /** As it was before the transaction, by address. */
  readonly #original = new Map<string, Slots>();
  /** What the transaction wrote. */
  readonly #written = new Map<string, Slots>();
  /** Created or deleted by the transaction. */
  readonly #cleared = new Map<string, boolean>();
  /** Created or deleted by an earlier transaction: what the source has at these addresses does not count. */
  readonly #sourceless = new Set<string>();
  /** Accounts that the transaction wrote, as they were before it. */
  readonly #before = new Map<string, AccountState | null>();
  /** Undoes the changes since the first checkpoint, newest last. */
  readonly #undo: (() => void)[] = [];
  /** Lengths of `#undo` at the open checkpoints. */
  readonly #checkpoints: number[] = [];

  /** Code that an address gets in place of the code that a creation returned for it; `null`: the code that it returned. */
  #replace: (address: string) => Uint8Array | null = () => null;

  constructor(source: StateSource) {
    this.#source = source;
  }

  replaceCodes(replace: (address: string) => Uint8Array | null): void {
    this.#replace = replace;
  }

  readonly originalStorageCache = {
    get: (address: Address, key: Uint8Array) => this.#getOriginal(address.toString(), key),
    clear: () => {},
  };

  /** The transaction is complete: what it wrote is the original value for the next one. */
  finishTransaction(): void {
    for (const address of this.#cleared.keys()) {
      this.#original.set(address, new Map());
      this.#sourceless.add(address);
    }
    this.#cleared.clear();
    for (const [address, slots] of this.#written) {
      const original = this.#getSlots(this.#original, address);
      for (const [slot, value] of slots) original.set(slot, value);
    }
    this.#written.clear();
    this.#before.clear();
    this.#undo.length = 0;
    this.#checkpoints.length = 0;
  }

  /** Accounts that are otherwise than before the transaction; storage does not count. */
  listAccountChanges(): readonly AccountChange[] {
    return [...this.#before].flatMap(([address, before]) => {
      const after = this.#getState(address);
      const isSame =
        (before?.balance ?? 0n) === (after?.balance ?? 0n) && (before?.nonce ?? 0n) === (after?.nonce ?? 0n);
      const hasSameCode = bytesToHex(before?.code ?? NO_BYTES) === bytesToHex(after?.code ?? NO_BYTES);
      return isSame && hasSameCode ? [] : [{ address: address as Hex, before, after }];
    });
  }

  /** What was read; of words that were written too, the value means nothing. */
  listReadWords(): readonly StoredWord[] {
    return [...this.#original].flatMap(([address, slots]) =>
      [...slots].map(([slot, value]) => ({ address: address as Hex, slot: BigInt(slot), value: bytesToBigInt(value) })),
    );
  }

  #getState(address: string): AccountState | null {
    const account = this.#accounts.get(address) ?? null;
    if (account === null) return null;
    return { balance: account.balance, nonce: account.nonce, code: this.getKnownCode(address) };
  }

  /** Never undone: what was there before stays what was there before. */
  async #remember(address: string): Promise<void> {
    if (this.#before.has(address)) return;
    await this.#load(address);
    this.#before.set(address, this.#getState(address));
  }

  async getAccount(address: Address): Promise<Account | undefined> {
    const account = await this.#load(address.toString());
    return account === null ? undefined : copyAccount(account);
  }

  async putAccount(address: Address, account?: Account): Promise<void> {
    await this.#remember(address.toString());
    this.#set(this.#accounts, address.toString(), account === undefined ? null : copyAccount(account));
  }

  async deleteAccount(address: Address): Promise<void> {
    const key = address.toString();
    await this.#remember(key);
    this.#set(this.#accounts, key, null);
    this.#set(this.#codes, key, NO_BYTES);
    await this.clearStorage(address);
  }

  async modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    const account = (await this.getAccount(address)) ?? new Account();
    account.nonce = fields.nonce ?? account.nonce;
    account.balance = fields.balance ?? account.balance;
    account.storageRoot = fields.storageRoot ?? account.storageRoot;
    account.codeHash = fields.codeHash ?? account.codeHash;
    await this.putAccount(address, account);
  }

  async putCode(address: Address, put: Uint8Array): Promise<void> {
    const code = this.#replace(address.toString()) ?? put;
    await this.#remember(address.toString());
    this.#set(this.#codes, address.toString(), code);
    await this.modifyAccountFields(address, { codeHash: keccak256(code, { as: 'Bytes' }) });
  }

  async getCode(address: Address): Promise<Uint8Array> {
    const key = address.toString();
    if (!this.#codes.has(key)) await this.#load(key);
    return this.#codes.get(key) ?? NO_BYTES;
  }

  /** The code of an account that was read or written before. */
  getKnownCode(address: string): Uint8Array {
    return this.#codes.get(address) ?? NO_BYTES;
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length;
  }

  getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    return this.getStorageAt(address.toString(), key);
  }

  /** The same, by the address as text in lower case. */
  getStorageAt(address: string, key: Uint8Array): Promise<Uint8Array> {
    const written = this.#written.get(address)?.get(bytesToHex(key));
    return written === undefined ? this.#getOriginal(address, key) : Promise.resolve(written);
  }

  async putStorage(address: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    this.#set(this.#getSlots(this.#written, address.toString()), bytesToHex(key), value);
  }

  async clearStorage(address: Address): Promise<void> {
    this.#set(this.#cleared, address.toString(), true);
    this.#set(this.#written, address.toString(), new Map());
  }

  async checkpoint(): Promise<void> {
    this.#checkpoints.push(this.#undo.length);
  }

  async commit(): Promise<void> {
    this.#checkpoints.pop();
  }

  async revert(): Promise<void> {
    const length = this.#checkpoints.pop() ?? 0;
    while (this.#undo.length > length) this.#undo.pop()?.();
  }

  clearCaches(): void {}

  getStateRoot(): Promise<Uint8Array> {
    return Promise.reject(new Error('A replay has no state root.'));
  }

  setStateRoot(): Promise<void> {
    return this.getStateRoot().then(() => {});
  }

  hasStateRoot(): Promise<boolean> {
    return Promise.resolve(false);
  }

  shallowCopy(): StateManagerInterface {
    throw new Error('The state of a replay is not copied.');
  }

  #set<K, V>(map: Map<K, V>, key: K, value: V): void {
    const had = map.has(key);
    const before = map.get(key);
    this.#undo.push(() => {
      if (had) map.set(key, before as V);
      else map.delete(key);
    });
    map.set(key, value);
  }

  #getSlots(map: Map<string, Slots>, address: string): Slots {
    return getOrInsert(map, address, () => new Map());
  }

  async #load(address: string): Promise<Account | null> {
    const known = this.#accounts.get(address);
    if (known !== undefined) return known;
    const loaded = await this.#source.fetchAccount(address as Hex);
    const code = loaded?.code ?? NO_BYTES;
    const account =
      loaded === null
        ? null
        : new Account(
            loaded.nonce,
            loaded.balance,
            undefined,
            code.length > 0 ? keccak256(code, { as: 'Bytes' }) : undefined,
          );
    // Not undone with a call that fails: it is only what was there before.
    this.#accounts.set(address, account);
    if (!this.#codes.has(address)) this.#codes.set(address, code);
    return account;
  }

  async #getOriginal(address: string, key: Uint8Array): Promise<Uint8Array> {
    if (this.#cleared.has(address)) return NO_BYTES;
    const slots = this.#getSlots(this.#original, address);
    const slot = bytesToHex(key);
    const known = slots.get(slot);
    if (known !== undefined) return known;
    if (this.#sourceless.has(address)) return NO_BYTES;
    const value = await this.#source.fetchStorage(address as Hex, slot);
    slots.set(slot, value);
    return value;
  }
}
