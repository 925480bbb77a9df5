// Group B: EVM data ("B. EVM data" of the description), plus `transaction`, which is ours.
import {
  BALANCE_WALLETS_LENGTH,
  DATED_CHANGES_DAY,
  EVM_PAGE_SIZE,
  LOWEST_PRICE_DAYS,
  MINT_LIST_LENGTH,
  TOKEN_ADDRESSES_LENGTH,
} from '../decisions.ts';
import {
  block as blockRecord,
  chainBalances,
  contractLog,
  erc20Mint,
  nftCollection,
  nftOwner,
  nftTransfer,
  trade,
  transaction as transactionRecord,
} from '../records/evmRecords.ts';
import { operation } from './operation.ts';
import {
  blockId,
  blockNumber,
  blockNumberText,
  chainSelector,
  choice,
  date,
  evmAddress,
  flag,
  hash32,
  integer,
  list,
  opaque,
  tokenId,
} from './parameterKinds.ts';
import { blockBeatsDate, blockNumberBeatsRanges, path, query, queryList, requiredQueryList } from './parameters.ts';

const chain = query(chainSelector, 'The chain: a name (eth, sepolia, local) or a hex chain id.');
const format = query(choice('decimal', 'hex'), 'How token ids are written; decimal when absent.');
const limit = query(integer(EVM_PAGE_SIZE.min, EVM_PAGE_SIZE.max), 'Records per page; 100 when absent.');
const disableTotal = query(flag, 'Skip the total count; true when absent.');
const cursor = query(opaque, 'The cursor of the answer before, for the next page.');
const paging = { limit, disableTotal, cursor };
const fromBlock = query(blockNumber, 'First block, inclusive.');
const toBlock = query(blockNumber, 'Last block, inclusive.');
const fromDate = query(date, 'First moment; a block given for the same end is used instead.');
const toDate = query(date, 'Last moment; a block given for the same end is used instead.');
const range = { fromBlock, toBlock, fromDate, toDate };
const collection = path(evmAddress, 'The NFT contract.');
const token = path(tokenId, 'The token id, decimal or hex.');
const excludeSpam = query(flag, 'Leave out what is marked as possible spam.');
const metadata = {
  normalizeMetadata: query(flag, 'Add the metadata in one common shape.', { wire: 'normalizeMetadata' }),
  mediaItems: query(flag, 'Add preview media.'),
};

export const walletNftTransfers = operation('walletNftTransfers', {
  group: 'evm',
  method: 'GET',
  path: '/:address/nft/transfers',
  title: 'NFT Transfers of a Wallet',
  summary: 'NFT transfers that a wallet sent or received, newest first.',
  parameters: {
    address: path(evmAddress, 'The wallet: sender or recipient.'),
    chain,
    format,
    direction: query(choice('both', 'from', 'to'), 'Which side the wallet is on; both when absent.', {
      until: DATED_CHANGES_DAY,
    }),
    ...range,
    toBlock: query(blockNumberText, 'Last block, inclusive.'),
    ...paging,
  },
  precedence: blockBeatsDate,
  reply: { shape: 'page', record: nftTransfer, envelope: 'transfers', status: 200 },
});

export const contractLogs = operation('contractLogs', {
  group: 'evm',
  method: 'GET',
  path: '/:address/logs',
  title: 'Logs of a Contract',
  summary: 'Event logs of one contract by block, range of blocks or dates, and topics, newest first.',
  parameters: {
    address: path(evmAddress, 'The contract.'),
    chain,
    blockNumber: query(blockNumberText, 'One block; beats every range.'),
    fromBlock: query(blockNumberText, 'First block, inclusive; beats dates.'),
    toBlock: query(blockNumberText, 'Last block, inclusive; beats dates.'),
    fromDate,
    toDate,
    topic0: query(hash32, 'The event topic.', { requiredSince: DATED_CHANGES_DAY }),
    topic1: query(hash32, 'The first indexed argument.', { until: DATED_CHANGES_DAY }),
    topic2: query(hash32, 'The second indexed argument.', { until: DATED_CHANGES_DAY }),
    topic3: query(hash32, 'The third indexed argument.', { until: DATED_CHANGES_DAY }),
    ...paging,
  },
  precedence: blockNumberBeatsRanges,
  reply: { shape: 'page', record: contractLog, envelope: 'plain', status: 200 },
  retired: '2024-12-06',
});

export const nftOwners = operation('nftOwners', {
  group: 'evm',
  method: 'GET',
  path: '/nft/:address/:token_id/owners',
  title: 'Owners of an NFT',
  summary: 'Who owns one token; an unindexed contract starts indexing.',
  parameters: { address: collection, tokenId: token, chain, format, ...paging, ...metadata },
  reply: { shape: 'page', record: nftOwner, envelope: 'status', status: 200 },
});

export const contractNftTransfers = operation('contractNftTransfers', {
  group: 'evm',
  method: 'GET',
  path: '/nft/:address/transfers',
  title: 'NFT Transfers of a Contract',
  summary: 'Transfers of every token of one NFT contract, newest first.',
  parameters: { address: collection, chain, ...range, format, ...paging },
  precedence: blockBeatsDate,
  reply: { shape: 'page', record: nftTransfer, envelope: 'transfers', status: 200 },
});

