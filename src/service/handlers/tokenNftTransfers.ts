// `tokenNftTransfers`: transfers of one token, newest first.
import type { Handler } from '../handler.ts';
import { readTransfersPage } from '../queries/transfersPage.ts';

export const tokenNftTransfers: Handler<'tokenNftTransfers'> = (input, context, signal) =>
  readTransfersPage('tokenNftTransfers', input, { token: input.address, tokenId: input.tokenId }, context, signal);
