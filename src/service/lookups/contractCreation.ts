// `contractCreation`: the transaction that created a contract, and the call of it where a contract did so.
import type { ContractCreation } from '../../api/lookups.ts';
import { type Hex, toLowerHex, toQuantity } from '../../base/hex.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { getFreshness, getLiveFreshness } from '../evm/finality.ts';
import {
  optionalAddress,
  optionalCreatedContract,
  requireAddress,
  requireHash,
  requireObject,
} from '../evm/responseFields.ts';
import { fetchDeployment } from '../indexer/fetchDeployment.ts';
import { fetchTrace } from '../trace/fetchTrace.ts';
import type { Lookup } from './lookup.ts';
import { toTracedCalls } from './transactionTrace.ts';

/** Transactions of the block that are run again to find the one that called a factory. */
const MAX_TRACED = 32;

type Creation = NonNullable<ContractCreation['creation']>;

export const contractCreation: Lookup<'contractCreation'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const address = toLowerHex(input.address);
  const state = await node.fetchState(signal);
  const { block, isExact } = await fetchDeployment(
    node,
    address,
    state.headNumber,
    signal ?? new AbortController().signal,
  );
  const creation = isExact && block > 0 ? await findCreation(node, address, block, signal) : null;
  return {
    value: { kind: 'creation', creation },
    freshness: creation === null ? getLiveFreshness(node, state) : getFreshness(node, state, block),
  };
};

async function findCreation(
  node: EvmNode,
  address: Hex,
  number: number,
  signal: AbortSignal | undefined,
): Promise<Creation | null> {
  const response = await node.rpc.send('eth_getBlockByNumber', [toQuantity(number), true], signal);
  const transactions = node.validate('eth_getBlockByNumber', () => {
    const block = requireObject(node.getResult('eth_getBlockByNumber', response), 'the block');
    const listed: readonly unknown[] = Array.isArray(block['transactions']) ? block['transactions'] : [];
    return listed.map(each => {
      const wire = requireObject(each, 'a transaction');
      const from = toLowerHex(requireAddress(wire, 'from'));
      return { hash: requireHash(wire, 'hash'), from, isCreation: optionalAddress(wire, 'to') === null };
    });
  });
  const direct = transactions.filter(({ isCreation }) => isCreation);
  const calls = direct.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] }));
  const receipts = calls.length === 0 ? [] : await node.rpc.sendAll(calls, signal);
  for (const [index, { hash, from }] of direct.entries()) {
    const receipt = node.getResult('eth_getTransactionReceipt', receipts[index]);
    const created = node.validate('eth_getTransactionReceipt', () =>
      receipt === null ? null : optionalCreatedContract(requireObject(receipt, 'the receipt')),
    );
    if (created?.toLowerCase() === address) return { block: number, hash, from, creator: from, call: 0 };
  }
  for (const { hash, from } of transactions.slice(0, MAX_TRACED)) {
    const { result } = await fetchTrace(node, hash, signal);
    if (!('trace' in result)) continue;
    const made = toTracedCalls(result.trace).find(
      ({ kind, address: created, isUndone }) => kind.startsWith('CREATE') && created === address && !isUndone,
    );
    if (made !== undefined) return { block: number, hash, from, creator: made.caller, call: made.index };
  }
  return null;
}
