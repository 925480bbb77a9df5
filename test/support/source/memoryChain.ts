// A chain in memory that runs transactions with the EVM itself: what failed is traced without a node.
import { createCustomCommon, Mainnet } from '@ethereumjs/common';
import { createEVM, type EVM } from '@ethereumjs/evm';
import { SimpleStateManager } from '@ethereumjs/statemanager';
import { Account, createAddressFromString } from '@ethereumjs/util';
import { bytesToHex, type Hex, hexToBytes } from '../../../src/base/hex.ts';
import type { Trace } from '../../../src/decode/trace/trace.ts';
import { replayTransaction } from '../../../src/service/trace/replay/replayTransaction.ts';
import type { Hardfork, ReplayBlock, ReplayTransaction } from '../../../src/service/trace/replay/replayTypes.ts';
import type { StateSource } from '../../../src/service/trace/replay/stateSource.ts';

const ZERO_HASH: Hex = `0x${'00'.repeat(32)}`;
const HARDFORK = 'osaka';
const RICH = 10n ** 24n;

const BLOCK: ReplayBlock = {
  number: 100n,
  hash: ZERO_HASH,
  parentHash: ZERO_HASH,
  timestamp: 1_800_000_000n,
  beneficiary: `0x${'c0'.repeat(20)}`,
  gasLimit: 30_000_000n,
  baseFee: 0n,
  difficulty: 0n,
  prevRandao: new Uint8Array(32),
  blobBaseFee: 1n,
  hardforks: [HARDFORK],
};

export interface SentTransaction {
  readonly from: Hex;
  /** `null` for a creation. */
  readonly to: Hex | null;
  readonly input: Hex;
  readonly value?: bigint;
  readonly gas?: number;
}

export class MemoryChain {
  readonly #evm: EVM;
  readonly #state: SimpleStateManager;

  private constructor(evm: EVM, state: SimpleStateManager) {
    this.#evm = evm;
    this.#state = state;
  }

  /** The accounts have ether; transactions cost none. */
  static async create(accounts: readonly Hex[]): Promise<MemoryChain> {
    const common = createCustomCommon({ chainId: 31337 }, Mainnet, { hardfork: HARDFORK });
    const state = new SimpleStateManager({ common });
    for (const account of accounts) await state.putAccount(createAddressFromString(account), new Account(0n, RICH));
    return new MemoryChain(await createEVM({ common, stateManager: state }), state);
  }

  /** Runs a transaction and keeps what it did; the created contract, if any. */
  async send({ from, to, input, value = 0n }: SentTransaction): Promise<Hex | null> {
    const { execResult, createdAddress } = await this.#evm.runCall({
      caller: createAddressFromString(from),
      ...(to !== null && { to: createAddressFromString(to) }),
      ...{ data: hexToBytes(input), value, gasLimit: 30_000_000n },
      block: {
        header: { ...BLOCK, coinbase: createAddressFromString(BLOCK.beneficiary), prevRandao: BLOCK.prevRandao },
      } as never,
    });
    if (execResult.exceptionError !== undefined)
      throw new Error(`${execResult.exceptionError.error} ${bytesToHex(execResult.returnValue)}`);
    await this.#evm.journal.cleanup();
    this.#state.originalStorageCache.clear();
    return (createdAddress?.toString() as Hex | undefined) ?? null;
  }

  /** Runs a transaction without keeping what it did. */
  async trace(
    { from, to, input, value = 0n, gas = 0xe00000 }: SentTransaction,
    hardfork: Hardfork = HARDFORK,
  ): Promise<Trace> {
    const sender = await this.#state.getAccount(createAddressFromString(from));
    const transaction: ReplayTransaction = {
      ...{ hash: ZERO_HASH, from, to, value, gasLimit: BigInt(gas), gasPrice: 0n, input: hexToBytes(input) },
      ...{ nonce: sender?.nonce ?? 0n, accessList: [], authorizations: [], blobVersionedHashes: [] },
      ...{ isDeposit: false, mint: 0n },
    };
    const replay = await replayTransaction(
      {
        ...{ chainId: 31337, hardfork, block: BLOCK, earlier: [], transaction },
        ...{ source: this.#source, hasCodeSizeLimit: true },
      },
      undefined,
    );
    const { frames, steps, writes, logs, selfDestructs, preimages, memorySizes, coldAccesses, accounts, readWords } =
      replay;
    const effects = { writes, logs, selfDestructs, preimages, accounts, readWords };
    return { by: 'replay', isVerified: true, frames, steps, ...effects, memorySizes, coldAccesses };
  }

  get #source(): StateSource {
    const state = this.#state;
    return {
      async fetchAccount(address) {
        const account = await state.getAccount(createAddressFromString(address));
        if (account === undefined) return null;
        const code = await state.getCode(createAddressFromString(address));
        return { nonce: account.nonce, balance: account.balance, code };
      },
      fetchStorage: (address, slot) =>
        state.getStorage(createAddressFromString(address), hexToBytes(`0x${slot.slice(2).padStart(64, '0')}`)),
      fetchBlockHash: async () => new Uint8Array(32),
    };
  }
}
