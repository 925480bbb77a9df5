// `walletBalances`: native balances of up to 25 wallets, all of one block, with their sum.

import { chainHexId } from '../../api/chains.ts';
import { HexLensError } from '../../base/errors.ts';
import { formatUnits } from '../../base/formatUnits.ts';
import { toQuantity } from '../../base/hex.ts';
import { worded } from '../../base/worded.ts';
import { freshnessOf, freshnessOfNow } from '../evm/evmNode.ts';
import { balancesAt } from '../evm/fetchBalances.ts';
import { headerAt } from '../evm/responseFields.ts';
import type { Handler } from '../handler.ts';

const HEADER = 'eth_getBlockByNumber';

export const walletBalances: Handler<'walletBalances'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const { toBlock, walletAddresses } = input;
  const asked = toBlock === undefined ? [] : [{ method: HEADER, params: [toQuantity(toBlock), false] }];
  const { state, answers } = await node.askAfresh(asked, signal);
  const header =
    toBlock === undefined ? state.head : node.believe(HEADER, () => headerAt(node.result(HEADER, answers[0]), toBlock));
  if (header === null) {
    throw new HexLensError(
      'not-found',
      worded(
        'Block not found: to_block is {0}, the head of {1} is {2}.',
        String(toBlock),
        node.selector,
        state.headNumber,
      ),
      {
        fix: worded('Ask for a block up to the head, or leave to_block out for the newest.'),
      },
    );
  }
  const { block, balances } = await balancesAt(node, header, walletAddresses, signal);
  const { chain } = state;
  const total = balances.reduce((sum, balance) => sum + balance, 0n);
  const output = {
    chain: chain.name,
    chainId: chainHexId(chain.id),
    totalBalance: total,
    blockNumber: block.number,
    blockTimestamp: block.time,
    totalBalanceFormatted: formatUnits(total, chain.decimals),
    walletBalances: walletAddresses.map((address, index) => {
      const balance = balances[index] ?? 0n;
      return { address, balance, balanceFormatted: formatUnits(balance, chain.decimals) };
    }),
  };
  const freshness = toBlock === undefined ? freshnessOfNow(node, state) : freshnessOf(node, state, block.number);
  return { output: [output], freshness };
};
