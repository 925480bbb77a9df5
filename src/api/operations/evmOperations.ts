// Group B: EVM data ("B. EVM data" of the description), and additions that it does not have, marked as `ours`.
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
  erc20Balance,
  erc20Mint,
  erc20Transfer,
  nftCollection,
  nftOwner,
  nftTransfer,
  trade,
  transaction as transactionRecord,
  walletTransaction,
} from '../records/evmRecords.ts';
import { defineOperations } from './operation.ts';
import {
  blockId,
  blockNumber,
  blockNumberText,
  chainSelector,
  choice,
  date,
  eventTopic,
  evmAddress,
  flag,
  hash32,
  indexedTopic,
  integer,
  list,
  opaque,
  tokenId,
} from './parameterKinds.ts';
import {
  blockBeatsDate,
  blockNumberBeatsRanges,
  type CreateRecordFilter,
  path,
  query,
  queryList,
  requiredQueryList,
} from './parameters.ts';

const chain = query(chainSelector, 'The chain: a name (eth, sepolia, local) or a hex chain id.');
const format = query(choice('decimal', 'hex'), 'How token ids are written; decimal when absent.');
const limit = query(
  integer(EVM_PAGE_SIZE.min, EVM_PAGE_SIZE.max),
  `Records per page; ${EVM_PAGE_SIZE.default} when absent.`,
);
const disableTotal = query(flag, 'Skip the total count; true when absent.', { isDeprecatedSoon: true });
const cursor = query(opaque, 'The cursor of the previous page.');
const paging = { limit, disableTotal, cursor };
const fromBlock = query(blockNumber, 'First block, inclusive.');
const toBlock = query(blockNumber, 'Last block, inclusive.');
const fromDate = query(date, 'First moment; a block given for the same end is used instead.');
const toDate = query(date, 'Last moment; a block given for the same end is used instead.');
const range = { fromBlock, toBlock, fromDate, toDate };
const order = query(choice('desc', 'asc'), 'By block: newest first (desc) or oldest first (asc); desc when absent.');
const wallet = path(evmAddress, 'The wallet.');
const collection = path(evmAddress, 'The NFT contract.');
const token = path(tokenId, 'The token id, decimal or hex.');
const excludeSpam = query(flag, 'Leave out what is marked as possible spam.');
const metadata = {
  normalizeMetadata: query(flag, 'Add the metadata in one common shape.', { wire: 'normalizeMetadata' }),
  mediaItems: query(flag, 'Add preview media.'),
};

const filterByDirection: CreateRecordFilter = ({ address, direction }) =>
  direction === 'both' ? null : record => record[direction === 'from' ? 'fromAddress' : 'toAddress'] === address;
/** A topic that hosts do not filter by any more. */
const removedTopic = (name: string, doc: string) =>
  query(indexedTopic, doc, {
    removedSince: DATED_CHANGES_DAY,
    createFilter: input => record => record[name] === input[name],
  });
const addressList = (doc: string) => queryList(list(evmAddress, MINT_LIST_LENGTH), doc);

