// Answers JSON-RPC from a recorded chain, without a network: what it recorded, and calls by running them in the EVM.

import type { AccountOverride } from '../../api/traceTarget.ts';
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
  toWordHex,
  ZERO_ADDRESS,
  ZERO_HASH,
} from '../../base/hex.ts';
import { isObject } from '../../base/isObject.ts';
import { requireObject, requireTransactions, type WireObject } from '../evm/responseFields.ts';
import { OverriddenSource } from '../trace/overriddenSource.ts';
import { parseReplayBlock } from '../trace/parseReplayInput.ts';
import type { Replay } from '../trace/replay/replayTransaction.ts';
import type { ReplayBlock } from '../trace/replay/replayTypes.ts';
import type { StateSource } from '../trace/replay/stateSource.ts';
import { trimZeros } from '../trace/stateSources.ts';
import { loadEvm } from '../trace/traceByReplay.ts';
import type { RecordedAccount, RecordedChain, RecordedValues } from './recordedChain.ts';

/** An error as JSON-RPC has it. */
class RpcFailure extends Error {
  readonly code: number;
  readonly data: Hex | undefined;

  constructor(code: number, message: string, data?: Hex) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;
/** As nodes return it for a call that reverts. */
const EXECUTION_REVERTED = 3;

const toWord = (value: unknown): Hex => toWordHex(parseQuantity(value) ?? 0n);
const valueAt = (values: RecordedValues | undefined, block: number): Hex | null =>
  values?.findLast(([from]) => from <= block)?.[1] ?? null;

/** The block that a call is in, by the block overrides of `eth_call` where it has some. */
function overrideBlock(block: ReplayBlock, overrides: unknown): ReplayBlock {
  const { number, time, gasLimit, feeRecipient, prevRandao, baseFeePerGas } = isObject(overrides) ? overrides : {};
  return {
    ...block,
    number: parseQuantity(number) ?? block.number,
    timestamp: parseQuantity(time) ?? block.timestamp,
    gasLimit: parseQuantity(gasLimit) ?? block.gasLimit,
    beneficiary: isAddress(feeRecipient) ? toLowerHex(feeRecipient) : block.beneficiary,
    prevRandao: isHash(prevRandao) ? hexToBytes(prevRandao) : block.prevRandao,
    baseFee: parseQuantity(baseFeePerGas) ?? block.baseFee,
  };
}

/** Whether a log has one of the addresses and, at each position, one of the topics of a filter of `eth_getLogs`. */
function matches(log: WireObject, { address, topics }: WireObject): boolean {
  const isOneOf = (value: unknown, wanted: unknown): boolean =>
    wanted === undefined ||
    wanted === null ||
    (Array.isArray(wanted) ? wanted : [wanted]).some(
      each => String(each).toLowerCase() === String(value).toLowerCase(),
    );
  const own = Array.isArray(log['topics']) ? log['topics'] : [];
  const wanted = Array.isArray(topics) ? topics : [];
  return isOneOf(log['address'], address) && wanted.every((topic, index) => isOneOf(own[index], topic));
}

export class RecordedNode {
  readonly #chain: RecordedChain;
  /** Number of each block by its hash. */
  readonly #numbers: ReadonlyMap<unknown, number>;
  /** The receipts of all blocks by the hash of the transaction. */
  readonly #receipts: ReadonlyMap<unknown, WireObject>;

