// `nftTransfers`: every NFT transfer of the chain in a range of blocks or dates, newest first.

import type { Handler } from '../handler.ts';
import { readTransfersPage } from '../queries/transfersPage.ts';

// `contractNftTransfers`: transfers of every token of one NFT contract, newest first.
export const contractNftTransfers: Handler<'contractNftTransfers'> = (input, context, signal) =>
  readTransfersPage('contractNftTransfers', input, { token: input.address }, context, signal);

// `tokenNftTransfers`: transfers of one token, newest first.
export const tokenNftTransfers: Handler<'tokenNftTransfers'> = (input, context, signal) =>
  readTransfersPage('tokenNftTransfers', input, { token: input.address, tokenId: input.tokenId }, context, signal);

// `walletNftTransfers`: NFT transfers that a wallet sent or received, newest first.
export const walletNftTransfers: Handler<'walletNftTransfers'> = (input, context, signal) =>
  readTransfersPage(
    'walletNftTransfers',
    input,
    { wallet: input.address, direction: input.direction ?? 'both' },
    context,
    signal,
  );

export const nftTransfers: Handler<'nftTransfers'> = (input, context, signal) =>
  readTransfersPage('nftTransfers', input, {}, context, signal);
