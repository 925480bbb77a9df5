// What a traced transaction changed: balances, nonces, code, and storage by variable with the line that wrote it.

import type { ContractDeclarations, SolidityType, StorageVariable } from '../../api/contractDeclarations.ts';
import {
  type AccountChanges,
  MAX_STORAGE_CHANGES,
  type StateChanges,
  type StorageChange,
  type UnnamedReason,
  type ValueChange,
  type VariableChange,
} from '../../api/stateChanges.ts';
import { getOrInsert } from '../../base/getOrInsert.ts';
import type { Hex } from '../../base/hex.ts';
import { bytesToHex } from '../../base/hex.ts';
import type { TaskPacer } from '../../base/taskPacer.ts';
import type { AccountChange, StorageWrite, Trace, TraceFrame } from '../trace/trace.ts';
import type { ContractProgram } from './contractProgram.ts';
import { SlotNames } from './slotNames.ts';
import { hashBytes } from './storageValues.ts';
import type { FindProgram } from './traceStack.ts';
import { listVariableChanges, toWordChange, type WordChange } from './variableChanges.ts';
import { WriteLocations } from './writeLocations.ts';

/** A word that the transaction changed in all, with its last write and those before it. */
interface NetWrite extends WordChange {
  readonly address: Hex;
  readonly write: StorageWrite;
  readonly earlier: readonly StorageWrite[];
}

interface Layout {
  /** `null`: slots that a standard names. */
  readonly contract: string | null;
  readonly types: readonly SolidityType[];
  readonly names: SlotNames;
}

/** Words of calldata and logs that are tried as keys of mappings. */
const MAX_KEY_WORDS = 256;
/** Small numbers are often keys. */
const SMALL_KEYS = 16n;
const ADDRESS: SolidityType = { kind: 'address', text: 'address', bytes: 20, slots: 1n };
/** The type of slots that are only named by a constant. */
export const WORD: SolidityType = { kind: 'fixedBytes', text: 'bytes32', bytes: 32, slots: 1n };

const toBytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** ERC-1967, of the only type in `STANDARD_TYPES`. */
export const STANDARD_TYPES: readonly SolidityType[] = [ADDRESS];
export const STANDARD_SLOTS: readonly StorageVariable[] = ['implementation', 'beacon', 'admin'].map(role => {
  const name = `eip1967.proxy.${role}`;
  return { name, contract: '', type: 0, slot: hashBytes(toBytes(name)) - 1n, offset: 0 };
});

const toSlotNames = (types: readonly SolidityType[], variables: readonly StorageVariable[]): SlotNames =>
  new SlotNames({ types }, variables);

