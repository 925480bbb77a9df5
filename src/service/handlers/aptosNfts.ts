// Handlers of the Aptos NFT operations. Transfers are sorted newest first, tokens and owners by last change.

import { activityKeyCodec, listAptosRecords, ownershipKeyCodec, tokenDataKeyCodec } from '../aptos/listAptosRecords.ts';
import { toNftCreatorRecord, toNftOwnerRecord, toTokenTransferRecord } from '../aptos/toAptosRecords.ts';
import type { Handler } from '../handler.ts';

/** Token activities that wallets sent or received. */
export const aptosWalletNftTransfers: Handler<'aptosWalletNftTransfers'> = (input, context, signal) =>
  listAptosRecords('aptosWalletNftTransfers', input, context, {
    keyCodec: activityKeyCodec,
    readPage: (source, page) =>
      source.getTokenActivities(
        {
          wallets: input.walletAddresses,
          collections: input.collectionWhitelist,
          excludedCollections: input.collectionBlacklist,
        },
        page,
        signal,
      ),
    toRecord: toTokenTransferRecord,
  });

/** Tokens of the collections that accounts created. */
export const aptosNftsByCreators: Handler<'aptosNftsByCreators'> = (input, context, signal) =>
  listAptosRecords('aptosNftsByCreators', input, context, {
    keyCodec: tokenDataKeyCodec,
    readPage: (source, page) => source.getTokensByCreator({ creators: input.creatorAddresses }, page, signal),
    toRecord: toNftCreatorRecord,
  });

/** Owners of the tokens of a collection. */
export const aptosCollectionOwners: Handler<'aptosCollectionOwners'> = (input, context, signal) =>
  listAptosRecords('aptosCollectionOwners', input, context, {
    keyCodec: ownershipKeyCodec,
    readPage: (source, page) =>
      source.getCollectionOwners(
        {
          collection: input.collectionDataIdHash,
          owners: input.walletWhitelist,
          excludedOwners: input.walletBlacklist,
        },
        page,
        signal,
      ),
    toRecord: toNftOwnerRecord,
  });

/** Tokens that wallets own. */
export const aptosWalletNfts: Handler<'aptosWalletNfts'> = (input, context, signal) =>
  listAptosRecords('aptosWalletNfts', input, context, {
    keyCodec: ownershipKeyCodec,
    readPage: (source, page) =>
      source.getOwnedTokens(
        {
          owners: input.ownerAddresses,
          collections: input.collectionWhitelist,
          excludedCollections: input.collectionBlacklist,
        },
        page,
        signal,
      ),
    toRecord: toNftOwnerRecord,
  });
