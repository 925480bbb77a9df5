// `ensName`: the name that an address calls itself (ENSIP-3), if that name leads back to the address.

import { isFault } from '../../base/errors.ts';
import { toLowerHex } from '../../base/hex.ts';
import { decodeStringBytes, parseAddressWord } from '../evm/abiWords.ts';
import { getLiveFreshness } from '../evm/finality.ts';
import { getReturnData, toEthCall } from '../evm/rpcMessage.ts';
import { ENS_REGISTRY, ensAddress, RESOLVER_SELECTOR } from './ensAddress.ts';
import type { Lookup } from './lookup.ts';

/** Selector of `name(bytes32)`. */
const NAME_SELECTOR = '0x691f3431';
const MAX_NAME_BYTES = 400;

export const ensName: Lookup<'ensName'> = async (input, context, signal) => {
  const { parseEnsName } = await import('./parseEnsName.ts');
  const address = toLowerHex(input.address);
  const [node] = parseEnsName(`${address.slice(2)}.addr.reverse`).nameHashes;
  const digits = node.slice(2);
  const evmNode = await context.nodes.find(input.chain, signal);
  const { state, responses } = await evmNode.sendWithState(
    [toEthCall(ENS_REGISTRY, RESOLVER_SELECTOR + digits)],
    signal,
  );
  const toResult = (name: string | null) => ({
    value: { kind: 'ensName', chain: state.chain, name } as const,
    freshness: getLiveFreshness(evmNode, state),
  });
  const resolver = parseAddressWord(responses[0]?.result);
  if (resolver === null) return toResult(null);
  const [nameResponse] = await evmNode.rpc.sendAll([toEthCall(resolver, NAME_SELECTOR + digits)], signal);
  const bytes = decodeStringBytes(getReturnData(nameResponse), MAX_NAME_BYTES);
  const claimed = bytes === null ? '' : new TextDecoder().decode(bytes);
  if (claimed === '') return toResult(null);
  try {
    // Anyone can claim any name: only the name itself says whose it is.
    const { value } = await ensAddress({ chain: input.chain, name: claimed }, context, signal);
    return toResult(value.name === claimed && value.address === address ? claimed : null);
  } catch (error) {
    if (isFault(error, 'bad-input')) return toResult(null); // not a valid name
    throw error;
  }
};
