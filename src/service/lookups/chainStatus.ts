// `chainStatus`: how one configured chain answers right now; a node that does not is a status too, not a failure.
import { isFault, readable, toPlainFault } from '../../base/errors.ts';
import type { Lookup } from './lookup.ts';

export const chainStatus: Lookup<'chainStatus'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  try {
    const { chain, head, client, genesisHash } = await node.freshState(signal);
    const value = { head: head.number, headTime: head.time, chain, client, genesisHash, problem: null };
    return { value: { selector: node.selector, source: 'node', ...value } };
  } catch (error) {
    if (isFault(error, 'cancelled')) throw error;
    const unknown = { chain: null, head: null, headTime: null, client: null };
    return {
      value: {
        selector: node.selector,
        source: 'node',
        ...unknown,
        problem: readable(error),
        fault: toPlainFault(error),
      },
    };
  }
};
