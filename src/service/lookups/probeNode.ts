// `probeNode`: who answers at a JSON-RPC URL, before anybody writes it into the settings.
import type { Lookup } from './lookup.ts';

export const probeNode: Lookup<'probeNode'> = async ({ url }, { nodes }, signal) => {
  const { chain, clientVersion: client, headNumber } = await nodes.probe(url, signal);
  return { value: { kind: 'probe', chainId: chain.id, client, head: headNumber } };
};
