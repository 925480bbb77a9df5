// `nodeTransaction`: a transaction and its receipt as the node has them, with the fields that records do not have.
import { toLowerHex } from '../../base/hex.ts';
import { fetchSharedTransaction } from '../evm/fetchTransaction.ts';
import { getFreshness, getLiveFreshness } from '../evm/finality.ts';
import type { Lookup } from './lookup.ts';

export const nodeTransaction: Lookup<'nodeTransaction'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const { state, found } = await fetchSharedTransaction(node, toLowerHex(input.hash), signal);
  const minedIn = found?.minedIn ?? null;
  return {
    value: { kind: 'nodeTransaction', transaction: found?.wire ?? null, receipt: found?.receipt ?? null },
    freshness: minedIn === null ? getLiveFreshness(node, state) : getFreshness(node, state, minedIn.number),
  };
};
