// `nftTransfers`: every NFT transfer of the chain in a range of blocks or dates, newest first.
import type { Handler } from '../handler.ts';
import { readTransfersPage } from '../queries/transfersPage.ts';

export const nftTransfers: Handler<'nftTransfers'> = (input, context, signal) =>
  readTransfersPage('nftTransfers', input, {}, context, signal);
