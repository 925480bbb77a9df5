// Addresses to begin with: accounts that every dev chain has, and well-known contracts of Ethereum.

import type { Entry, EntryKind } from '../../addressBook/entry.ts';
import { t } from '../../base/localize.ts';
import { getDevelopmentAccounts } from '../../detect/developmentAccounts.ts';

const sample = (kind: EntryKind, name: string, address: string, chain: string, notes: string): Entry => ({
  address: address.toLowerCase(),
  kind,
  name,
  chains: [chain],
  folder: t('Samples'),
  tags: ['sample'],
  notes,
  color: null,
  mark: null,
});

/** How many of the dev chain's ten accounts are worth a start. */
const ACCOUNTS = 3;

/** On the chains that can be asked: a sample that ends in an error teaches nothing. The dev chain's where none can. */
export function createSampleEntries(chains: readonly string[]): readonly Entry[] {
  const all = [
    ...getDevelopmentAccounts()
      .slice(0, ACCOUNTS)
      .map(({ address, index }) =>
        sample(
          'wallet',
          t('Dev account #{0}', index),
          address,
          'local',
          t('Unlocked on every Anvil and Hardhat chain; its key is public.'),
        ),
      ),
    sample('contract', 'USD Coin', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'eth', t('ERC-20 with 6 decimals.')),
    sample('collection', 'Bored Ape Yacht Club', '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D', 'eth', 'ERC-721.'),
  ];
  const asked = all.filter(entry => entry.chains.some(chain => chains.includes(chain)));
  return asked.length > 0 ? asked : all.filter(entry => entry.chains.includes('local'));
}
