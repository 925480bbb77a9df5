// `walletNftTransfers`: NFT transfers that a wallet sent or received, newest first.
import type { Handler } from '../handler.ts';
import { readTransfersPage } from '../queries/transfersPage.ts';

export const walletNftTransfers: Handler<'walletNftTransfers'> = (input, context, signal) =>
  readTransfersPage(
    'walletNftTransfers',
    input,
    { wallet: input.address, direction: input.direction ?? 'both' },
    context,
    signal,
  );
