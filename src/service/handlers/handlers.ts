// The handlers of all operations, by operation id; `verifySignIn` is created by the service, with its nonce store.
export {
  aptosBlockCoinTransfers,
  aptosCoinTransfers,
  aptosWalletCoinTransfers,
} from './aptosCoinTransfers.ts';
export { aptosCollectionOwners, aptosNftsByCreators, aptosWalletNfts, aptosWalletNftTransfers } from './aptosNfts.ts';
export { block } from './block.ts';
export { contractLogs } from './contractLogs.ts';
export { erc20Mints } from './erc20Mints.ts';
export { contractErc20Transfers, walletErc20Transfers } from './erc20Transfers.ts';
export { nftLowestPrice } from './nftLowestPrice.ts';
export { contractNftOwners, nftOwners } from './nftOwners.ts';
export { contractNftTransfers, nftTransfers, tokenNftTransfers, walletNftTransfers } from './nftTransfers.ts';
export { transaction } from './transaction.ts';
export { walletBalances } from './walletBalances.ts';
export { walletErc20Balances } from './walletErc20Balances.ts';
export { walletNftCollections } from './walletNftCollections.ts';
export { walletNfts } from './walletNfts.ts';
export { walletTransactions } from './walletTransactions.ts';
