// `walletBalances`: native balances of up to 25 wallets, all of one block, with their sum.
import { toHexChainId } from '../../api/chains.ts';
import { HexLensError } from '../../base/errors.ts';
import { formatUnits } from '../../base/formatUnits.ts';
import { type Hex, parseQuantity, toQuantity } from '../../base/hex.ts';
import { localizable } from '../../base/localize.ts';
import { type BlockHeader, HEADER_METHOD, parseHeaderAt, toHeaderCall } from '../evm/blockHeader.ts';
import { type EvmNode, getFreshness, getLiveFreshness } from '../evm/evmNode.ts';
import type { RpcResponse } from '../evm/rpcMessage.ts';
import type { Handler } from '../handler.ts';

// Native balances of several accounts at one and the same block.
const BALANCE = 'eth_getBalance';
/** A block may be replaced between the calls: then the balances of the new one are fetched. */
const MAX_ATTEMPTS = 3;

/** The node has the block but not its state: pruned, or not an archive node. */
const MISSING_STATE =
  /missing trie node|state|prun|archive|history|header not found|out ?of ?range|unknown block|not available/i;

/** In the order of the addresses. Rejects with `node-error` when the node no longer has the block's state. */
async function fetchBalances(
  node: EvmNode,
  block: BlockHeader,
  addresses: readonly Hex[],
  signal: AbortSignal | undefined,
): Promise<{ readonly block: BlockHeader; readonly balances: readonly bigint[] }> {
  if (node.cache.takesBlockHash !== false) {
    const blockByHash = { blockHash: block.hash, requireCanonical: false };
    const responses = await node.rpc.sendAll(toBalanceCalls(addresses, blockByHash), signal);
    if (responses.every(response => response.error === undefined)) {
      node.cache.takesBlockHash = true;
      return { block, balances: parseBalances(node, responses) };
    }
    // Either the node does not know EIP-1898 or the block is gone: the calls by block number tell which.
  }
  let current = block;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { responses, header } = await fetchByNumber(node, addresses, current.number, signal);
    if (header === null) throw node.rpc.invalidResponse(HEADER_METHOD, `block ${current.number} is gone`);
    if (header.hash === current.hash) {
      const balances = parseBalances(node, responses);
      node.cache.takesBlockHash ??= false; // the same calls worked by number
      return { block: current, balances };
    }
    current = header;
  }
  throw node.rpc.invalidResponse(HEADER_METHOD, `block ${current.number} changes again and again`);
}

const toBalanceCalls = (addresses: readonly Hex[], block: unknown) =>
  addresses.map(address => ({ method: BALANCE, params: [address, block] as readonly unknown[] }));

/** The header is the last call, so that it is not older than the balances. */
async function fetchByNumber(
  node: EvmNode,
  addresses: readonly Hex[],
  number: number,
  signal: AbortSignal | undefined,
): Promise<{ readonly responses: readonly RpcResponse[]; readonly header: BlockHeader | null }> {
  const calls = [...toBalanceCalls(addresses, toQuantity(number)), toHeaderCall(number)];
  const responses = await node.rpc.sendAll(calls, signal);
  const result = node.getResult(HEADER_METHOD, responses.at(-1));
  const header = node.validate(HEADER_METHOD, () => parseHeaderAt(result, number));
  return { responses: responses.slice(0, -1), header };
}

function parseBalances(node: EvmNode, responses: readonly RpcResponse[]): bigint[] {
  return responses.map(({ error, result }) => {
    if (error !== undefined)
      throw MISSING_STATE.test(error.message)
        ? node.rpc.faults.missingState(error)
        : node.rpc.faults.fromRpcError(BALANCE, error);
    const balance = parseQuantity(result);
    if (balance === null) throw node.rpc.invalidResponse(BALANCE, 'it is not a quantity');
    return balance;
  });
}

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
