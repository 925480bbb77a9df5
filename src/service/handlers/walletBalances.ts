// `walletBalances`: native balances of up to 25 wallets, all of one block, with their sum.
import { toHexChainId } from '../../api/chains.ts';
import { formatUnits } from '../../base/formatUnits.ts';
import { parseQuantity } from '../../base/hex.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { getFreshness, getLiveFreshness } from '../evm/finality.ts';
import type { RpcResponse } from '../evm/rpcMessage.ts';
import { fetchStateBlock, sendAtBlock, toStateFault } from '../evm/sendAtBlock.ts';
import type { Handler } from '../handler.ts';

function parseBalances(node: EvmNode, responses: readonly RpcResponse[]): bigint[] {
  return responses.map(({ error, result }) => {
    if (error !== undefined) throw toStateFault(node, 'eth_getBalance', error);
    const balance = parseQuantity(result);
    if (balance === null) throw node.rpc.invalidResponse('eth_getBalance', 'it is not a quantity');
    return balance;
  });
}

export const walletBalances: Handler<'walletBalances'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const { toBlock, walletAddresses } = input;
  const { state, header } = await fetchStateBlock(node, toBlock, signal);
  const toCalls = (id: unknown) =>
    walletAddresses.map(address => ({ method: 'eth_getBalance', params: [address, id] }));
  const { block, responses } = await sendAtBlock(node, header, toCalls, signal);
  const balances = parseBalances(node, responses);
  const { chain } = state;
  // A wallet that is given twice is still one wallet.
  const balanceByWallet = new Map(walletAddresses.map((address, index) => [address, balances[index] ?? 0n]));
  const total = [...balanceByWallet.values()].reduce((sum, balance) => sum + balance, 0n);
  const output = {
    chain: chain.name,
    chainId: toHexChainId(chain.id),
    totalBalance: total,
    blockNumber: block.number,
    blockTimestamp: block.time,
    totalBalanceFormatted: formatUnits(total, chain.decimals),
    walletBalances: walletAddresses.map(address => {
      const balance = balanceByWallet.get(address) ?? 0n;
      return { address, balance, balanceFormatted: formatUnits(balance, chain.decimals) };
    }),
  };
  const freshness = toBlock === undefined ? getLiveFreshness(node, state) : getFreshness(node, state, block.number);
  return { output: [output], freshness };
};
