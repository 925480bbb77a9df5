// `contractNftTransfers`: transfers of every token of one NFT contract, newest first.
import type { Handler } from '../handler.ts';
import { readTransfersPage } from '../queries/transfersPage.ts';

export const contractNftTransfers: Handler<'contractNftTransfers'> = (input, context, signal) =>
  readTransfersPage('contractNftTransfers', input, { token: input.address }, context, signal);
