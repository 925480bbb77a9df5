// `storageWords`: words of a contract's storage at a block.
import { isHex, toLowerHex, toQuantity } from '../../base/hex.ts';
import { getFreshness, getLiveFreshness } from '../evm/finality.ts';
import type { Lookup } from './lookup.ts';

export const storageWords: Lookup<'storageWords'> = async ({ chain, address, slots, block }, { nodes }, signal) => {
  const node = await nodes.find(chain, signal);
  const at = block === undefined ? 'latest' : toQuantity(block);
  const calls = slots.map(slot => ({ method: 'eth_getStorageAt', params: [toLowerHex(address), slot, at] }));
  const { state, responses } = await node.sendWithState(calls, signal);
  const words = calls.map((_, index) => {
    const word = node.getResult('eth_getStorageAt', responses[index]);
    if (!isHex(word) || word.length > 66)
      throw node.rpc.invalidResponse('eth_getStorageAt', 'it is no word of storage');
    return word === '0x' ? 0n : BigInt(word);
  });
  const freshness = block === undefined ? getLiveFreshness(node, state) : getFreshness(node, state, block);
  return { value: { kind: 'storage', words }, freshness };
};
