// `aptosWalletNfts`: tokens that wallets hold, changed last first.

import { toNftCreatorRecord, toNftOwnerRecord, toTokenTransferRecord } from '../aptos/aptosRecords.ts';
import { activityKeyCodec, listAptosRecords, ownershipKeyCodec, tokenDataKeyCodec } from '../aptos/listAptosRecords.ts';
import type { Handler } from '../handler.ts';

// `aptosWalletNftTransfers`: token activities with a wallet on either side, newest first.
export const aptosWalletNftTransfers: Handler<'aptosWalletNftTransfers'> = (input, context, signal) =>
  listAptosRecords('aptosWalletNftTransfers', input, context, {
    keyCodec: activityKeyCodec,
    readPage: (source, slice) =>
      source.getTokenActivities(
        {
          wallets: input.walletAddresses,
          collections: input.collectionWhitelist,
          excludedCollections: input.collectionBlacklist,
        },
        slice,
        signal,
      ),
    toRecord: toTokenTransferRecord,
  });

// `aptosNftsByCreators`: tokens of collections that accounts created, changed last first.
export const aptosNftsByCreators: Handler<'aptosNftsByCreators'> = (input, context, signal) =>
  listAptosRecords('aptosNftsByCreators', input, context, {
    keyCodec: tokenDataKeyCodec,
    readPage: (source, slice) => source.getTokensByCreator({ creators: input.creatorAddresses }, slice, signal),
    toRecord: toNftCreatorRecord,
  });

// `aptosCollectionOwners`: who holds the tokens of a collection, changed last first.
export const aptosCollectionOwners: Handler<'aptosCollectionOwners'> = (input, context, signal) =>
  listAptosRecords('aptosCollectionOwners', input, context, {
    keyCodec: ownershipKeyCodec,
    readPage: (source, slice) =>
      source.getCollectionOwners(
        {
          collection: input.collectionDataIdHash,
          owners: input.walletWhitelist,
          excludedOwners: input.walletBlacklist,
        },
        slice,
        signal,
      ),
    toRecord: toNftOwnerRecord,
  });

export const aptosWalletNfts: Handler<'aptosWalletNfts'> = (input, context, signal) =>
  listAptosRecords('aptosWalletNfts', input, context, {
    keyCodec: ownershipKeyCodec,
    readPage: (source, slice) =>
      source.getOwnedTokens(
        {
          owners: input.ownerAddresses,
          collections: input.collectionWhitelist,
          excludedCollections: input.collectionBlacklist,
        },
        slice,
        signal,
      ),
    toRecord: toNftOwnerRecord,
  });
