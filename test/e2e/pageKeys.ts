// Keys that open pages of the inspector in end-to-end tests. They are the same in all windows, whose key bindings cost another window.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { InspectorTarget } from '../../src/protocol/inspectorTarget.ts';
import { alice as aptosAlice, bob as aptosBob, carol as aptosCarol } from '../support/aptos/sampleLedger.ts';
import type { SampleWorkspace } from '../support/chain/sampleWorkspace.ts';
import type { TestChain } from '../support/chain/testChain.ts';

type OperationTarget = Extract<InspectorTarget, { readonly kind: 'operation' }>;

const operation = (id: OperationTarget['operation'], parameters: OperationTarget['parameters']): InspectorTarget => ({
  kind: 'operation',
  operation: id,
  parameters,
});

function getPages({ accounts, contracts }: TestChain, { folder }: SampleWorkspace) {
  const { alice, bob, carol, dave, erin } = accounts;
  const [message = '', signature = ''] = readFileSync(join(folder, 'sign-in.txt'), 'utf8').split('\n\nSignature: ');
  const transfersOf = (address: string) => operation('contractNftTransfers', { chain: 'eth', address });
  return {
    walletBalances: operation('walletBalances', { walletAddresses: [alice, bob, carol, dave, erin], chain: 'local' }),
    nftOwners: operation('nftOwners', { address: contracts.items, tokenId: '1', chain: 'local' }),
    nftCollections: operation('walletNftCollections', { address: bob, chain: 'local' }),
    signIn: operation('verifySignIn', { message, signature: signature.trim() }),
    aptosTransfers: operation('aptosWalletCoinTransfers', { ownerAddresses: [aptosAlice, aptosBob], limit: '100' }),
    aptosNfts: operation('aptosWalletNfts', { ownerAddresses: [aptosAlice, aptosBob], limit: '100' }),
    aptosNftTransfers: operation('aptosWalletNftTransfers', { walletAddresses: [aptosAlice], limit: '100' }),
    erc20Balances: operation('walletErc20Balances', { address: bob, chain: 'local' }),
    transactions: operation('walletTransactions', { address: alice, chain: 'local' }),
    erc20Transfers: operation('walletErc20Transfers', { address: bob, chain: 'local' }),
    latestBlock: { kind: 'block', chain: 'local', block: 'latest' },
    apesOnEth: transfersOf(contracts.apes),
    artOnEth: transfersOf(contracts.art),
    largeAptosTransfer: operation('aptosWalletCoinTransfers', {
      ...{ network: 'local', ownerAddresses: [aptosCarol] },
      limit: '25',
    }),
  } satisfies Readonly<Record<string, InspectorTarget>>;
}

export type PageName = keyof ReturnType<typeof getPages>;

const keys: Readonly<Record<PageName, string>> = {
  walletBalances: 'Control+Alt+1',
  nftOwners: 'Control+Alt+2',
  nftCollections: 'Control+Alt+3',
  signIn: 'Control+Alt+4',
  aptosTransfers: 'Control+Alt+5',
  aptosNfts: 'Control+Alt+6',
  aptosNftTransfers: 'Control+Alt+7',
  erc20Balances: 'Control+Alt+8',
  transactions: 'Control+Alt+9',
  erc20Transfers: 'Control+Alt+0',
  latestBlock: 'Control+Alt+Shift+F7',
  apesOnEth: 'Control+Alt+Shift+F8',
  artOnEth: 'Control+Alt+Shift+F9',
  largeAptosTransfer: 'Control+Alt+Shift+F10',
};

/** Key bindings of the user. */
export const getPageKeybindings = (
  chain: TestChain,
  workspace: SampleWorkspace,
): readonly Readonly<Record<string, unknown>>[] =>
  Object.entries(getPages(chain, workspace)).map(([name, target]) => ({
    key: keys[name as PageName].toLowerCase().replace('control', 'ctrl'),
    command: 'hexlens.inspect',
    args: target,
  }));

export const openPage = (page: Page, name: PageName): Promise<void> => page.keyboard.press(keys[name]);