export const walletNfts = operation('walletNfts', {
  group: 'evm',
  method: 'GET',
  path: '/:address/nft',
  title: 'NFTs of a Wallet',
  summary: 'NFTs that a wallet owns; an unindexed contract named in token_addresses starts indexing.',
  parameters: {
    address: path(evmAddress, 'The wallet.'),
    chain,
    format,
    limit,
    disableTotal,
    excludeSpam,
    tokenAddresses: queryList(list(evmAddress, TOKEN_ADDRESSES_LENGTH), 'Only these contracts.'),
    cursor,
    ...metadata,
  },
  reply: { shape: 'page', record: nftOwner, envelope: 'status', status: 200 },
});

export const nftTransfers = operation('nftTransfers', {
  group: 'evm',
  method: 'GET',
  path: '/nft/transfers',
  title: 'NFT Transfers Between Blocks',
  summary: 'Every NFT transfer of the chain in a range of blocks or dates, newest first.',
  parameters: { chain, ...range, format, ...paging },
  precedence: blockBeatsDate,
  reply: { shape: 'page', record: nftTransfer, envelope: 'transfers', status: 200 },
  retired: '2024-10-24',
});

const mintList = (doc: string) => queryList(list(evmAddress, MINT_LIST_LENGTH), doc);

export const erc20Mints = operation('erc20Mints', {
  group: 'evm',
  method: 'GET',
  path: '/erc20/mints',
  title: 'ERC-20 Mints',
  summary: 'ERC-20 mints, by block number descending.',
  parameters: {
    chain,
    fromBlock,
    toBlock,
    limit,
    contractAddresses: mintList('Only these tokens.'),
    excludeContracts: mintList('Not these tokens.'),
    walletAddresses: mintList('Only these recipients.'),
    excludeWallets: mintList('Not these recipients.'),
    cursor,
  },
  reply: { shape: 'page', record: erc20Mint, envelope: 'plain', status: 200 },
  retired: DATED_CHANGES_DAY,
});

export const tokenNftTransfers = operation('tokenNftTransfers', {
  group: 'evm',
  method: 'GET',
  path: '/nft/:address/:token_id/transfers',
  title: 'Transfers of an NFT',
  summary: 'Transfers of one token, newest first.',
  parameters: { address: collection, tokenId: token, chain, format, ...paging },
  reply: { shape: 'page', record: nftTransfer, envelope: 'transfers', status: 200 },
});

export const block = operation('block', {
  group: 'evm',
  method: 'GET',
  path: '/block/:block_number_or_hash',
  title: 'Block',
  summary: 'A block by number or hash with its transactions and their logs.',
  parameters: {
    block: path(blockId, 'Block number or block hash.', { wire: 'block_number_or_hash' }),
    chain,
    include: query(choice('internal_transactions'), 'internal_transactions adds the calls inside each transaction.'),
  },
  reply: { shape: 'record', record: blockRecord, status: 200 },
});

export const transaction = operation('transaction', {
  group: 'evm',
  method: 'GET',
  path: '/transaction/:transaction_hash',
  title: 'Transaction',
  summary: 'A transaction by hash: the same record as inside a block.',
  parameters: {
    hash: path(hash32, 'The transaction hash.', { wire: 'transaction_hash' }),
    chain,
    include: query(choice('internal_transactions'), 'internal_transactions adds the calls inside the transaction.'),
  },
  reply: { shape: 'record', record: transactionRecord, status: 200 },
  ours: true,
});

export const walletNftCollections = operation('walletNftCollections', {
  group: 'evm',
  method: 'GET',
  path: '/:address/nft/collections',
  title: 'NFT Collections of a Wallet',
  summary: 'The collections that a wallet owns NFTs of.',
  parameters: { address: path(evmAddress, 'The wallet.'), chain, limit, disableTotal, excludeSpam, cursor },
  reply: { shape: 'page', record: nftCollection, envelope: 'status', status: 200 },
});

export const nftLowestPrice = operation('nftLowestPrice', {
  group: 'evm',
  method: 'GET',
  path: '/nft/:address/lowestprice',
  title: 'Lowest NFT Price',
  summary: 'The trade with the lowest price paid in the native coin within the last days.',
  parameters: {
    address: collection,
    chain,
    days: query(integer(LOWEST_PRICE_DAYS.min, LOWEST_PRICE_DAYS.max), 'Look-back window in days; 7 when absent.'),
    marketplace: query(choice('opensea'), 'The marketplace; only opensea is known.'),
  },
  reply: { shape: 'record', record: trade, status: 200 },
  retired: '2024-10-24',
});

export const walletBalances = operation('walletBalances', {
  group: 'evm',
  method: 'GET',
  path: '/wallets/balances',
  title: 'Native Balances of Wallets',
  summary: 'Native coin balances of up to 25 wallets, with their sum.',
  parameters: {
    walletAddresses: requiredQueryList(list(evmAddress, BALANCE_WALLETS_LENGTH), 'The wallets.'),
    chain,
    toBlock: query(blockNumber, 'The block at which balances are read; the latest when absent.'),
  },
  reply: { shape: 'array', record: chainBalances, status: 200 },
});
