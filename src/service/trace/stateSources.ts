// The state before a transaction, from `prestateTracer` or from the plain methods of a node.
import {
  bytesToHex,
  type Hex,
  hexToBytes,
  isAddress,
  isHash,
  isHex,
  parseQuantity,
  toLowerHex,
  toQuantity,
} from '../../base/hex.ts';
import { isObject } from '../../base/isObject.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import type { WireObject } from '../evm/responseFields.ts';
import type { RpcCall } from '../evm/rpcMessage.ts';
import type { ReplayBlock, ReplayTransaction } from './replay/replayTypes.ts';
import type { SourceAccount, StateSource } from './replay/stateSource.ts';

const NO_BYTES = new Uint8Array(0);

const toEvenBytes = (hex: Hex): Uint8Array => hexToBytes(hex.length % 2 === 0 ? hex : `0x0${hex.slice(2)}`);
export function trimZeros(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < bytes.length && bytes[start] === 0) start++;
  return bytes.subarray(start);
}
const isEmpty = ({ nonce, balance, code }: SourceAccount): boolean =>
  nonce === 0n && balance === 0n && code.length === 0;
const parseCount = (value: unknown): bigint =>
  typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : (parseQuantity(value) ?? 0n);

const parseAccount = (balance: unknown, nonce: unknown, code: unknown): SourceAccount => ({
  balance: parseCount(balance),
  nonce: parseCount(nonce),
  code: isHex(code) ? toEvenBytes(code) : NO_BYTES,
});

/** Hashes of earlier blocks, which the instruction BLOCKHASH reads. */
const createBlockHashReader =
  (node: EvmNode, block: ReplayBlock, signal: AbortSignal | undefined): StateSource['fetchBlockHash'] =>
  async number => {
    if (BigInt(number) === block.number - 1n) return hexToBytes(block.parentHash);
    const { result } = await node.rpc.send('eth_getBlockByNumber', [toQuantity(number), false], signal);
    const hash = isObject(result) ? result['hash'] : null;
    if (!isHash(hash)) throw node.rpc.invalidResponse('eth_getBlockByNumber', 'it has no hash');
    return hexToBytes(hash);
  };

/** The accounts and slots that `prestateTracer` lists; all others are empty. `null` when it is no such result. */
export function createPrestateSource(
  node: EvmNode,
  block: ReplayBlock,
  result: unknown,
  signal: AbortSignal | undefined,
): StateSource | null {
  if (!isObject(result)) return null;
  const accounts = new Map<string, { readonly account: SourceAccount; readonly storage: ReadonlyMap<string, Hex> }>();
  for (const [address, wire] of Object.entries(result)) {
    if (!isAddress(address) || !isObject(wire)) return null;
    const { balance, nonce, code, storage } = wire;
    const slots = Object.entries(isObject(storage) ? storage : {}).flatMap(([slot, value]) =>
      isHash(slot) && isHex(value) ? [[toLowerHex(slot), value] as const] : [],
    );
    accounts.set(toLowerHex(address), {
      account: parseAccount(balance, nonce, code),
      storage: new Map(slots),
    });
  }
  if (accounts.size === 0) return null; // some nodes answer `{}` for a tracer that they do not have
  return {
    isPartial: true,
    isListed(address, slot) {
      const listed = accounts.get(address);
      return listed !== undefined && (slot === null || listed.storage.has(slot));
    },
    async fetchAccount(address) {
      const account = accounts.get(address)?.account;
      return account === undefined || isEmpty(account) ? null : account;
    },
    fetchStorage: async (address, slot) => trimZeros(toEvenBytes(accounts.get(address)?.storage.get(slot) ?? '0x')),
    fetchBlockHash: createBlockHashReader(node, block, signal),
  };
}

/** The state of the block before, read account by account and slot by slot as the replay needs them. */
export class ParentStateSource implements StateSource {
  readonly fetchBlockHash: StateSource['fetchBlockHash'];
  readonly #node: EvmNode;
  readonly #block: Hex;
  readonly #signal: AbortSignal | undefined;
  readonly #accounts = new Map<string, Promise<SourceAccount | null>>();
  readonly #slots = new Map<string, Promise<Uint8Array>>();

  constructor(node: EvmNode, block: ReplayBlock, signal: AbortSignal | undefined) {
    this.#node = node;
    this.#block = toQuantity(block.number - 1n);
    this.#signal = signal;
    this.fetchBlockHash = createBlockHashReader(node, block, signal);
  }

  fetchAccount(address: Hex): Promise<SourceAccount | null> {
    const found = this.#accounts.get(address) ?? this.#requestAccount(address);
    this.#accounts.set(address, found);
    return found;
  }

  fetchStorage(address: Hex, slot: Hex): Promise<Uint8Array> {
    const key = `${address} ${slot}`;
    const found = this.#slots.get(key) ?? this.#requestSlot(address, slot);
    this.#slots.set(key, found);
    return found;
  }

  /** Requests at once what the transaction probably needs: a round trip for each would take long on a remote node. */
  async prefetch({ from, to, gasLimit, value, input, accessList }: ReplayTransaction): Promise<void> {
    const data = bytesToHex(input);
    const method = 'eth_createAccessList';
    const call = { from, gas: toQuantity(gasLimit), value: toQuantity(value), data, ...(to !== null && { to }) };
    const known: { address: Hex; slots: readonly Hex[] }[] = [...accessList, { address: from, slots: [] }];
    if (to !== null) known.push({ address: to, slots: [] });
    if (input.length > 0 && this.#node.rpc.isAvailable(method)) {
      const { result } = await this.#node.rpc.send(method, [call, this.#block], this.#signal);
      const list = isObject(result) ? result['accessList'] : null;
      for (const entry of Array.isArray(list) ? list.filter(isObject) : [])
        if (isAddress(entry['address'])) known.push(toAccess(entry, entry['address']));
    }
    const requests = known.flatMap(({ address, slots }) => [
      this.fetchAccount(address),
      ...slots.map(slot => this.fetchStorage(address, slot)),
    ]);
    // A fault is that of the request, which the replay makes again.
    await Promise.allSettled(requests);
  }

  async #requestAccount(address: Hex): Promise<SourceAccount | null> {
    const methods = ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'];
    const calls: readonly RpcCall[] = methods.map(method => ({ method, params: [address, this.#block] }));
    const responses = await this.#node.rpc.sendAll(calls, this.#signal);
    const [balance, nonce, code] = methods.map((method, index) => this.#node.getResult(method, responses[index]));
    const account = parseAccount(balance, nonce, code);
    return isEmpty(account) ? null : account;
  }

  async #requestSlot(address: Hex, slot: Hex): Promise<Uint8Array> {
    const method = 'eth_getStorageAt';
    const value = await this.#node.rpc.request(method, [address, slot, this.#block], this.#signal);
    if (!isHex(value)) throw this.#node.rpc.invalidResponse(method, 'it is not hex data');
    return trimZeros(toEvenBytes(value));
  }
}

const toAccess = (wire: WireObject, address: Hex) => ({
  address: toLowerHex(address),
  slots: (Array.isArray(wire['storageKeys']) ? wire['storageKeys'] : []).filter(isHash).map(toLowerHex),
});
