// Runs a transaction in our own EVM on the state before it: nonce, fees, access lists, EIP-7702, blobs and refunds around the call.

import { Common, createCustomCommon, Holesky, Hoodi, Mainnet, Sepolia } from '@ethereumjs/common';
import { createEVM, type EVM, EVMError } from '@ethereumjs/evm';
import { Account, Address, eoaCode7702RecoverAuthority } from '@ethereumjs/util';
import { MAX_CALL_GAS } from '../../../api/traceTarget.ts';
import type { FixedGas } from '../../../api/transactionGas.ts';
import { type Hex, hexToBytes } from '../../../base/hex.ts';
import type { DebugCall } from '../../../decode/debug/debugMachine.ts';
import type { AccountChange, Trace } from '../../../decode/trace/trace.ts';
import { ReplayState } from './replayState.ts';
import { HARDFORKS, type Hardfork, type ReplayBlock, type ReplayTransaction } from './replayTypes.ts';
import type { StateSource } from './stateSource.ts';
import { LIFTED_GAS_LIMIT, type SubstitutedRun, Substitution } from './substitution.ts';
import { type StepWindow, TraceRecorder, WindowComplete } from './traceRecorder.ts';
import { kzg } from './verifyKzgProof.ts';

export interface ReplayInput {
  readonly chainId: number;
  readonly hardfork: Hardfork;
  readonly block: ReplayBlock;
  /** Earlier transactions of the block that are not in the state of `source` yet. */
  readonly earlier: readonly ReplayTransaction[];
  readonly transaction: ReplayTransaction;
  readonly source: StateSource;
  /** Development chains may permit code of any size. */
  readonly hasCodeSizeLimit: boolean;
  /** Other code that is run in the transaction. */
  readonly substituted?: SubstitutedRun;
}

export interface Replay extends Required<Omit<Trace, 'by' | 'isVerified' | 'isSubstituted'>> {
  /** As in the receipt. */
  readonly gasUsed: bigint;
  readonly isSuccessful: boolean;
  readonly createdAddress: Hex | null;
  readonly input: ReplayInput;
}

/** Rejects with `cancelled`, and with the fault of the source; a plain error means that the EVM cannot run it. */
export async function replayTransaction(input: ReplayInput, signal: AbortSignal | undefined): Promise<Replay> {
  const state = await createReplayState(input, signal);
  return { ...(await record(input, state, signal)), readWords: state.listReadWords() };
}

/** Each of the transactions in turn, on the state that those before it left. Throws as `replayTransaction` does. */
export async function* replayInTurn(
  rules: Omit<ReplayInput, 'earlier' | 'transaction'>,
  transactions: readonly ReplayTransaction[],
  signal: AbortSignal | undefined,
): AsyncGenerator<Replay> {
  const state = new ReplayState(rules.source);
  for (const [index, transaction] of transactions.entries()) {
    signal?.throwIfAborted();
    yield await record({ ...rules, earlier: transactions.slice(0, index), transaction }, state, signal);
  }
}

async function record(input: ReplayInput, state: ReplayState, signal: AbortSignal | undefined): Promise<Replay> {
  const { recorder, run } = await prepare(input, state, signal, null);
  const { gasUsed, isSuccessful, accounts, fixedGas } = await run.run();
  const { frames, steps, writes, logs, selfDestructs, preimages, memorySizes, coldAccesses } = recorder;
  const root = frames[0];
  return {
    frames,
    steps,
    writes,
    logs,
    selfDestructs,
    preimages,
    accounts,
    memorySizes,
    coldAccesses,
    fixedGas,
    gasUsed,
    isSuccessful,
    input,
    readWords: [],
    createdAddress: root?.isCreation === true && isSuccessful ? root.address : null,
  };
}

/** Stack and memory before steps around the wanted one, by a run up to the last of them. `to` is exclusive. */
export async function replayStates(
  input: ReplayInput,
  range: { readonly from: number; readonly to: number; readonly wanted: number },
  signal: AbortSignal | undefined,
): Promise<Pick<StepWindow, 'from' | 'states'>> {
  const window: StepWindow = { ...range, states: [], bytes: 0 };
  const { run } = await prepare(input, await createReplayState(input, signal), signal, window);
  await run.run().catch(error => {
    if (!(error instanceof WindowComplete)) throw error;
  });
  return window;
}

export interface StateAtStep {
  /** Without any effect. Each is independent of those before. */
  call(call: DebugCall): Promise<{
    readonly output: Uint8Array;
    readonly isSuccessful: boolean;
    readonly isChange: boolean;
  }>;
  account(address: Hex): Promise<{ readonly balance: bigint; readonly code: Uint8Array }>;
}

