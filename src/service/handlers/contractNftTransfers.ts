// `contractNftTransfers`: transfers of every token of one NFT contract, newest first.
import type { Handler } from '../handler.ts';
import { transfersPage } from '../queries/transfersPage.ts';

export const contractNftTransfers: Handler<'contractNftTransfers'> = (input, context, signal) =>
  transfersPage('contractNftTransfers', input, { token: input.address }, context, signal);
