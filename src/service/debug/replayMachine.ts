// The EVM at any step of a transaction that was run again, for a debugger.
import { HexLensError } from '../../base/errors.ts';
import { bytesToBigInt, bytesToHex, type Hex, toQuantity, toWordHex } from '../../base/hex.ts';
import { isObject } from '../../base/isObject.ts';
import { lazy } from '../../base/lazy.ts';
import { localizable } from '../../base/localize.ts';
import { FreshRequestDeduplicator } from '../../base/requestDeduplicator.ts';
import type { DebugCall, DebugCallResult, DebugMachine, MachineState } from '../../decode/debug/debugMachine.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import type { ReplayInput, StateAtStep } from '../trace/replay/replayTransaction.ts';
import type { StateSource } from '../trace/replay/stateSource.ts';
import type { StepStates } from '../trace/stepStates.ts';
import { loadEvm } from '../trace/traceByReplay.ts';
import { CompletedSource, completeSource } from './completedSource.ts';

export class ReplayMachine implements DebugMachine {
  readonly #node: EvmNode;
  readonly #states: StepStates;
  /** Whether nothing before it in its block can have changed the state. */
  readonly #isFirst: boolean;
  readonly #openStorage = lazy(async () => {
    const { openStorageBefore } = await loadEvm();
    return openStorageBefore(this.#states.input, undefined);
  });
  /** The state in the middle of the transaction that was used last: an expression may have several calls. */
  #middle: { readonly step: number; readonly source: StateSource; readonly state: Promise<StateAtStep> } | null = null;
  readonly environment: DebugMachine['environment'];
  readonly #words = new Map<string, Promise<bigint | null>>();
  readonly #checks = new FreshRequestDeduplicator<void>();

  constructor(node: EvmNode, states: StepStates, transactionIndex: bigint) {
    this.#node = node;
    this.#states = states;
    this.#isFirst = transactionIndex === 0n;
    this.environment = toEnvironment(states.input);
  }

  stateAt(step: number): Promise<MachineState> {
    return this.#states.at(step, undefined);
  }

  callAt(step: number, call: DebugCall): Promise<DebugCallResult> {
    return this.#readMiddle(step, async state => {
      const { output, ...result } = await state.call(call);
      return { output: bytesToHex(output), ...result };
    });
  }

  accountAt(step: number, address: Hex): Promise<{ readonly balance: bigint; readonly code: Hex }> {
    return this.#readMiddle(step, async state => {
      const { balance, code } = await state.account(address);
      return { balance, code: bytesToHex(code) };
    });
  }

  async #readMiddle<T>(step: number, read: (state: StateAtStep) => Promise<T>): Promise<T> {
    const middle = this.#middle?.step === step ? this.#middle : this.#openMiddle(step);
    this.#middle = middle;
    try {
      const result = await read(await middle.state);
      await this.#checkChain();
      const { source } = middle;
      if (!(source instanceof CompletedSource && source.isIncomplete)) return result;
      const text = localizable(
        'The result is not known: it depends on what earlier transactions of the block may have changed.',
      );
      throw new HexLensError('bad-input', text);
    } catch (error) {
      // What could not be read is not held.
      this.#middle = null;
      throw error;
    }
  }

  #openMiddle(step: number) {
    const { input } = this.#states;
    const source = completeSource(this.#node, input, this.#isFirst && input.block.number > 0n);
    const state = loadEvm().then(({ openStateAt }) => openStateAt({ ...input, source }, step, undefined));
    return { step, source, state };
  }

  storageBefore(address: Hex, slot: bigint): Promise<bigint | null> {
    const key = `${address} ${slot}`;
    const found = this.#words.get(key) ?? this.#fetchStorage(address, toWordHex(slot));
    this.#words.set(key, found);
    // A node that did not answer is queried again.
    found.catch(() => this.#words.delete(key));
    return found;
  }

  /** After a read: state is read by the number of a block, which another one has once the chain was reverted. */
  #checkChain(): Promise<void> {
    const { number, parentHash } = this.#states.input.block;
    if (number === 0n) return Promise.resolve();
    return this.#checks.join('parent', async signal => {
      const { result } = await this.#node.rpc.send('eth_getBlockByNumber', [toQuantity(number - 1n), false], signal);
      if (isObject(result) && result['hash'] === parentHash) return;
      const text = localizable(
        'The chain no longer has the blocks of this transaction: what it did not read itself is not known any more.',
      );
      throw new HexLensError('bad-input', text); // `not-found` is a session that is not known
    });
  }

  async #fetchStorage(address: Hex, slot: Hex): Promise<bigint | null> {
    const { source, block } = this.#states.input;
    if (source.isPartial !== true) {
      const word = bytesToBigInt(await (await this.#openStorage())(address, slot));
      await this.#checkChain();
      return word;
    }
    const known = bytesToBigInt(await source.fetchStorage(address, slot));
    if (known !== 0n) return known;
    if (!this.#isFirst || block.number === 0n) return null;
    const parent = toQuantity(block.number - 1n);
    const { result } = await this.#node.rpc.send('eth_getStorageAt', [address, slot, parent], undefined);
    await this.#checkChain();
    return typeof result === 'string' && /^0x[\da-f]{1,64}$/i.test(result) ? BigInt(result) : null;
  }
}

function toEnvironment({ transaction, block, chainId }: ReplayInput): DebugMachine['environment'] {
  const number = (group: 'tx' | 'block', name: string, value: bigint | null) =>
    value === null ? [] : [{ group, name, value: value.toString(), type: 'uint256' }];
  return [
    { group: 'tx', name: 'origin', value: transaction.from, type: 'address' },
    ...number('tx', 'gasprice', transaction.gasPrice),
    ...number('block', 'number', block.number),
    ...number('block', 'timestamp', block.timestamp),
    ...number('block', 'basefee', block.baseFee),
    ...number('block', 'blobbasefee', block.blobBaseFee),
    ...number('block', 'gaslimit', block.gasLimit),
    ...number('block', 'chainid', BigInt(chainId)),
    { group: 'block', name: 'coinbase', value: block.beneficiary, type: 'address' },
    { group: 'block', name: 'prevrandao', value: bytesToHex(block.prevRandao), type: 'bytes32' },
  ];
}
