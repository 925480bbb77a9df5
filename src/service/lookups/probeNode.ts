// `probeNode`: chain and client at a JSON-RPC URL that is not in the settings yet.
import type { Lookup } from './lookup.ts';

export const probeNode: Lookup<'probeNode'> = async ({ url }, { nodes }, signal) => {
  const { chain, clientVersion, headNumber } = await nodes.probe(url, signal);
  return { value: { kind: 'probe', chainId: chain.id, client: clientVersion, head: headNumber } };
};
