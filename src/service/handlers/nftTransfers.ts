// NFT transfers, newest or oldest first: of a whole chain, a contract, a token or a wallet.
import type { Handler } from '../handler.ts';
import { readTransfersPage } from '../queries/transfersPage.ts';

/** Every NFT transfer of the chain in a range of blocks or dates. */
export const nftTransfers: Handler<'nftTransfers'> = (input, context, signal) =>
  readTransfersPage('nftTransfers', input, {}, context, signal);

/** Transfers of every token of one NFT contract. */
export const contractNftTransfers: Handler<'contractNftTransfers'> = (input, context, signal) =>
  readTransfersPage('contractNftTransfers', input, { contract: input.address }, context, signal);

export const tokenNftTransfers: Handler<'tokenNftTransfers'> = (input, context, signal) =>
  readTransfersPage('tokenNftTransfers', input, { contract: input.address, tokenId: input.tokenId }, context, signal);

/** NFT transfers that a wallet sent or received. */
export const walletNftTransfers: Handler<'walletNftTransfers'> = (input, context, signal) => {
  const { address: wallet, direction = 'both', contractAddresses: contracts } = input;
  const query = { wallet, direction, contracts };
  return readTransfersPage('walletNftTransfers', input, query, context, signal);
};
