// Group C: Aptos data ("C. Aptos data" of the description).
import { APTOS_LIST_LENGTH, APTOS_PAGE_SIZE } from '../decisions.ts';
import { aptosNftCreator, aptosNftOwner, aptosNftTransfer, coinTransfer } from '../records/aptosRecords.ts';
import { defineOperations } from './operation.ts';
import {
  aptosAddress,
  aptosHash,
  aptosNetwork,
  coinType,
  date,
  integer,
  list,
  opaque,
  uint64,
} from './parameterKinds.ts';
import { path, query, queryList, requiredQuery, requiredQueryList } from './parameters.ts';

const paging = {
  limit: requiredQuery(integer(APTOS_PAGE_SIZE.min, APTOS_PAGE_SIZE.max), 'Number of results.'),
  offset: query(integer(0, 1_000_000), 'Results to skip.'),
  cursor: query(opaque, 'The cursor of the previous page.'),
  // Not in the description: there a network is an address of its own. The official SDK sends it to every operation.
  network: query(aptosNetwork, 'Which of the configured networks; the first when absent.'),
};
const dates = { fromDate: query(date, 'First moment.'), toDate: query(date, 'Last moment.') };
const addresses = list(aptosAddress, APTOS_LIST_LENGTH);
const hashes = list(aptosHash, APTOS_LIST_LENGTH);
const types = list(coinType, APTOS_LIST_LENGTH);
const retiredSince = '2024-11-22';

export const aptosOperations = defineOperations('aptos', {
  aptosCoinTransfers: {
    path: '/coins/transfers/:coin_type',
    title: 'Aptos Coin Transfers by Coin Type',
    summary: 'Transfers of one coin, newest first.',
    parameters: { coinType: path(coinType, 'The coin type, <address>::<module>::<name>.'), ...paging, ...dates },
    reply: { shape: 'page', record: coinTransfer, envelope: 'aptos', status: 200 },
    traits: { source: 'aptos', histogram: 'transfers' },
    retiredSince,
  },

  aptosWalletCoinTransfers: {
    path: '/coins/transfers/wallets',
    title: 'Aptos Coin Transfers of Wallets',
    summary: 'Coin transfers of wallets, newest first.',
    parameters: {
      ownerAddresses: requiredQueryList(addresses, 'The wallets.'),
      ...paging,
      ...dates,
      coinTypeBlacklist: queryList(types, 'Not these coins.'),
      coinTypeWhitelist: queryList(types, 'Only these coins.'),
    },
    reply: { shape: 'page', record: coinTransfer, envelope: 'aptos', status: 200 },
    traits: {
      source: 'aptos',
      histogram: 'transfers',
      treeSections: [
        {
          key: 'coins',
          title: 'Coin Transfers',
          below: { aptos: 1 },
          parameter: 'ownerAddresses',
          rows: 'aptosCoinTransfer',
        },
      ],
    },
    retiredSince,
  },

  aptosBlockCoinTransfers: {
    path: '/coins/transfers/blocks',
    title: 'Aptos Coin Transfers in Blocks',
    summary: 'Coin transfers of blocks, newest first.',
    parameters: { blockHeights: requiredQueryList(list(uint64, APTOS_LIST_LENGTH), 'The block heights.'), ...paging },
    reply: { shape: 'page', record: coinTransfer, envelope: 'aptos', status: 200 },
    traits: { source: 'aptos', histogram: 'transfers' },
    retiredSince,
  },

  aptosWalletNftTransfers: {
    path: '/nfts/transfers/wallets',
    title: 'Aptos NFT Transfers of Wallets',
    summary: 'NFT transfers of wallets, newest first.',
    parameters: {
      walletAddresses: requiredQueryList(addresses, 'The wallets.'),
      ...paging,
      collectionBlacklist: queryList(hashes, 'Not these collections.'),
      collectionWhitelist: queryList(hashes, 'Only these collections.'),
    },
    reply: { shape: 'page', record: aptosNftTransfer, envelope: 'aptos', status: 200 },
    traits: {
      source: 'aptos',
      histogram: 'transfers',
      treeSections: [
        {
          key: 'transfers',
          title: 'NFT Transfers',
          below: { aptos: 3 },
          parameter: 'walletAddresses',
          rows: 'aptosNftTransfer',
        },
      ],
    },
    retiredSince,
  },

  aptosNftsByCreators: {
    path: '/nfts/creators',
    title: 'Aptos NFTs by Creators',
    summary: 'NFTs that accounts created, newest first.',
    parameters: { creatorAddresses: requiredQueryList(addresses, 'The creators.'), ...paging },
    reply: { shape: 'page', record: aptosNftCreator, envelope: 'aptos', status: 200 },
    traits: {
      source: 'aptos',
      treeSections: [
        {
          key: 'created',
          title: 'Created NFTs',
          below: { aptos: 4 },
          parameter: 'creatorAddresses',
          rows: 'aptosCreatedNft',
        },
      ],
    },
    retiredSince,
  },

  aptosCollectionOwners: {
    path: '/nfts/collections/:collection_data_id_hash/owners',
    title: 'Aptos NFT Owners of a Collection',
    summary: 'Who owns the NFTs of a collection.',
    parameters: {
      collectionDataIdHash: path(aptosHash, 'The collection data id hash.'),
      ...paging,
      walletBlacklist: queryList(addresses, 'Not these wallets.'),
      walletWhitelist: queryList(addresses, 'Only these wallets.'),
    },
    reply: { shape: 'page', record: aptosNftOwner, envelope: 'aptos', status: 200 },
    traits: {
      source: 'aptos',
      treeSections: [
        {
          key: 'owners',
          title: 'Owners in the Collection',
          below: { aptosCollection: 1 },
          parameter: 'collectionDataIdHash',
          rows: 'aptosNftOwner',
        },
      ],
    },
    retiredSince,
  },

  aptosWalletNfts: {
    path: '/wallets/nfts',
    title: 'Aptos NFTs of Wallets',
    summary: 'NFTs that wallets own.',
    parameters: {
      ownerAddresses: requiredQueryList(addresses, 'The wallets.'),
      ...paging,
      collectionBlacklist: queryList(hashes, 'Not these collections.'),
      collectionWhitelist: queryList(hashes, 'Only these collections.'),
    },
    reply: { shape: 'page', record: aptosNftOwner, envelope: 'aptos', status: 200 },
    traits: {
      source: 'aptos',
      treeSections: [
        { key: 'nfts', title: 'NFTs', below: { aptos: 2 }, parameter: 'ownerAddresses', rows: 'aptosNft' },
      ],
    },
    retiredSince,
  },
});
