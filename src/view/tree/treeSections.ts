// Which lists stand below a saved entry, and below a token that is found in one of them.

import type { Entry } from '../../addressBook/entry.ts';
import { operations } from '../../api/operations/operations.ts';
import { t } from '../../base/localize.ts';
import type { OperationRequest, TreeSection } from './treeRow.ts';

/** Records per page: what fits on a screen. */
export const PAGE_SIZE = 25;

const take = String(PAGE_SIZE);

const section = (key: string, title: string, icon: string, question: OperationRequest, as?: 'tokens'): TreeSection => ({
  key,
  title,
  icon,
  request: question,
  ...(as !== undefined && { as }),
});

/** The network is given only to operations that know the parameter. */
const onNetwork = (question: OperationRequest, network: string): OperationRequest =>
  network !== '' && Object.hasOwn(operations[question.operation].parameters, 'network')
    ? { ...question, parameters: { ...question.parameters, network } }
    : question;

function evmSections({ kind, address }: Pick<Entry, 'kind' | 'address'>, chain: string): readonly TreeSection[] {
  const paged = { address, chain, limit: take };
  const balance = section('balance', t('Balance'), 'credit-card', {
    operation: 'walletBalances',
    parameters: { walletAddresses: [address], chain },
  });
  const nfts = section('nfts', t('NFTs'), 'symbol-color', { operation: 'walletNfts', parameters: paged });
  const collections = section('collections', t('NFT Collections'), 'library', {
    operation: 'walletNftCollections',
    parameters: paged,
  });
  const transfers = section('transfers', t('NFT Transfers'), 'arrow-swap', {
    operation: kind === 'collection' ? 'contractNftTransfers' : 'walletNftTransfers',
    parameters: paged,
  });
  const logs = section('logs', t('Logs'), 'list-flat', { operation: 'contractLogs', parameters: paged });
  const mints = (whose: 'contractAddresses' | 'walletAddresses') =>
    section('mints', t('ERC-20 Mints'), 'sparkle', {
      operation: 'erc20Mints',
      parameters: { [whose]: [address], chain, limit: take },
    });
  if (kind === 'wallet') return [balance, nfts, collections, transfers, mints('walletAddresses')];
  if (kind === 'contract') return [balance, logs, mints('contractAddresses'), nfts, transfers];
  const tokens: OperationRequest = { operation: 'contractNftTransfers', parameters: paged };
  return [
    section('tokens', t('Tokens and Owners'), 'symbol-color', tokens, 'tokens'),
    transfers,
    section('price', t('Lowest Price'), 'tag', { operation: 'nftLowestPrice', parameters: { address, chain } }),
    logs,
    balance,
  ];
}

function aptosSections(address: string, network: string): readonly TreeSection[] {
  const owner = { ownerAddresses: [address], limit: take };
  const coins: OperationRequest = { operation: 'aptosWalletCoinTransfers', parameters: owner };
  const nfts: OperationRequest = { operation: 'aptosWalletNfts', parameters: owner };
  const transfers: OperationRequest = {
    operation: 'aptosWalletNftTransfers',
    parameters: { walletAddresses: [address], limit: take },
  };
  const created: OperationRequest = {
    operation: 'aptosNftsByCreators',
    parameters: { creatorAddresses: [address], limit: take },
  };
  return [
    section('coins', t('Coin Transfers'), 'credit-card', onNetwork(coins, network)),
    section('nfts', t('NFTs'), 'symbol-color', onNetwork(nfts, network)),
    section('transfers', t('NFT Transfers'), 'arrow-swap', onNetwork(transfers, network)),
    section('created', t('Created NFTs'), 'paintcan', onNetwork(created, network)),
  ];
}

/** The lists of an entry on one chain (canonical selector) or one network of Aptos (empty: the first that is configured). */
export const getEntrySections = (entry: Pick<Entry, 'kind' | 'address'>, chain: string): readonly TreeSection[] =>
  entry.kind === 'aptos' ? aptosSections(entry.address, chain) : evmSections(entry, chain);

/** What can be asked about one token of a collection. */
export function getTokenSections(address: string, tokenId: bigint, chain: string): readonly TreeSection[] {
  const parameters = { address, tokenId: tokenId.toString(), chain, limit: take };
  return [
    section('owners', t('Owners'), 'person', { operation: 'nftOwners', parameters }),
    section('transfers', t('Transfers'), 'arrow-swap', { operation: 'tokenNftTransfers', parameters }),
  ];
}

/** Who else holds NFTs of a collection of Aptos. */
export function getAptosCollectionSections(collectionDataIdHash: string, network: string): readonly TreeSection[] {
  const parameters = { collectionDataIdHash, limit: take };
  const owners: OperationRequest = { operation: 'aptosCollectionOwners', parameters };
  return [section('owners', t('Owners in the Collection'), 'person', onNetwork(owners, network))];
}
