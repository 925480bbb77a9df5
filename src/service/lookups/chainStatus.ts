// `chainStatus`: head and client of a configured chain. A node that does not respond gives a status too, not an error.
import { findChain } from '../../api/chainTable.ts';
import { formatFault, isFault, toPlainFault } from '../../base/errors.ts';
import { canIndexWhole } from '../indexer/indexes.ts';
import type { Lookup } from './lookup.ts';

// `probeNode`: chain and client at a JSON-RPC URL that is not in the settings yet.
export const probeNode: Lookup<'probeNode'> = async ({ url }, { nodes }, signal) => {
  const { chain, clientVersion, headNumber, isDevelopment } = await nodes.probe(url, signal);
  const title = (isDevelopment ? undefined : findChain(chain.id)?.title) ?? chain.title;
  return { value: { kind: 'probe', chainId: chain.id, title, client: clientVersion, head: headNumber } };
};

export const chainStatus: Lookup<'chainStatus'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  try {
    const state = await (input.isPoll ? node.followState(signal) : node.pollState(signal));
    const { chain, head, clientVersion: client, genesisHash, isLocal, isOnLoopback, fork } = state;
    const forkBlock = isOnLoopback ? (fork?.block ?? null) : null;
    const value = {
      head: head.number,
      headHash: head.hash,
      headTime: head.time,
      chain,
      client,
      genesisHash,
      isLocal,
      ...(forkBlock !== null && { forkBlock }),
      isIndexedWhole: canIndexWhole(node, state),
      problem: null,
    };
    return { value: { selector: node.selector, source: 'node', ...value } };
  } catch (error) {
    if (isFault(error, 'cancelled')) throw error;
    const unknown = { chain: null, head: null, headTime: null, client: null };
    return {
      value: {
        selector: node.selector,
        source: 'node',
        ...unknown,
        problem: formatFault(error),
        fault: toPlainFault(error),
      },
    };
  }
};