  readonly #methods: Readonly<Record<string, (...params: readonly unknown[]) => unknown>> = {
    eth_chainId: () => toQuantity(this.#chain.chainId),
    net_version: () => String(this.#chain.chainId),
    web3_clientVersion: () => 'anvil/recorded',
    anvil_nodeInfo: () => ({ forkConfig: {} }),
    eth_blockNumber: () => toQuantity(this.#head),
    eth_gasPrice: () => this.#chain.blocks[this.#head]?.block['baseFeePerGas'] ?? '0x0',
    eth_getBlockByNumber: (number, isWhole) => this.#getBlock(number, isWhole === true),
    eth_getBlockByHash: (hash, isWhole) => this.#getBlock(hash, isWhole === true),
    eth_getBlockReceipts: block => this.#chain.blocks[this.#findBlock(block) ?? -1]?.receipts ?? null,
    eth_getTransactionByHash: hash => this.#getTransaction(hash),
    eth_getTransactionReceipt: hash => this.#receipts.get(String(hash).toLowerCase()) ?? null,
    eth_getLogs: filter => this.#getLogs(requireObject(filter, 'the filter')),
    eth_getBalance: (address, block) => valueAt(this.#getAccount(address)?.balance, this.#requireBlock(block)) ?? '0x0',
    eth_getTransactionCount: (address, block) =>
      valueAt(this.#getAccount(address)?.nonce, this.#requireBlock(block)) ?? '0x0',
    eth_getCode: (address, block) => valueAt(this.#getAccount(address)?.code, this.#requireBlock(block)) ?? '0x',
    eth_getStorageAt: (address, slot, block) => this.#getStorage(address, slot, this.#requireBlock(block)),
    eth_call: (call, block, state, blockState) =>
      this.#runCall(requireObject(call, 'the call'), this.#requireBlock(block), state, blockState),
  };

  constructor(chain: RecordedChain) {
    this.#chain = chain;
    this.#numbers = new Map(chain.blocks.map(({ block }, number) => [block['hash'], number]));
    this.#receipts = new Map(
      chain.blocks.flatMap(({ receipts }) => receipts.map(receipt => [receipt['transactionHash'], receipt] as const)),
    );
  }

  /** The response to a request or batch, as JSON-RPC 2.0 has it. Never rejects. */
  async respond(request: unknown): Promise<unknown> {
    return Array.isArray(request) ? Promise.all(request.map(each => this.#answer(each))) : this.#answer(request);
  }

  async #answer(request: unknown): Promise<unknown> {
    const { id = null, method, params } = isObject(request) ? request : {};
    try {
      const result = await this.#call(String(method), Array.isArray(params) ? params : []);
      return { jsonrpc: '2.0', id, result };
    } catch (error) {
      const { code, message, data } =
        error instanceof RpcFailure ? error : { code: INVALID_PARAMS, message: String(error), data: undefined };
      return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
    }
  }

  #call(method: string, params: readonly unknown[]): unknown {
    if (!Object.hasOwn(this.#methods, method))
      throw new RpcFailure(METHOD_NOT_FOUND, `Method not found: ${method} is not recorded`);
    return this.#methods[method]?.(...params);
  }

  get #head(): number {
    return this.#chain.blocks.length - 1;
  }

  /** By number, tag, hash, or `{ blockHash }` of EIP-1898; `null` for one that does not exist. */
  #findBlock(wanted: unknown): number | null {
    if (isObject(wanted)) return this.#findBlock(wanted['blockHash'] ?? wanted['blockNumber']);
    if (isHash(wanted)) return this.#numbers.get(toLowerHex(wanted)) ?? null;
    if (wanted === 'earliest') return 0;
    const number = parseQuantity(wanted);
    if (number === null) return this.#head;
    return number <= BigInt(this.#head) ? Number(number) : null;
  }

  #requireBlock(wanted: unknown): number {
    const number = this.#findBlock(wanted);
    if (number === null) throw new RpcFailure(INVALID_PARAMS, 'unknown block');
    return number;
  }

  #getBlock(wanted: unknown, isWhole: boolean): WireObject | null {
    const block = this.#chain.blocks[this.#findBlock(wanted) ?? -1]?.block;
    if (block === undefined) return null;
    return isWhole ? block : { ...block, transactions: requireTransactions(block).map(({ hash }) => hash) };
  }

  #getTransaction(hash: unknown): WireObject | null {
    const receipt = this.#receipts.get(String(hash).toLowerCase());
    const block = receipt === undefined ? null : this.#getBlock(receipt['blockHash'], true);
    if (block === null) return null;
    return requireTransactions(block).find(each => each['hash'] === receipt?.['transactionHash']) ?? null;
  }

  #getLogs(filter: WireObject): readonly WireObject[] {
    const only = filter['blockHash'] ?? null;
    const from = this.#requireBlock(only ?? filter['fromBlock']);
    const to = this.#requireBlock(only ?? filter['toBlock']);
    return this.#chain.blocks
      .slice(from, to + 1)
      .flatMap(({ receipts }) => receipts.flatMap(receipt => receipt['logs'] as readonly WireObject[]))
      .filter(log => matches(log, filter));
  }

  #getAccount(address: unknown): RecordedAccount | undefined {
    if (!isAddress(address)) throw new RpcFailure(INVALID_PARAMS, 'invalid address');
    return this.#chain.accounts[toLowerHex(address)];
  }

