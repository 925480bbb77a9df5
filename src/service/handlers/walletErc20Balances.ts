// `walletErc20Balances`: what a wallet holds of each ERC-20 token, read from the contracts at one block.

import { WRAPPED_DEPOSIT } from '../../api/eventTopics.ts';
import type { erc20Balance } from '../../api/records/evmRecords.ts';
import type { InferRecord } from '../../api/records/record.ts';
import { INDEX_HEADER } from '../../api/wire/responseHeaders.ts';
import { isFault } from '../../base/errors.ts';
import { type Hex, isAddress, toQuantity } from '../../base/hex.ts';
import type { ChainAddressBook } from '../chainAddressBook.ts';
import { encodeWord } from '../evm/abiWords.ts';
import { fetchErc20Balances } from '../evm/erc20Balances.ts';
import type { EvmNode, NodeState } from '../evm/evmNode.ts';
import { getFreshness, getLiveFreshness } from '../evm/finality.ts';
import { fetchStateBlock } from '../evm/sendAtBlock.ts';
import type { Handler, HandlerContext } from '../handler.ts';
import { createTokenContractCache } from '../indexer/tokenContractCache.ts';
import { formatIndexHeader, readConsistently } from '../queries/listing.ts';
import { getSpamReason } from '../queries/spamReason.ts';
import type { TokenRow } from '../store/rows.ts';

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
async function findWrappedCoins(
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
    topics: [WRAPPED_DEPOSIT, `0x${encodeWord(wallet)}`],
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

type BalanceRecord = InferRecord<typeof erc20Balance>;

/** Tokens whose balance is read, and how far the index is that they come from. */
interface Candidates {
  readonly tokens: ReadonlyMap<Hex, TokenRow>;
  readonly wrapped: readonly Hex[];
  readonly headers: Readonly<Record<string, string>>;
}

export const walletErc20Balances: Handler<'walletErc20Balances'> = async (input, context, signal) => {
  const { address, toBlock, tokenAddresses, excludeSpam = false } = input;
  const node = await context.nodes.find(input.chain, signal);
  const book = context.getAddressBook(node.selector);
  const { tokens, wrapped, headers } =
    tokenAddresses === undefined
      ? await readCandidates(node, address, context, signal)
      : { tokens: await fetchTokens(node, tokenAddresses, signal), wrapped: [], headers: {} };
  // The index has requested the head.
  const { state, header } = await fetchStateBlock(node, toBlock, signal, tokenAddresses === undefined);
  const isShown = (token: TokenRow) =>
    !excludeSpam || getSpamReason(token, [], book.getTrust(token.tokenAddress)) === null;
  const shown = [...tokens.values()].filter(isShown);
  const further = wrapped.filter(token => !tokens.has(token));
  const addresses = [...shown.map(({ tokenAddress }) => tokenAddress), ...further];
  const { block, balances } = await fetchErc20Balances(node, address, addresses, header, signal);
  const held = further.filter(token => (balances.get(token) ?? 0n) > 0n);
  const added = held.length === 0 ? [] : [...(await fetchTokens(node, held, signal)).values()].filter(isShown);
  const output = [...shown, ...added]
    .flatMap(token => toRecord(token, balances.get(token.tokenAddress) ?? 0n, book) ?? [])
    .sort(compareRecords);
  if (headers[INDEX_HEADER] !== undefined) return { output, headers };
  const freshness = toBlock === undefined ? getLiveFreshness(node, state) : getFreshness(node, state, block.number);
  return { output, headers, freshness };
};

/** Every token that a transfer from or to the wallet names: its balance may have changed in other ways since. */
async function readCandidates(
  node: EvmNode,
  wallet: Hex,
  { indexes }: HandlerContext,
  signal: AbortSignal | undefined,
): Promise<Candidates> {
  const [indexed, wrapped] = await Promise.all([
    indexes.current(node, { kind: 'wallet', address: wallet }, signal),
    node.getState(signal).then(state => findWrappedCoins(node, state, wallet, signal)),
  ]);
  const { store, isSynced } = indexed;
  const tokens = await readConsistently(indexed, async () => store.readTokens(await store.readErc20Tokens(wallet)));
  return { tokens, wrapped, headers: isSynced ? {} : { [INDEX_HEADER]: formatIndexHeader(indexed) } };
}

/** Tokens that the request names; contracts of NFTs, which have a `balanceOf` too, are left out. */
async function fetchTokens(
  node: EvmNode,
  addresses: readonly Hex[],
  signal: AbortSignal = new AbortController().signal,
): Promise<ReadonlyMap<Hex, TokenRow>> {
  const standards = new Map(addresses.map(token => [token, 'ERC20'] as const));
  const rows = await createTokenContractCache(node).fetchRows(standards, new Map(), 0, signal);
  return new Map(rows.filter(row => row.standard === 'ERC20').map(row => [row.tokenAddress, row]));
}

function toRecord(token: TokenRow, balance: bigint, { getTrust, getLogo }: ChainAddressBook): BalanceRecord | null {
  if (balance === 0n) return null;
  const trust = getTrust(token.tokenAddress);
  return {
    tokenAddress: token.tokenAddress,
    name: token.name,
    symbol: token.symbol,
    logo: getLogo(token.tokenAddress),
    thumbnail: null,
    decimals: token.decimals,
    balance,
    possibleSpam: getSpamReason(token, [], trust) !== null,
    verifiedContract: trust === 'verified',
  };
}

/** Verified tokens first, possible spam last, then by symbol. */
function compareRecords(a: BalanceRecord, b: BalanceRecord): number {
  return getRank(a) - getRank(b) || compareTexts(a.symbol, b.symbol) || compareTexts(a.tokenAddress, b.tokenAddress);
}

const getRank = ({ possibleSpam, verifiedContract }: BalanceRecord): number =>
  verifiedContract === true ? 0 : possibleSpam === true ? 2 : 1;

const compareTexts = (a: string | null, b: string | null): number =>
  (a ?? '') < (b ?? '') ? -1 : (a ?? '') > (b ?? '') ? 1 : 0;
