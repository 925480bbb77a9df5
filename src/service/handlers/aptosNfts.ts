// Handlers of the Aptos NFT operations. Transfers are sorted newest first, tokens and owners by last change.

import { listAptosRecords } from '../aptos/listAptosRecords.ts';
import { toNftCreatorRecord, toNftOwnerRecord, toTokenTransferRecord } from '../aptos/toAptosRecords.ts';
import type { Handler } from '../handler.ts';

/** Token activities that wallets sent or received. */
export const aptosWalletNftTransfers: Handler<'aptosWalletNftTransfers'> = (input, context, signal) =>
  listAptosRecords('aptosWalletNftTransfers', input, context, signal, {
    list: 'tokenActivities',
    query: {
      wallets: input.walletAddresses,
      collections: input.collectionWhitelist,
      excludedCollections: input.collectionBlacklist,
    },
    toRecord: toTokenTransferRecord,
  });

export const aptosNftsByCreators: Handler<'aptosNftsByCreators'> = (input, context, signal) =>
  listAptosRecords('aptosNftsByCreators', input, context, signal, {
    list: 'tokensByCreator',
    query: { creators: input.creatorAddresses },
    toRecord: toNftCreatorRecord,
  });

export const aptosCollectionOwners: Handler<'aptosCollectionOwners'> = (input, context, signal) =>
  listAptosRecords('aptosCollectionOwners', input, context, signal, {
    list: 'collectionOwners',
    query: {
      collection: input.collectionDataIdHash,
      owners: input.walletWhitelist,
      excludedOwners: input.walletBlacklist,
    },
    toRecord: toNftOwnerRecord,
  });

export const aptosWalletNfts: Handler<'aptosWalletNfts'> = (input, context, signal) =>
  listAptosRecords('aptosWalletNfts', input, context, signal, {
    list: 'ownedTokens',
    query: {
      owners: input.ownerAddresses,
      collections: input.collectionWhitelist,
      excludedCollections: input.collectionBlacklist,
    },
    toRecord: toNftOwnerRecord,
  });