const toPathText = ({ path }: VariableChange): string =>
  JSON.stringify(path, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

/** The last write that changed the variable: several are packed into a slot, and each is written with all of it. */
function findOrigin(
  types: readonly SolidityType[],
  names: SlotNames,
  change: VariableChange,
  { write, earlier }: NetWrite,
): StorageWrite {
  if (earlier.length === 0 || change.slots.length > 1) return write;
  const path = toPathText(change);
  const hasChanged = (each: StorageWrite) =>
    [...listVariableChanges(types, names, [each])].some(part => toPathText(part) === path);
  return [...earlier, write].findLast(hasChanged) ?? write;
}

export class StateChangeList {
  readonly #trace: Trace;
  readonly #findProgram: FindProgram;
  /** By account and contract. */
  readonly #layouts = new Map<string, Layout>();
  readonly #standard: Layout = {
    contract: null,
    types: STANDARD_TYPES,
    names: toSlotNames(STANDARD_TYPES, STANDARD_SLOTS),
  };
  readonly #withoutLayout = new Set<string>();
  /** What the transaction read, by account and slot. */
  readonly #readWords: ReadonlyMap<Hex, ReadonlyMap<bigint, bigint>>;
  #keys: readonly bigint[] | null = null;
  /** `null` until an account is named after its code. */
  #framesByAddress: ReadonlyMap<Hex, readonly TraceFrame[]> | null = null;
  readonly #locations: WriteLocations;
  readonly #pacer: TaskPacer;

  constructor(trace: Trace, findProgram: FindProgram, pacer: TaskPacer) {
    this.#trace = trace;
    this.#findProgram = findProgram;
    this.#pacer = pacer;
    this.#locations = new WriteLocations(trace, findProgram);
    this.#readWords = new Map(
      [...Map.groupBy(trace.readWords ?? [], ({ address }) => address)].map(([address, words]) => [
        address,
        new Map(words.map(({ slot, value }) => [slot, value])),
      ]),
    );
  }

  async list(): Promise<StateChanges> {
    const undone = this.#listUndone();
    const deleted = this.#listDeleted(undone);
    const writes = (await this.#listNetWrites(undone)).filter(({ address }) => !deleted.has(address));
    const named = writes.slice(0, MAX_STORAGE_CHANGES);
    const byAddress = Map.groupBy(named, ({ address }) => address);
    const states = new Map(this.#accounts.map(each => [each.address, each]));
    const isChanged = ({ oldValue, newValue }: WordChange) => oldValue !== newValue;
    const addresses = new Set([...states.keys(), ...named.filter(isChanged).map(({ address }) => address)]);
    const isContract = (address: Hex) => byAddress.has(address) || hasCode(states.get(address));
    // Contracts first: what accounts paid is seldom what the reader looks for.
    const ordered = [...addresses].sort((a, b) => Number(isContract(b)) - Number(isContract(a)));
    const accounts: AccountChanges[] = [];
    for (const address of ordered)
      accounts.push(await this.#toAccount(address, states.get(address), byAddress.get(address) ?? []));
    return {
      kind: 'stateChanges',
      accounts,
      omitted: writes.slice(MAX_STORAGE_CHANGES).filter(isChanged).length,
      withoutLayout: [...this.#withoutLayout],
    };
  }

  get #accounts(): readonly AccountChange[] {
    return this.#trace.accounts ?? [];
  }

  /** Whether the effects of a frame do not last, by its index. */
  #listUndone(): readonly boolean[] {
    const undone: boolean[] = [];
    for (const { index, parent, status } of this.#trace.frames)
      undone[index] = status !== 'success' || (undone[parent] ?? false);
    return undone;
  }

  /** Accounts that do not exist after the transaction, those too that it created and deleted: their storage is gone. */
  #listDeleted(undone: readonly boolean[]): ReadonlySet<Hex> {
    const { frames, selfDestructs } = this.#trace;
    const states = new Map(this.#accounts.map(each => [each.address, each]));
    const isLasting = (frame: number) => undone[frame] === false;
    const created = new Set(
      frames.filter(({ isCreation, index }) => isCreation && isLasting(index)).map(({ address }) => address),
    );
    const destroyed = selfDestructs.filter(({ frame, address }) => isLasting(frame) && created.has(address));
    return new Set([
      ...destroyed.flatMap(({ address }) => (states.has(address) ? [] : [address])),
      ...this.#accounts.flatMap(({ address, after }) => (after === null ? [address] : [])),
    ]);
  }

  /** First old and last new value of each slot, without what was undone; also where both are the same. */
  async #listNetWrites(undone: readonly boolean[]): Promise<readonly NetWrite[]> {
    const { writes } = this.#trace;
    const net = new Map<string, NetWrite & { earlier: StorageWrite[] }>();
    for (const write of writes) {
      await this.#pacer.pause();
      if (write.isTransient || undone[write.frame] === true) continue;
      const { address, slot, newValue } = write;
      const key = `${address} ${slot}`;
      const before = net.get(key);
      const earlier = before?.earlier ?? [];
      if (before !== undefined) earlier.push(before.write);
      net.set(key, { address, slot, oldValue: before?.oldValue ?? write.oldValue, newValue, write, earlier });
    }
    return [...net.values()];
  }

  async #toAccount(
    address: Hex,
    state: AccountChange | undefined,
    writes: readonly NetWrite[],
  ): Promise<AccountChanges> {
    const { before = null, after = null } = state ?? {};
    const storage = await this.#listStorage(address, writes);
    const change = <T>(from: T, to: T): ValueChange<T> | null => (from === to ? null : { before: from, after: to });
    const sizes = [before, after].map(each => each?.code.length ?? 0) as [number, number];
    const hasSameCode =
      state === undefined || bytesToHex(before?.code ?? NO_CODE) === bytesToHex(after?.code ?? NO_CODE);
    return {
      address,
      contract: storage.contract ?? (state === undefined || hasCode(state) ? this.#findContract(address) : null),
      balance: change(before?.balance ?? 0n, after?.balance ?? 0n),
      nonce: change(before?.nonce ?? 0n, after?.nonce ?? 0n),
      codeSize: hasSameCode ? null : { before: sizes[0], after: sizes[1] },
      storage: storage.changes,
    };
  }

  /** The contract whose variables the account has behind a proxy, else that of its own code; `null` without a build. */
  #findContract(address: Hex): string | null {
    this.#framesByAddress ??= Map.groupBy(this.#trace.frames, each => each.address);
    const frames = this.#framesByAddress.get(address) ?? [];
    // A library that it delegates to declares no variables, and says nothing of the contract.
    const declaring = frames.find(frame => (this.#findProgram(frame)?.declarations?.storage.length ?? 0) > 0);
    const named = declaring ?? frames.find(({ codeAddress }) => codeAddress === address);
    return named === undefined ? null : (this.#findProgram(named)?.name ?? null);
  }

  async #listStorage(
    address: Hex,
    writes: readonly NetWrite[],
  ): Promise<{ readonly changes: readonly StorageChange[]; readonly contract: string | null }> {
    const bySlot = new Map(writes.map(each => [each.slot, each]));
    const read = this.#readWords.get(address);
    const groups = new Map<Layout, NetWrite[]>();
    const changes: StorageChange[] = [];
    for (const each of writes) {
      await this.#pacer.pause();
      const found = this.#findLayout(address, each);
      if (typeof found === 'string') {
        if (each.oldValue !== each.newValue) changes.push(this.#toChange(toWordChange(each), each.write, found));
        continue;
      }
      getOrInsert(groups, found, () => []).push(each);
    }
    for (const [{ types, names }, group] of groups) {
      const named: VariableChange[] = [];
      for (const change of listVariableChanges(types, names, group, slot => read?.get(slot))) {
        await this.#pacer.pause();
        named.push(change);
      }
      for (const change of named) {
        await this.#pacer.pause();
        // Of a string it is the word that was written last.
        const [origin] = change.slots
          .flatMap(slot => bySlot.get(slot) ?? [])
          .sort((a, b) => b.write.step - a.write.step);
        if (origin === undefined) continue;
        const write = findOrigin(types, names, change, origin);
        changes.push(this.#toChange(change, write, change.path.length === 0 ? 'unknownSlot' : null));
      }
    }
    const [named] = [...groups.keys()].flatMap(({ contract }) => contract ?? []);
    return { changes: changes.sort((a, b) => a.step - b.step), contract: named ?? null };
  }

  #toChange(change: VariableChange, write: StorageWrite, unnamed: UnnamedReason | null): StorageChange {
    return { ...change, ...this.#locations.find(write, change), step: write.step, unnamed };
  }

  /**
   * The layout that names a slot: that of the code which wrote it, as with a proxy's implementation, else that of a caller
   * which works on the same account, as with a library that gets references.
   */
  #findLayout(address: Hex, { slot, write }: NetWrite): Layout | UnnamedReason {
    const { frames } = this.#trace;
    let reason: UnnamedReason = 'noBuild';
    for (
      let frame = frames[write.frame];
      frame !== undefined && frame.address === address;
      frame = frames[frame.parent]
    ) {
      const program = this.#findProgram(frame);
      if (program === null) continue;
      const layout = this.#getLayout(address, program);
      if (layout === null) {
        if (reason === 'noBuild') reason = 'noLayout';
        this.#withoutLayout.add(program.name);
        continue;
      }
      if (layout.names.find(slot).length > 0) return layout;
      reason = 'unknownSlot';
    }
    return this.#standard.names.find(slot).length > 0 ? this.#standard : reason;
  }

  #getLayout(address: Hex, { declarations, path, name }: ContractProgram): Layout | null {
    if (declarations === null) return null;
    const key = `${address} ${path} ${name}`;
    const known = this.#layouts.get(key);
    if (known !== undefined) return known;
    const types = [...declarations.types, WORD];
    const names = toSlotNames(types, [...declarations.storage, ...listConstantSlots(declarations)]);
    names.addPreimages(this.#trace.preimages);
    names.addKeys(this.#listKeys());
    names.addKeys(declarations.constants.flatMap(({ value }) => (typeof value === 'bigint' ? [value] : [])));
    const layout = { contract: name, types, names };
    this.#layouts.set(key, layout);
    return layout;
  }

  /** Words that may be keys of mappings whose hash is not in the trace. */
  #listKeys(): readonly bigint[] {
    if (this.#keys !== null) return this.#keys;
    const { frames, logs } = this.#trace;
    const keys = new Set<bigint>();
    for (let key = 0n; key < SMALL_KEYS; key++) keys.add(key);
    const addWords = (bytes: Uint8Array, from: number) => {
      for (let at = from; at + 32 <= bytes.length && keys.size < MAX_KEY_WORDS; at += 32)
        keys.add(BigInt(bytesToHex(bytes.subarray(at, at + 32))));
    };
    for (const { caller, address, input } of frames.slice(0, MAX_KEY_WORDS)) {
      for (const each of [caller, address]) if (each !== '0x') keys.add(BigInt(each));
      addWords(input, 4);
    }
    for (const { topics, data } of logs.slice(0, MAX_KEY_WORDS)) {
      for (const topic of topics.slice(1)) keys.add(BigInt(topic));
      addWords(data, 0);
    }
    this.#keys = [...keys];
    return this.#keys;
  }
}

/** Also one that was created or deleted; not an account that delegates (EIP-7702). */
const hasCode = (state: AccountChange | undefined): boolean =>
  [state?.before, state?.after].some(each => each != null && each.code.length > 0 && each.code[0] !== 0xef);

const NO_CODE = new Uint8Array(0);
/** Smaller numbers are no hashes. */
const MIN_SLOT_CONSTANT = 1n << 128n;

/** Slots that the source names by a constant: the word is all that is known of what they hold. */
export function listConstantSlots({ constants, storage, types }: ContractDeclarations): readonly StorageVariable[] {
  const known = new Set([...STANDARD_SLOTS, ...storage].map(({ slot }) => slot));
  return constants.flatMap(({ name, contract, type, value }) => {
    const isSlot = typeof value === 'bigint' && value >= MIN_SLOT_CONSTANT && types[type]?.bytes === 32;
    if (!isSlot || known.has(value)) return [];
    known.add(value);
    return [{ name, contract: contract ?? '', type: types.length, slot: value, offset: 0 }];
  });
}