/** The state as it is in the middle of the transaction, before a step, with transient storage and balances. */
export async function openStateAt(
  input: ReplayInput,
  step: number,
  signal: AbortSignal | undefined,
): Promise<StateAtStep> {
  const state = await createReplayState(input, signal);
  const window = { from: step, to: step, wanted: step, states: [], bytes: 0 };
  const { evm: run, run: transactionRun } = await prepare(input, state, signal, window);
  await transactionRun.run().catch(error => {
    if (!(error instanceof WindowComplete)) throw error;
  });
  const { block, transaction } = input;
  const { transientStorage } = run;
  return {
    async call({ caller, to, data, code }) {
      const evm = Object.assign(await createReplayEvm(input, state), { transientStorage });
      const shared = {
        block: { header: toHeader(block) },
        gasPrice: transaction.gasPrice,
        origin: toAddress(transaction.from),
        caller: toAddress(caller),
        to: toAddress(to),
        data: hexToBytes(data),
        gasLimit: MAX_CALL_GAS,
        isStatic: true,
        blobVersionedHashes: [...transaction.blobVersionedHashes],
      };
      const { returnValue, exceptionError } =
        code === null ? (await evm.runCall(shared)).execResult : await evm.runCode({ ...shared, code });
      return {
        output: returnValue,
        isSuccessful: exceptionError === undefined,
        isChange: exceptionError?.error === EVMError.errorMessages.STATIC_STATE_CHANGE,
      };
    },
    async account(address) {
      const [account, code] = await Promise.all([
        state.getAccount(toAddress(address)),
        state.getCode(toAddress(address)),
      ]);
      return { balance: account?.balance ?? 0n, code };
    },
  };
}

async function prepare(
  input: ReplayInput,
  state: ReplayState,
  signal: AbortSignal | undefined,
  window: StepWindow | null,
) {
  const { substituted, block, transaction } = input;
  const evm = await createReplayEvm(input, state);
  const substitution = substituted === undefined ? null : new Substitution(substituted, transaction.gasLimit);
  substitution?.attach(evm, state);
  const recorder = new TraceRecorder(evm, state, signal, window);
  substitution?.liftGas(evm);
  return { evm, recorder, run: new TransactionRun(evm, state, block, transaction, substitution !== null) };
}

/** Reads a slot of storage as it was before the transaction, after the earlier ones of its block. */
export async function openStorageBefore(
  input: ReplayInput,
  signal: AbortSignal | undefined,
): Promise<(address: Hex, slot: Hex) => Promise<Uint8Array>> {
  const state = await createReplayState(input, signal);
  return (address, slot) => state.getStorageAt(address, hexToBytes(slot));
}

/** The state before the transaction: after the earlier ones of its block. */
async function createReplayState(input: ReplayInput, signal: AbortSignal | undefined): Promise<ReplayState> {
  const state = new ReplayState(input.source);
  if (input.earlier.length === 0) return state;
  const evm = await createReplayEvm(input, state);
  for (const transaction of input.earlier) {
    signal?.throwIfAborted();
    await new TransactionRun(evm, state, input.block, transaction).run();
  }
  return state;
}

function createReplayEvm(input: ReplayInput, state: ReplayState): Promise<EVM> {
  const common = createCustomCommon({ chainId: input.chainId }, Mainnet, {
    hardfork: input.hardfork,
    customCrypto: { kzg },
  });
  return createEVM({
    common,
    stateManager: state,
    allowUnlimitedContractSize: !input.hasCodeSizeLimit,
    allowUnlimitedInitCodeSize: !input.hasCodeSizeLimit,
    // The mock's type has more than the EVM calls: hashes of earlier blocks.
    blockchain: {
      getBlock: async (number: number) => {
        const hash = await input.source.fetchBlockHash(number);
        return { hash: () => hash };
      },
      putBlock: async () => {},
      shallowCopy() {
        return this;
      },
    },
  });
}

/** The hardfork of a block of Ethereum's own chains; `null` for other chains. */
export function getHardforkAt(chainId: number, number: bigint, timestamp: bigint): Hardfork | null {
  const chain = [Mainnet, Sepolia, Holesky, Hoodi].find(config => Number(config.chainId) === chainId);
  if (chain === undefined) return null;
  const common = new Common({ chain });
  common.setHardforkBy({ blockNumber: number, timestamp });
  return HARDFORKS.findLast(hardfork => common.gteHardfork(hardfork)) ?? null;
}

const GAS = {
  transaction: 21_000n,
  creation: 32_000n,
  zeroByte: 4n,
  byte: 16n,
  byteBeforeIstanbul: 68n,
  initCodeWord: 2n,
  floorToken: 10n,
  accessListAddress: 2_400n,
  accessListSlot: 1_900n,
  authorization: 25_000n,
  authorizationRefund: 12_500n,
  blob: 131_072n,
} as const;
const MAX_NONCE = 2n ** 64n - 1n;
/** EIP-7702: secp256k1's order halved; a higher s is malleable. */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

