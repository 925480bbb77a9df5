// Group B: EVM data ("B. EVM data" of the description), and additions that it does not have, marked as `ours`.
import { BALANCE_WALLETS_LENGTH, DATED_CHANGES_DAY, LOWEST_PRICE_DAYS, TOKEN_ADDRESSES_LENGTH } from '../decisions.ts';
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
import {
  addressList,
  chain,
  collection,
  cursor,
  disableTotal,
  excludeSpam,
  filterByDirection,
  format,
  fromBlock,
  fromDate,
  limit,
  metadata,
  order,
  paging,
  range,
  removedTopic,
  sdkOrder,
  toBlock,
  toDate,
  token,
  wallet,
} from './evmParameters.ts';
import { defineOperations } from './operation.ts';
import {
  blockId,
  blockNumber,
  blockNumberText,
  choice,
  eventTopic,
  evmAddress,
  flag,
  hash32,
  integer,
  list,
} from './parameterKinds.ts';
import { blockBeatsDate, blockNumberBeatsRanges, path, query, queryList, requiredQueryList } from './parameters.ts';

export const evmOperations = defineOperations('evm', {
  walletNftTransfers: {
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
      contractAddresses: queryList(
        list(evmAddress, TOKEN_ADDRESSES_LENGTH),
        'Only these contracts (an addition to the description).',
      ),
      order: sdkOrder,
      ...paging,
    },
    precedence: blockBeatsDate,
    reply: { shape: 'page', record: nftTransfer, envelope: 'transfers', status: 200 },
    traits: {
      source: 'index',
      histogram: 'transfers',
      addressTab: { id: 'transfers', label: 'NFT transfers', position: 11, for: 'holder' },
      treeSections: [
        {
          key: 'nftTransfers',
          title: 'NFT Transfers',
          below: { wallet: 7, contract: 11 },
          rows: 'transfer',
          for: 'holder',
        },
      ],
    },
  },

  contractLogs: {
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
      order: sdkOrder,
      ...paging,
    },
    precedence: blockNumberBeatsRanges,
    reply: { shape: 'page', record: contractLog, envelope: 'plain', status: 200 },
    traits: {
      source: 'logs',
      isLive: true,
      histogram: 'logs',
      addressTab: { id: 'logs', label: 'Logs', position: 1, for: 'contract' },
      treeSections: [
        { key: 'logs', title: 'Logs', below: { contract: 2, collection: 4 }, rows: 'log', for: 'contract' },
      ],
    },
    retiredSince: '2024-12-06',
  },

  nftOwners: {
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
          below: { token: 1 },
          rows: 'owner',
        },
      ],
    },
  },

  contractNftOwners: {
    path: '/nft/:address/owners',
    title: 'Tokens and Owners of an NFT Contract',
    summary: 'Every token of one NFT contract with its owner, by the last change of hands, newest first.',
    parameters: { address: collection, chain, format, ...paging, ...metadata },
    reply: { shape: 'page', record: nftOwner, envelope: 'status', status: 200 },
    traits: {
      source: 'index',
      hasImages: true,
      addressTab: { id: 'collectionTokens', label: 'Tokens', position: 2, for: 'nft' },
    },
    ours: true,
  },

  contractNftTransfers: {
    path: '/nft/:address/transfers',
    title: 'NFT Transfers of a Contract',
    summary: 'Transfers of every token of one NFT contract, newest first.',
    parameters: { address: collection, chain, ...range, format, order: sdkOrder, ...paging },
    precedence: blockBeatsDate,
    reply: { shape: 'page', record: nftTransfer, envelope: 'transfers', status: 200 },
    traits: {
      source: 'index',
      histogram: 'transfers',
      addressTab: { id: 'tokenTransfers', label: 'Token transfers', position: 3, for: 'nft' },
      treeSections: [
        { key: 'tokens', title: 'Tokens and Owners', below: { collection: 1, contract: 3 }, rows: 'token', for: 'nft' },
        {
          key: 'transfers',
          title: 'NFT Transfers',
          below: { collection: 2, contract: 4 },
          rows: 'transfer',
          for: 'nft',
        },
      ],
    },
  },

  walletNfts: {
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
      addressTab: { id: 'nfts', label: 'NFTs', position: 10, for: 'holder' },
      treeSections: [{ key: 'nfts', title: 'NFTs', below: { wallet: 3, contract: 10 }, rows: 'nft', for: 'holder' }],
    },
  },

  nftTransfers: {
    path: '/nft/transfers',
    title: 'NFT Transfers Between Blocks',
    summary: 'Every NFT transfer of the chain in a range of blocks or dates, newest first.',
    parameters: { chain, ...range, format, order: sdkOrder, ...paging },
    precedence: blockBeatsDate,
    reply: { shape: 'page', record: nftTransfer, envelope: 'transfers', status: 200 },
    traits: { source: 'index', histogram: 'transfers' },
    retiredSince: '2024-10-24',
  },

  erc20Mints: {
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
        { key: 'mints', title: 'ERC-20 Mints', below: { wallet: 8 }, parameter: 'walletAddresses', rows: 'mint' },
        {
          key: 'mints',
          title: 'ERC-20 Mints',
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
    path: '/nft/:address/:token_id/transfers',
    title: 'Transfers of an NFT',
    summary: 'How one NFT changed hands, newest first.',
    parameters: { address: collection, tokenId: token, chain, format, order: sdkOrder, ...paging },
    reply: { shape: 'page', record: nftTransfer, envelope: 'transfers', status: 200 },
    traits: {
      source: 'index',
      histogram: 'transfers',
      treeSections: [
        {
          key: 'transfers',
          title: 'Transfers',
          below: { token: 2 },
          rows: 'transfer',
        },
      ],
    },
  },

  block: {
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
    path: '/:address/nft/collections',
    title: 'NFT Collections of a Wallet',
    summary: 'The collections that a wallet owns NFTs of.',
    parameters: {
      address: wallet,
      chain,
      limit,
      disableTotal,
      excludeSpam,
      tokenCounts: query(
        flag,
        'Add how many NFTs of each collection the wallet owns (an addition to the description).',
      ),
      cursor,
    },
    reply: { shape: 'page', record: nftCollection, envelope: 'status', status: 200 },
    traits: {
      source: 'index',
      addressTab: { id: 'collections', label: 'Collections', position: 12, for: 'holder' },
      treeSections: [
        {
          key: 'collections',
          title: 'NFT Collections',
          below: { wallet: 4 },
          rows: 'collection',
        },
      ],
    },
  },

  nftLowestPrice: {
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
      addressTab: { id: 'lowest', label: 'Lowest price', position: 4, for: 'nft' },
      treeSections: [
        { key: 'price', title: 'Lowest Price', below: { collection: 3, contract: 5 }, rows: 'trade', for: 'nft' },
      ],
    },
    retiredSince: '2024-10-24',
  },

  walletBalances: {
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
          below: { wallet: 1, contract: 1, collection: 5 },
          parameter: 'walletAddresses',
          rows: 'balance',
        },
      ],
    },
  },

  walletTransactions: {
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
      addressTab: { id: 'transactions', label: 'Transactions', position: 7, for: 'all' },
      treeSections: [
        { key: 'transactions', title: 'Transactions', below: { wallet: 5, contract: 8 }, rows: 'transaction' },
      ],
    },
    ours: true,
  },

  walletErc20Balances: {
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
      addressTab: { id: 'tokens', label: 'ERC-20 tokens', position: 8, for: 'holder' },
      treeSections: [
        {
          key: 'erc20',
          title: 'ERC-20 Tokens',
          below: { wallet: 2, contract: 9 },
          rows: 'erc20Balance',
          for: 'holder',
        },
      ],
    },
    ours: true,
  },

  walletErc20Transfers: {
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
      addressTab: { id: 'erc20Transfers', label: 'ERC-20 transfers', position: 9, for: 'holder' },
      treeSections: [{ key: 'erc20Transfers', title: 'ERC-20 Transfers', below: { wallet: 6 }, rows: 'erc20Transfer' }],
    },
    ours: true,
  },

  contractErc20Transfers: {
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
      },
      treeSections: [
        {
          key: 'erc20Transfers',
          title: 'ERC-20 Transfers',
          below: { contract: 6 },
          rows: 'erc20Transfer',
          for: 'erc20',
        },
      ],
    },
    ours: true,
  },
});
