// `walletBalances`: native balances of up to 25 wallets, all of one block, with their sum.
import { toHexChainId } from '../../api/chains.ts';
import { HexLensError } from '../../base/errors.ts';
import { formatUnits } from '../../base/formatUnits.ts';
import { localizable } from '../../base/localize.ts';
import { HEADER_METHOD, parseHeaderAt, toHeaderCall } from '../evm/blockHeader.ts';
import { getFreshness, getLiveFreshness } from '../evm/evmNode.ts';
import { fetchBalances } from '../evm/fetchBalances.ts';
import type { Handler } from '../handler.ts';

export const walletBalances: Handler<'walletBalances'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const { toBlock, walletAddresses } = input;
  const calls = toBlock === undefined ? [] : [toHeaderCall(toBlock)];
  const { state, responses } = await node.sendWithFreshState(calls, signal);
  const header =
    toBlock === undefined
      ? state.head
      : node.validate(HEADER_METHOD, () => parseHeaderAt(node.getResult(HEADER_METHOD, responses[0]), toBlock));
  if (header === null) {
    const { headNumber } = state;
    throw new HexLensError(
      'not-found',
      localizable(
        'Block not found: to_block is {0}, the head of {1} is {2}.',
        String(toBlock),
        node.selector,
        headNumber,
      ),
      { fix: localizable('Use a block up to the head, or leave to_block out for the newest.') },
    );
  }
  const { block, balances } = await fetchBalances(node, header, walletAddresses, signal);
  const { chain } = state;
  const total = balances.reduce((sum, balance) => sum + balance, 0n);
  const output = {
    chain: chain.name,
    chainId: toHexChainId(chain.id),
    totalBalance: total,
    blockNumber: block.number,
    blockTimestamp: block.time,
    totalBalanceFormatted: formatUnits(total, chain.decimals),
    walletBalances: walletAddresses.map((address, index) => {
      const balance = balances[index] ?? 0n;
      return { address, balance, balanceFormatted: formatUnits(balance, chain.decimals) };
    }),
  };
  const freshness = toBlock === undefined ? getLiveFreshness(node, state) : getFreshness(node, state, block.number);
  return { output: [output], freshness };
};