export const evmOperations = defineOperations('evm', {
  walletNftTransfers: {
    method: 'GET',
    path: '/:address/nft/transfers',
    title: 'NFT Transfers of a Wallet',
    summary: 'NFT transfers that a wallet sent or received, newest first.',
    parameters: {
      address: path(evmAddress, 'The wallet: sender or recipient.'),
      chain,
      format,
      direction: query(choice('both', 'from', 'to'), 'Which side the wallet is on; both when absent.', {
        removedSince: DATED_CHANGES_DAY,
        createFilter: filterByDirection,
      }),
      ...range,
      toBlock: query(blockNumberText, 'Last block, inclusive.'),
      ...paging,
    },
    precedence: blockBeatsDate,
    reply: { shape: 'page', record: nftTransfer, envelope: 'transfers', status: 200 },
    traits: {
      source: 'index',
      histogram: 'transfers',
      addressTab: { id: 'transfers', label: 'NFT transfers', position: 11, for: 'holder', parameter: 'address' },
      treeSections: [
        {
          key: 'nftTransfers',
          title: 'NFT Transfers',
          icon: 'arrow-swap',
          below: { wallet: 7, contract: 11 },
          parameter: 'address',
          rows: 'transfer',
          for: 'holder',
        },
      ],
    },
  },

  contractLogs: {
    method: 'GET',
    path: '/:address/logs',
    title: 'Logs of a Contract',
    summary: 'Event logs of one contract by block, range of blocks or dates, and topics, newest first.',
    parameters: {
      address: path(evmAddress, 'The contract.'),
      chain,
      blockNumber: query(blockNumberText, 'One block; takes precedence over ranges.'),
      fromBlock: query(blockNumberText, 'First block, inclusive; takes precedence over dates.'),
      toBlock: query(blockNumberText, 'Last block, inclusive; takes precedence over dates.'),
      fromDate,
      toDate,
      topic0: query(eventTopic, 'The event topic.', { requiredSince: DATED_CHANGES_DAY }),
      topic1: removedTopic('topic1', 'The first indexed argument.'),
      topic2: removedTopic('topic2', 'The second indexed argument.'),
      topic3: removedTopic('topic3', 'The third indexed argument.'),
      ...paging,
    },
    precedence: blockNumberBeatsRanges,
    reply: { shape: 'page', record: contractLog, envelope: 'plain', status: 200 },
    traits: {
      source: 'logs',
      isLive: true,
      histogram: 'logs',
      addressTab: { id: 'logs', label: 'Logs', position: 1, for: 'contract', parameter: 'address' },
      treeSections: [
        {
          key: 'logs',
          title: 'Logs',
          icon: 'list-flat',
          below: { contract: 2, collection: 4 },
          parameter: 'address',
          rows: 'log',
          for: 'contract',
        },
      ],
    },
    retiredSince: '2024-12-06',
  },

  nftOwners: {
    method: 'GET',
    path: '/nft/:address/:token_id/owners',
    title: 'Owners of an NFT',
    summary:
      'Who holds one NFT of a contract, and how many pieces of it; the first request reads the transfers of the contract.',
    parameters: { address: collection, tokenId: token, chain, format, ...paging, ...metadata },
    reply: { shape: 'page', record: nftOwner, envelope: 'status', status: 200 },
    traits: {
      source: 'index',
      hasImages: true,
      treeSections: [
        {
          key: 'owners',
          title: 'Owners',
          icon: 'person',
          below: { token: 1 },
          parameter: 'address',
          rows: 'owner',
        },
      ],
    },
  },

  contractNftOwners: {
    method: 'GET',
    path: '/nft/:address/owners',
    title: 'Tokens and Owners of an NFT Contract',
    summary: 'Every token of one NFT contract with its owner, by the last change of hands, newest first.',
    parameters: { address: collection, chain, format, ...paging, ...metadata },
    reply: { shape: 'page', record: nftOwner, envelope: 'status', status: 200 },
    traits: {
      source: 'index',
      hasImages: true,
      addressTab: { id: 'collectionTokens', label: 'Tokens', position: 2, for: 'nft', parameter: 'address' },
    },
    ours: true,
  },

  contractNftTransfers: {
    method: 'GET',
    path: '/nft/:address/transfers',
    title: 'NFT Transfers of a Contract',
    summary: 'Transfers of every token of one NFT contract, newest first.',
    parameters: { address: collection, chain, ...range, format, ...paging },
    precedence: blockBeatsDate,
    reply: { shape: 'page', record: nftTransfer, envelope: 'transfers', status: 200 },
    traits: {
      source: 'index',
      histogram: 'transfers',
      addressTab: { id: 'tokenTransfers', label: 'Token transfers', position: 3, for: 'nft', parameter: 'address' },
      treeSections: [
        {
          key: 'tokens',
          title: 'Tokens and Owners',
          icon: 'symbol-color',
          below: { collection: 1, contract: 3 },
          parameter: 'address',
          rows: 'token',
          for: 'nft',
        },
        {
          key: 'transfers',
          title: 'NFT Transfers',
          icon: 'arrow-swap',
          below: { collection: 2, contract: 4 },
          parameter: 'address',
          rows: 'transfer',
          for: 'nft',
        },
      ],
    },
  },

  walletNfts: {
    method: 'GET',
    path: '/:address/nft',
    title: 'NFTs of a Wallet',
    summary:
      'NFTs that a wallet owns now, of all contracts or of those that are named; the first request of a contract reads its transfers.',
    parameters: {
      address: wallet,
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
    traits: {
      source: 'index',
      hasImages: true,
      addressTab: { id: 'nfts', label: 'NFTs', position: 10, for: 'holder', parameter: 'address' },
      treeSections: [
        {
          key: 'nfts',
          title: 'NFTs',
          icon: 'symbol-color',
          below: { wallet: 3, contract: 10 },
          parameter: 'address',
          rows: 'nft',
          for: 'holder',
        },
      ],
    },
  },

  nftTransfers: {
    method: 'GET',
    path: '/nft/transfers',
    title: 'NFT Transfers Between Blocks',
    summary: 'Every NFT transfer of the chain in a range of blocks or dates, newest first.',
    parameters: { chain, ...range, format, ...paging },
    precedence: blockBeatsDate,
    reply: { shape: 'page', record: nftTransfer, envelope: 'transfers', status: 200 },
    traits: { source: 'index', histogram: 'transfers' },
    retiredSince: '2024-10-24',
  },

  erc20Mints: {
    method: 'GET',
    path: '/erc20/mints',
    title: 'ERC-20 Mints',
    summary: 'Amounts of ERC-20 tokens that were newly created, newest first.',
    parameters: {
      chain,
      fromBlock,
      toBlock,
      limit,
      contractAddresses: addressList('Only these tokens.'),
      excludeContracts: addressList('Not these tokens.'),
      walletAddresses: addressList('Only these recipients.'),
      excludeWallets: addressList('Not these recipients.'),
      disableTotal,
      cursor,
    },
    reply: { shape: 'page', record: erc20Mint, envelope: 'plain', status: 200 },
    traits: {
      source: 'index',
      addressTab: { id: 'mints', label: 'Mints', position: 6, for: 'erc20', parameter: 'contractAddresses' },
      treeSections: [
        {
          key: 'mints',
          title: 'ERC-20 Mints',
          icon: 'sparkle',
          below: { wallet: 8 },
          parameter: 'walletAddresses',
          rows: 'mint',
        },
        {
          key: 'mints',
          title: 'ERC-20 Mints',
          icon: 'sparkle',
          below: { contract: 7 },
          parameter: 'contractAddresses',
          rows: 'mint',
          for: 'erc20',
        },
      ],
    },
    deprecatedSince: DATED_CHANGES_DAY,
    retiredSince: DATED_CHANGES_DAY,
  },

  tokenNftTransfers: {
    method: 'GET',
    path: '/nft/:address/:token_id/transfers',
    title: 'Transfers of an NFT',
    summary: 'How one NFT changed hands, newest first.',
    parameters: { address: collection, tokenId: token, chain, format, ...paging },
    reply: { shape: 'page', record: nftTransfer, envelope: 'transfers', status: 200 },
    traits: {
      source: 'index',
      histogram: 'transfers',
      treeSections: [
        {
          key: 'transfers',
          title: 'Transfers',
          icon: 'arrow-swap',
          below: { token: 2 },
          parameter: 'address',
          rows: 'transfer',
        },
      ],
    },
  },

  block: {
    method: 'GET',
    path: '/block/:block_number_or_hash',
    title: 'Block',
    summary: 'A block by number or hash with its transactions and their logs.',
    parameters: {
      block: path(blockId, 'Block number or block hash.', { wire: 'block_number_or_hash' }),
      chain,
      include: query(choice('internal_transactions'), 'Adds the calls inside each transaction.'),
    },
    reply: { shape: 'record', record: blockRecord, status: 200 },
    traits: { source: 'node' },
  },

  transaction: {
    method: 'GET',
    path: '/transaction/:transaction_hash',
    title: 'Transaction',
    summary: 'A transaction by its hash: who sent what to whom, its fee, its logs and the calls inside it.',
    parameters: {
      hash: path(hash32, 'The transaction hash.', { wire: 'transaction_hash' }),
      chain,
      include: query(choice('internal_transactions'), 'Adds the calls inside the transaction.'),
    },
    reply: { shape: 'record', record: transactionRecord, status: 200 },
    traits: { source: 'node' },
    ours: true,
  },

  walletNftCollections: {
    method: 'GET',
    path: '/:address/nft/collections',
    title: 'NFT Collections of a Wallet',
    summary: 'The collections that a wallet owns NFTs of.',
    parameters: { address: wallet, chain, limit, disableTotal, excludeSpam, cursor },
    reply: { shape: 'page', record: nftCollection, envelope: 'status', status: 200 },
    traits: {
      source: 'index',
      addressTab: { id: 'collections', label: 'Collections', position: 12, for: 'holder', parameter: 'address' },
      treeSections: [
        {
          key: 'collections',
          title: 'NFT Collections',
          icon: 'library',
          below: { wallet: 4 },
          parameter: 'address',
          rows: 'collection',
        },
      ],
    },
  },

  nftLowestPrice: {
    method: 'GET',
    path: '/nft/:address/lowestprice',
    title: 'Lowest NFT Price',
    summary: 'The cheapest sale of a collection in the last days, paid in the coin of the chain.',
    parameters: {
      address: collection,
      chain,
      days: query(
        integer(LOWEST_PRICE_DAYS.min, LOWEST_PRICE_DAYS.max),
        `Look-back window in days; ${LOWEST_PRICE_DAYS.default} when absent.`,
      ),
      marketplace: query(choice('opensea'), 'The marketplace; only opensea is known.'),
      format,
    },
    reply: { shape: 'record', record: trade, status: 200 },
    traits: {
      source: 'index',
      addressTab: { id: 'lowest', label: 'Lowest price', position: 4, for: 'nft', parameter: 'address' },
      treeSections: [
        {
          key: 'price',
          title: 'Lowest Price',
          icon: 'tag',
          below: { collection: 3, contract: 5 },
          parameter: 'address',
          rows: 'trade',
          for: 'nft',
        },
      ],
    },
    retiredSince: '2024-10-24',
  },

  walletBalances: {
    method: 'GET',
    path: '/wallets/balances',
    title: 'Native Balances of Wallets',
    summary: `Native coin balances of up to ${BALANCE_WALLETS_LENGTH.max} wallets, with their sum.`,
    parameters: {
      walletAddresses: requiredQueryList(list(evmAddress, BALANCE_WALLETS_LENGTH), 'The wallets.'),
      chain,
      toBlock: query(blockNumber, 'The block at which balances are read; the latest when absent.'),
    },
    reply: { shape: 'array', record: chainBalances, status: 200 },
    traits: {
      source: 'node',
      treeSections: [
        {
          key: 'balance',
          title: 'Balance',
          icon: 'credit-card',
          below: { wallet: 1, contract: 1, collection: 5 },
          parameter: 'walletAddresses',
          rows: 'balance',
        },
      ],
    },
  },

  walletTransactions: {
    method: 'GET',
    path: '/:address',
    title: 'Transactions of a Wallet',
    summary:
      'Transactions that an address sent or received, and the one that created it; on development chains also those that only paid it from inside. What could not be read is named.',
    parameters: {
      address: path(evmAddress, 'The wallet: sender or recipient.'),
      chain,
      ...range,
      include: query(choice('internal_transactions'), 'Adds the calls inside each transaction.'),
      order,
      limit,
      cursor,
    },
    precedence: blockBeatsDate,
    reply: { shape: 'page', record: walletTransaction, envelope: 'plain', status: 200 },
    traits: {
      source: 'index',
      addressTab: { id: 'transactions', label: 'Transactions', position: 7, for: 'all', parameter: 'address' },
      treeSections: [
        {
          key: 'transactions',
          title: 'Transactions',
          icon: 'list-ordered',
          below: { wallet: 5, contract: 8 },
          parameter: 'address',
          rows: 'transaction',
        },
      ],
    },
    ours: true,
  },

  walletErc20Balances: {
    method: 'GET',
    path: '/:address/erc20',
    title: 'ERC-20 Balances of a Wallet',
    summary: 'What a wallet holds of each ERC-20 token, read from the contracts at one block.',
    parameters: {
      address: wallet,
      chain,
      toBlock: query(blockNumber, 'The block at which balances are read; the latest when absent.'),
      tokenAddresses: queryList(list(evmAddress, TOKEN_ADDRESSES_LENGTH), 'Only these tokens.'),
      excludeSpam,
    },
    reply: { shape: 'array', record: erc20Balance, status: 200 },
    traits: {
      source: 'index',
      addressTab: { id: 'tokens', label: 'ERC-20 tokens', position: 8, for: 'holder', parameter: 'address' },
      treeSections: [
        {
          key: 'erc20',
          title: 'ERC-20 Tokens',
          icon: 'circle-large-outline',
          below: { wallet: 2, contract: 9 },
          parameter: 'address',
          rows: 'erc20Balance',
          for: 'holder',
        },
      ],
    },
    ours: true,
  },

  walletErc20Transfers: {
    method: 'GET',
    path: '/:address/erc20/transfers',
    title: 'ERC-20 Transfers of a Wallet',
    summary: 'ERC-20 transfers that a wallet sent or received.',
    parameters: {
      address: path(evmAddress, 'The wallet: sender or recipient.'),
      chain,
      contractAddresses: queryList(list(evmAddress, TOKEN_ADDRESSES_LENGTH), 'Only these tokens.'),
      ...range,
      order,
      limit,
      cursor,
    },
    precedence: blockBeatsDate,
    reply: { shape: 'page', record: erc20Transfer, envelope: 'plain', status: 200 },
    traits: {
      source: 'index',
      histogram: 'transfers',
      addressTab: { id: 'erc20Transfers', label: 'ERC-20 transfers', position: 9, for: 'holder', parameter: 'address' },
      treeSections: [
        {
          key: 'erc20Transfers',
          title: 'ERC-20 Transfers',
          icon: 'arrow-swap',
          below: { wallet: 6 },
          parameter: 'address',
          rows: 'erc20Transfer',
        },
      ],
    },
    ours: true,
  },

  contractErc20Transfers: {
    method: 'GET',
    path: '/erc20/:address/transfers',
    title: 'ERC-20 Transfers of a Contract',
    summary: 'Transfers of one ERC-20 token.',
    parameters: { address: path(evmAddress, 'The token contract.'), chain, ...range, order, limit, cursor },
    precedence: blockBeatsDate,
    reply: { shape: 'page', record: erc20Transfer, envelope: 'plain', status: 200 },
    traits: {
      source: 'index',
      histogram: 'transfers',
      addressTab: {
        id: 'erc20TokenTransfers',
        label: 'Token transfers',
        position: 5,
        for: 'erc20',
        parameter: 'address',
      },
      treeSections: [
        {
          key: 'erc20Transfers',
          title: 'ERC-20 Transfers',
          icon: 'arrow-swap',
          below: { contract: 6 },
          parameter: 'address',
          rows: 'erc20Transfer',
          for: 'erc20',
        },
      ],
    },
    ours: true,
  },
});