const toAddress = (hex: Hex): Address => new Address(hexToBytes(hex));

function toHeader(block: ReplayBlock) {
  const { number, timestamp, beneficiary, gasLimit, baseFee, difficulty, prevRandao, blobBaseFee } = block;
  return {
    number,
    timestamp,
    gasLimit,
    difficulty,
    prevRandao,
    coinbase: toAddress(beneficiary),
    ...(baseFee !== null && { baseFeePerGas: baseFee }),
    getBlobGasPrice: () => blobBaseFee ?? undefined,
  };
}

/** One transaction from buying its gas to paying the block's beneficiary. */
class TransactionRun {
  readonly #evm: EVM;
  readonly #state: ReplayState;
  readonly #block: ReplayBlock;
  readonly #transaction: ReplayTransaction;
  /** Gas is bought as the transaction says, and then without a limit. */
  readonly #isLifted: boolean;

  constructor(evm: EVM, state: ReplayState, block: ReplayBlock, transaction: ReplayTransaction, isLifted = false) {
    this.#evm = evm;
    this.#state = state;
    this.#block = block;
    this.#transaction = transaction;
    this.#isLifted = isLifted;
  }

  async run(): Promise<{
    readonly gasUsed: bigint;
    readonly fixedGas: FixedGas;
    readonly isSuccessful: boolean;
    readonly accounts: readonly AccountChange[];
  }> {
    const { from, to, input, gasLimit, value, gasPrice, blobVersionedHashes } = this.#transaction;
    const caller = toAddress(from);
    const { intrinsic, floor, parts } = this.#getIntrinsicGas();
    if (intrinsic > gasLimit) throw new Error('The gas limit is below the gas of the transaction itself.');
    this.#evm.journal.cleanJournal();
    this.#warmAccessList();
    await this.#buyGas(caller);
    const authorizationRefund = await this.#applyAuthorizations();
    const block = { header: toHeader(this.#block) };
    const { execResult } = await this.#evm.runCall({
      block,
      gasPrice,
      caller,
      origin: caller,
      value,
      data: input,
      gasLimit: this.#isLifted ? LIFTED_GAS_LIMIT : gasLimit - intrinsic,
      ...(to !== null && { to: toAddress(to) }),
      blobVersionedHashes: [...blobVersionedHashes],
      skipNonceIncrement: true,
    });
    let gasUsed = intrinsic + execResult.executionGasUsed;
    const refund = (execResult.gasRefund ?? 0n) + authorizationRefund;
    const maxRefund = gasUsed / (this.#evm.common.gteHardfork('london') ? 5n : 2n);
    const refunded = refund < maxRefund ? refund : maxRefund;
    gasUsed -= refunded;
    const missing = gasUsed < floor ? floor - gasUsed : 0n;
    gasUsed += missing;
    await this.#settle(caller, gasUsed);
    await this.#deleteDestroyed(execResult);
    await this.#evm.journal.cleanup();
    const accounts = this.#state.listAccountChanges();
    this.#state.finishTransaction();
    const fixedGas = { ...parts, refund: Number(refunded), floor: Number(missing) };
    return { gasUsed, fixedGas, isSuccessful: execResult.exceptionError === undefined, accounts };
  }

  #getIntrinsicGas(): {
    readonly intrinsic: bigint;
    readonly floor: bigint;
    readonly parts: Omit<FixedGas, 'refund' | 'floor'>;
  } {
    const { common } = this.#evm;
    const { to, input, accessList, authorizations } = this.#transaction;
    let zeros = 0;
    for (const byte of input) if (byte === 0) zeros++;
    const bytes = BigInt(input.length - zeros);
    const byteGas = common.gteHardfork('istanbul') ? GAS.byte : GAS.byteBeforeIstanbul;
    const isCreation = to === null;
    const initCode = isCreation && common.isActivatedEIP(3860) ? Math.ceil(input.length / 32) : 0;
    const parts = {
      transaction: GAS.transaction + (isCreation && common.gteHardfork('homestead') ? GAS.creation : 0n),
      data: BigInt(zeros) * GAS.zeroByte + bytes * byteGas + GAS.initCodeWord * BigInt(initCode),
      accessList: accessList.reduce(
        (sum, { slots }) => sum + GAS.accessListAddress + GAS.accessListSlot * BigInt(slots.length),
        0n,
      ),
      authorizations: GAS.authorization * BigInt(authorizations.length),
    };
    const { transaction, data, accessList: listed, authorizations: authorized } = parts;
    const tokens = BigInt(zeros) + 4n * bytes;
    return {
      intrinsic: transaction + data + listed + authorized,
      floor: common.isActivatedEIP(7623) ? GAS.transaction + GAS.floorToken * tokens : 0n,
      parts: {
        transaction: Number(transaction),
        data: Number(data),
        accessList: Number(listed),
        authorizations: Number(authorized),
      },
    };
  }

