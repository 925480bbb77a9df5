// ERC-20 transfers of a wallet (`walletErc20Transfers`) and of a token contract (`contractErc20Transfers`).
import type { Handler } from '../handler.ts';
import { readErc20TransfersPage } from '../queries/erc20TransfersPage.ts';

export const walletErc20Transfers: Handler<'walletErc20Transfers'> = (input, context, signal) => {
  const { address, contractAddresses } = input;
  const query = { wallet: address, contracts: contractAddresses };
  return readErc20TransfersPage('walletErc20Transfers', input, query, { kind: 'wallet', address }, context, signal);
};

export const contractErc20Transfers: Handler<'contractErc20Transfers'> = (input, context, signal) => {
  const { address } = input;
  const query = { contracts: [address] };
  return readErc20TransfersPage('contractErc20Transfers', input, query, { kind: 'contract', address }, context, signal);
};
