// `blockSummary`: a block by height, without its transactions.

import type { Chain } from '../../api/chains.ts';
import type { BlockSummary } from '../../api/lookups.ts';
import { quantity, toQuantity, ZERO_ADDRESS } from '../../base/hex.ts';
import { freshnessOf, freshnessOfNow } from '../evm/evmNode.ts';
import { addressOrNull, amountIn, type Header, headerAt, listIn } from '../evm/responseFields.ts';
import type { Lookup } from './lookup.ts';

const METHOD = 'eth_getBlockByNumber';

export const blockSummary: Lookup<'blockSummary'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const { state, answers } = await node.ask([{ method: METHOD, params: [toQuantity(input.block), false] }], signal);
  const result = node.result(METHOD, answers[0]);
  const { chain } = state;
  const header = node.believe(METHOD, () => headerAt(result, input.block));
  if (header === null) return { value: { kind: 'nothing', chain }, freshness: freshnessOfNow(node, state) };
  const value = node.believe(METHOD, () => summaryOfHeader(chain, header));
  return { value, freshness: freshnessOf(node, state, header.number) };
};

/** Throws `Implausible` when a field that every block has is missing. */
export function summaryOfHeader(chain: Chain, header: Header): BlockSummary {
  const { wire } = header;
  return {
    kind: 'block',
    chain,
    number: header.number,
    hash: header.hash,
    time: header.time,
    transactions: listIn(wire, 'transactions').length,
    gasUsed: amountIn(wire, 'gasUsed'),
    gasLimit: amountIn(wire, 'gasLimit'),
    baseFee: quantity(wire['baseFeePerGas']),
    miner: addressOrNull(wire['miner']) ?? ZERO_ADDRESS,
  };
}
