// Tokens that a wallet may hold although no Transfer names it: WETH and its relatives log what they wrap as Deposit.
import { isFault } from '../../base/errors.ts';
import { type Hex, isAddress, toQuantity } from '../../base/hex.ts';
import { encodeWord } from './abiWords.ts';
import type { EvmNode, NodeState } from './evmNode.ts';

/** `Deposit(address indexed dst, uint256 wad)`. */
const DEPOSIT = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c';
/** Contracts of a development chain that are looked at for one wallet. */
const MAX_CONTRACTS = 100;

/** The contract that wraps the coin of a public chain, by chain id. */
const WRAPPED_COINS: Readonly<Record<number, Hex>> = {
  1: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  10: '0x4200000000000000000000000000000000000006',
  56: '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c',
  100: '0xe91d153e0b41518a2ce8dd3d7944fa863463a97d',
  137: '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270',
  8453: '0x4200000000000000000000000000000000000006',
  42161: '0x82af49447d8a07e3bd95bd0d56f35241523fbab1',
  43114: '0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7',
  11155111: '0xfff9976782d46cc05630d1f6ebab18b2324d6b14',
};

/** In lower case. On a development chain every contract that logged a Deposit of the wallet; of a fork, its own blocks only. */
export async function findWrappedCoins(
  node: EvmNode,
  { chain, fork, isDevelopment }: NodeState,
  wallet: Hex,
  signal: AbortSignal | undefined,
): Promise<readonly Hex[]> {
  const known = WRAPPED_COINS[chain.id];
  const found = new Set<Hex>(known === undefined ? [] : [known]);
  const firstBlock = fork === null ? 0 : fork.block === null ? null : fork.block + 1;
  if (!isDevelopment || firstBlock === null) return [...found];
  const filter = {
    fromBlock: toQuantity(firstBlock),
    toBlock: 'latest',
    topics: [DEPOSIT, `0x${encodeWord(wallet)}`],
  };
  // Without an answer, or with too long a one, only these balances are missing.
  const { result } = await node.rpc.send('eth_getLogs', [filter], signal).catch(error => {
    if (isFault(error, 'cancelled')) throw error;
    return { result: null };
  });
  for (const log of Array.isArray(result) ? (result as readonly { readonly address?: unknown }[]) : []) {
    const address = log?.address;
    if (typeof address === 'string' && isAddress(address) && found.size < MAX_CONTRACTS)
      found.add(address.toLowerCase() as Hex);
  }
  return [...found];
}
