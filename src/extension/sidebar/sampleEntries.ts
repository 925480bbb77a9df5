// Sample entries for the address book: accounts of dev chains and well-known contracts of Ethereum.

import type { Entry, EntryKind } from '../../addressBook/entry.ts';
import { t } from '../../base/localize.ts';
import { getDevelopmentAccounts } from '../../detect/developmentAccounts.ts';

const createSample = (kind: EntryKind, name: string, address: string, chain: string, notes: string): Entry => ({
  address: address.toLowerCase(),
  kind,
  name,
  chains: [chain],
  folder: t('Samples'),
  tags: ['sample'],
  notes,
  color: null,
  trust: null,
});

const DEVELOPMENT_ACCOUNTS = 3;

/** Samples on the configured chains; those of the dev chain if there are none. */
export function createSampleEntries(chains: readonly string[]): readonly Entry[] {
  const all = [
    ...getDevelopmentAccounts()
      .slice(0, DEVELOPMENT_ACCOUNTS)
      .map(({ address, name }) =>
        createSample(
          'wallet',
          name,
          address,
          'local',
          t('Unlocked on every Anvil and Hardhat chain; its key is public.'),
        ),
      ),
    createSample(
      'contract',
      'USD Coin',
      '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      'eth',
      t('ERC-20 with 6 decimals.'),
    ),
    createSample('collection', 'Bored Ape Yacht Club', '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D', 'eth', 'ERC-721.'),
  ];
  const onConfiguredChains = all.filter(entry => entry.chains.some(chain => chains.includes(chain)));
  return onConfiguredChains.length > 0 ? onConfiguredChains : all.filter(entry => entry.chains.includes('local'));
}