  /** EIP-2929, 2930 and 3651. */
  #warmAccessList(): void {
    const { common, journal, precompiles } = this.#evm;
    if (!common.isActivatedEIP(2929)) return;
    const { from, to, accessList } = this.#transaction;
    journal.addAlwaysWarmAddress(from);
    for (const address of precompiles.keys()) journal.addAlwaysWarmAddress(address);
    if (to !== null) journal.addAlwaysWarmAddress(to);
    if (common.isActivatedEIP(3651)) journal.addAlwaysWarmAddress(this.#block.beneficiary);
    for (const { address, slots } of accessList) {
      journal.addAlwaysWarmAddress(address);
      for (const slot of slots) journal.addAlwaysWarmSlot(address, slot);
    }
  }

  get #blobGas(): bigint {
    return GAS.blob * BigInt(this.#transaction.blobVersionedHashes.length);
  }

  async #buyGas(caller: Address): Promise<void> {
    const { gasLimit, gasPrice, isDeposit, mint, nonce } = this.#transaction;
    const account = (await this.#state.getAccount(caller)) ?? new Account();
    const cost = isDeposit ? 0n : gasLimit * gasPrice + this.#blobGas * (this.#block.blobBaseFee ?? 0n);
    account.balance += mint;
    // Some development nodes send for accounts that have not enough.
    account.balance = account.balance > cost ? account.balance - cost : 0n;
    account.nonce = (nonce ?? account.nonce) + 1n;
    await this.#evm.journal.putAccount(caller, account);
  }

  /** EIP-7702; returns the refund for accounts that exist already. */
  async #applyAuthorizations(): Promise<bigint> {
    let refund = 0n;
    for (const authorization of this.#transaction.authorizations) {
      const { chainId, address, nonce, yParity, r, s } = authorization;
      if (chainId !== 0n && chainId !== this.#evm.common.chainId()) continue;
      if (nonce >= MAX_NONCE || s > MAX_S || yParity > 1n) continue;
      let authority: Address;
      try {
        const toHex = (value: bigint): Hex => `0x${value.toString(16)}`;
        authority = eoaCode7702RecoverAuthority({
          chainId: toHex(chainId),
          address,
          nonce: toHex(nonce),
          yParity: toHex(yParity),
          r: toHex(r),
          s: toHex(s),
        });
      } catch {
        continue; // no valid signature: the authorization has no effect
      }
      this.#evm.journal.addAlwaysWarmAddress(authority.toString());
      const found = await this.#state.getAccount(authority);
      const account = found ?? new Account();
      const code = await this.#state.getCode(authority);
      const isDelegation = code.length === 23 && code[0] === 0xef && code[1] === 1 && code[2] === 0;
      if ((code.length > 0 && !isDelegation) || account.nonce !== nonce) continue;
      if (found !== undefined && !found.isEmpty()) refund += GAS.authorizationRefund;
      account.nonce++;
      await this.#evm.journal.putAccount(authority, account);
      const isRemoval = BigInt(address) === 0n;
      await this.#state.putCode(
        authority,
        isRemoval ? new Uint8Array(0) : new Uint8Array([0xef, 1, 0, ...hexToBytes(address)]),
      );
    }
    return refund;
  }

  /** Returns what was bought and not used, and pays the block's beneficiary. */
  async #settle(caller: Address, gasUsed: bigint): Promise<void> {
    const { gasLimit, gasPrice, isDeposit } = this.#transaction;
    if (isDeposit) return;
    const sender = (await this.#state.getAccount(caller)) ?? new Account();
    sender.balance += (gasLimit - gasUsed) * gasPrice;
    await this.#evm.journal.putAccount(caller, sender);
    const beneficiary = toAddress(this.#block.beneficiary);
    const account = (await this.#state.getAccount(beneficiary)) ?? new Account();
    const tip = gasPrice - (this.#block.baseFee ?? 0n);
    // A simulated call may pay less than the base fee, as in `eth_call`.
    account.balance += tip > 0n ? gasUsed * tip : 0n;
    await this.#evm.journal.putAccount(beneficiary, account);
  }

  async #deleteDestroyed({ selfdestruct, createdAddresses }: DestroyedContracts): Promise<void> {
    for (const address of selfdestruct?.keys() ?? []) {
      // EIP-6780: only contracts of the same transaction.
      if (this.#evm.common.isActivatedEIP(6780) && createdAddresses?.has(address) !== true) continue;
      await this.#evm.journal.deleteAccount(toAddress(address));
    }
  }
}

interface DestroyedContracts {
  readonly selfdestruct?: ReadonlyMap<Hex, unknown>;
  readonly createdAddresses?: ReadonlySet<Hex>;
}
