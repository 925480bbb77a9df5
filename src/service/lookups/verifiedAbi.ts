// `verifiedAbi`: the ABI of a contract on a public chain, from hosts of the settings that have verified its source.
import { HexLensError } from '../../base/errors.ts';
import { toLowerHex } from '../../base/hex.ts';
import { localizable } from '../../base/localize.ts';
import { isDevelopmentChain } from '../evm/evmNode.ts';
import { getPermanentFreshness } from '../evm/finality.ts';
import type { Lookup } from './lookup.ts';

export const verifiedAbi: Lookup<'verifiedAbi'> = async (input, { nodes, verifiedSources }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const state = await node.getState(signal);
  // No host knows a development chain, and what is on a fork is private.
  if (isDevelopmentChain(state))
    throw new HexLensError('bad-input', localizable('Contracts of a development chain are not asked about at hosts.'));
  const found = await verifiedSources.fetchAbi(state.chain.id, toLowerHex(input.address), signal);
  const value = { kind: 'verifiedAbi', found } as const;
  // A verified source stays; one that is missing may be verified at any time.
  return found === null ? { value } : { value, freshness: getPermanentFreshness(node, state) };
};
