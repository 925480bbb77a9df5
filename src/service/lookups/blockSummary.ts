// `blockSummary`: a block by number, without its transactions.
import type { Chain } from '../../api/chains.ts';
import type { BlockSummary } from '../../api/lookups.ts';
import { parseQuantity, toQuantity, ZERO_ADDRESS } from '../../base/hex.ts';
import { type BlockHeader, parseHeaderAt } from '../evm/blockHeader.ts';
import { getFreshness, getLiveFreshness } from '../evm/finality.ts';
import { readArray, requireBigInt, toAddressOrNull } from '../evm/responseFields.ts';
import type { Lookup } from './lookup.ts';

export const blockSummary: Lookup<'blockSummary'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const { state, responses } = await node.sendWithState(
    [{ method: 'eth_getBlockByNumber', params: [toQuantity(input.block), false] }],
    signal,
  );
  const result = node.getResult('eth_getBlockByNumber', responses[0]);
  const { chain } = state;
  const header = node.validate('eth_getBlockByNumber', () => parseHeaderAt(result, input.block));
  if (header === null) return { value: { kind: 'nothing', chain }, freshness: getLiveFreshness(node, state) };
  const value = node.validate('eth_getBlockByNumber', () => toBlockSummary(chain, header));
  return { value, freshness: getFreshness(node, state, header.number) };
};

/** Throws `InvalidResponseError` when a field that every block has is missing. */
export function toBlockSummary(chain: Chain, header: BlockHeader): BlockSummary {
  const { wire } = header;
  return {
    kind: 'block',
    chain,
    number: header.number,
    hash: header.hash,
    time: header.time,
    transactions: readArray(wire, 'transactions').length,
    gasUsed: requireBigInt(wire, 'gasUsed'),
    gasLimit: requireBigInt(wire, 'gasLimit'),
    baseFee: parseQuantity(wire['baseFeePerGas']),
    miner: toAddressOrNull(wire['miner']) ?? ZERO_ADDRESS,
  };
}
