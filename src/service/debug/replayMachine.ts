// The EVM at any step of a transaction that was run again, for a debugger.

import { bytesToBigInt, bytesToHex, type Hex, toQuantity, toWordHex } from '../../base/hex.ts';
import { lazy } from '../../base/lazy.ts';
import type { DebugMachine, MachineState } from '../../decode/debug/debugMachine.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import type { ReplayInput } from '../trace/replay/replayTransaction.ts';
import type { StepStates } from '../trace/stepStates.ts';
import { loadEvm } from '../trace/traceByReplay.ts';

export class ReplayMachine implements DebugMachine {
  readonly #node: Pick<EvmNode, 'rpc'>;
  readonly #states: StepStates;
  /** Whether nothing before it in its block can have changed the state. */
  readonly #isFirst: boolean;
  readonly #openStorage = lazy(async () => {
    const { openStorageBefore } = await loadEvm();
    return openStorageBefore(this.#states.input, undefined);
  });
  readonly environment: DebugMachine['environment'];
  readonly #words = new Map<string, Promise<bigint | null>>();

  constructor(node: Pick<EvmNode, 'rpc'>, states: StepStates, transactionIndex: bigint) {
    this.#node = node;
    this.#states = states;
    this.#isFirst = transactionIndex === 0n;
    this.environment = toEnvironment(states.input);
  }

  stateAt(step: number): Promise<MachineState> {
    return this.#states.at(step, undefined);
  }

  storageBefore(address: Hex, slot: bigint): Promise<bigint | null> {
    const key = `${address} ${slot}`;
    const found = this.#words.get(key) ?? this.#fetchStorage(address, toWordHex(slot));
    this.#words.set(key, found);
    // A node that did not answer is queried again.
    found.catch(() => this.#words.delete(key));
    return found;
  }

  async #fetchStorage(address: Hex, slot: Hex): Promise<bigint | null> {
    const { source, block } = this.#states.input;
    if (source.isPartial !== true) return bytesToBigInt(await (await this.#openStorage())(address, slot));
    const known = bytesToBigInt(await source.fetchStorage(address, slot));
    if (known !== 0n) return known;
    if (!this.#isFirst || block.number === 0n) return null;
    const parent = toQuantity(block.number - 1n);
    const { result } = await this.#node.rpc.send('eth_getStorageAt', [address, slot, parent], undefined);
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