  #getStorage(address: unknown, slot: unknown, block: number): Hex {
    return valueAt(this.#getAccount(address)?.storage[toWord(slot)], block) ?? ZERO_HASH;
  }

  async #runCall(call: WireObject, number: number, accounts: unknown, block: unknown): Promise<Hex> {
    const { frames } = await this.#run(call, number, accounts, block);
    const [root] = frames;
    const output = bytesToHex(root?.output ?? new Uint8Array());
    if (root?.status === 'success') return output;
    throw new RpcFailure(EXECUTION_REVERTED, root?.status === 'reverted' ? 'execution reverted' : 'out of gas', output);
  }

  /** `accounts`, `header`: the state and block overrides of `eth_call`. */
  async #run(call: WireObject, number: number, accounts: unknown, header: unknown): Promise<Replay> {
    const { replayTransaction } = await loadEvm();
    const mined = parseReplayBlock(requireObject(this.#getBlock(toQuantity(number), false), 'the block'), null);
    const block = overrideBlock(mined, header);
    const overrides = isObject(accounts) ? (accounts as Readonly<Record<Hex, AccountOverride>>) : {};
    const data = call['input'] ?? call['data'];
    return replayTransaction(
      {
        chainId: this.#chain.chainId,
        hardfork: block.hardforks[0] ?? 'osaka',
        block,
        earlier: [],
        source: new OverriddenSource(this.#createSource(mined), overrides),
        hasCodeSizeLimit: true,
        transaction: {
          hash: ZERO_HASH,
          from: isAddress(call['from']) ? toLowerHex(call['from']) : ZERO_ADDRESS,
          to: isAddress(call['to']) ? toLowerHex(call['to']) : null,
          nonce: null,
          gasLimit: parseQuantity(call['gas']) ?? block.gasLimit,
          gasPrice: 0n,
          value: parseQuantity(call['value']) ?? 0n,
          input: hexToBytes(isHex(data) ? data : '0x'),
          accessList: [],
          authorizations: [],
          blobVersionedHashes: [],
          isDeposit: false,
          mint: 0n,
        },
      },
      undefined,
    );
  }

  /** The state after a block. */
  #createSource(block: ReplayBlock): StateSource {
    const number = Number(block.number);
    return {
      fetchAccount: async address => {
        const account = this.#getAccount(address);
        if (account === undefined) return null;
        return {
          nonce: parseQuantity(valueAt(account.nonce, number)) ?? 0n,
          balance: parseQuantity(valueAt(account.balance, number)) ?? 0n,
          code: hexToBytes(valueAt(account.code, number) ?? '0x'),
        };
      },
      fetchStorage: async (address, slot) => trimZeros(hexToBytes(this.#getStorage(address, slot, number))),
      fetchBlockHash: async each => {
        const hash = this.#chain.blocks[each]?.block['hash'];
        return isHash(hash) ? hexToBytes(hash) : new Uint8Array(32);
      },
    };
  }
}
