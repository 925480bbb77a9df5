// The one table of operations, by id, in the description's order.

import * as aptos from './aptosOperations.ts';
import * as evm from './evmOperations.ts';
import type { OperationInput, OperationOutput } from './operation.ts';
import * as auth from './siweOperations.ts';

export const operations = {
  verifySignIn: auth.verifySignIn,
  walletNftTransfers: evm.walletNftTransfers,
  contractLogs: evm.contractLogs,
  nftOwners: evm.nftOwners,
  contractNftTransfers: evm.contractNftTransfers,
  walletNfts: evm.walletNfts,
  nftTransfers: evm.nftTransfers,
  erc20Mints: evm.erc20Mints,
  tokenNftTransfers: evm.tokenNftTransfers,
  block: evm.block,
  transaction: evm.transaction,
  walletNftCollections: evm.walletNftCollections,
  nftLowestPrice: evm.nftLowestPrice,
  walletBalances: evm.walletBalances,
  aptosCoinTransfers: aptos.aptosCoinTransfers,
  aptosWalletCoinTransfers: aptos.aptosWalletCoinTransfers,
  aptosBlockCoinTransfers: aptos.aptosBlockCoinTransfers,
  aptosWalletNftTransfers: aptos.aptosWalletNftTransfers,
  aptosNftsByCreators: aptos.aptosNftsByCreators,
  aptosCollectionOwners: aptos.aptosCollectionOwners,
  aptosWalletNfts: aptos.aptosWalletNfts,
} as const;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
/** What a caller gives, by operation id. */
export type Input<Id extends OperationId> = OperationInput<Operations[Id]>;
/** What a caller gets, by operation id. */
export type Output<Id extends OperationId> = OperationOutput<Operations[Id]>;

export const operationIds = Object.keys(operations) as readonly OperationId[];
