// `aptosCoinSummary`: name, symbol and decimals of a coin type, from the coin or from its paired fungible asset.
import { expect, test } from 'vitest';
import { getFaultCode } from '../../src/base/errors.ts';
import type { Hex } from '../../src/base/hex.ts';
import { createAptosFixture, toBothEndpoints } from '../support/aptos/aptosFixture.ts';
import { alice, createSampleLedger, MOON, MOON_METADATA } from '../support/aptos/sampleLedger.ts';
import type { Fields } from '../support/aptos/syntheticLedger.ts';

const fixture = createAptosFixture();
const network = 'local';
const APT = '0x1::aptos_coin::AptosCoin';
const account = MOON.split('::')[0] as Hex; // the account of the coin's module

/** A worker over a network with these resources. */
async function startWithResources(...resources: readonly (readonly [address: Hex, type: string, data: Fields])[]) {
  const { ledger } = createSampleLedger();
  ledger.block(builder => {
    builder.user(alice, '0x1::coin::initialize', draft => {
      for (const [address, type, data] of resources) draft.write(address, type, data);
    });
  });
  const fakeNetwork = await fixture.network(ledger);
  return fixture.backend({ local: toBothEndpoints(fakeNetwork) }).backend;
}

const long = (address: string): Hex => `0x${address.slice(2).padStart(64, '0')}`;
const info = { name: 'Moon', symbol: 'MOON', decimals: 6 };

test('describes a coin by its type in any spelling', async () => {
  const backend = await startWithResources([long(account), `0x1::coin::CoinInfo<${MOON}>`, info]);
  for (const coinType of [MOON, MOON.replace('0x', '0x0')]) {
    expect(await backend.lookup('aptosCoinSummary', { network, coinType })).toEqual({
      kind: 'aptosCoin',
      network,
      coinType: MOON,
      ...info,
      metadata: MOON_METADATA,
      asCoin: true,
      asFungibleAsset: false,
    });
  }
});

test('describes a coin that was migrated to a fungible asset', async () => {
  const asset = { name: 'Aptos Coin', symbol: 'APT', decimals: 8 };
  const backend = await startWithResources([long('0xa'), '0x1::fungible_asset::Metadata', asset]);
  expect(await backend.lookup('aptosCoinSummary', { network, coinType: APT })).toMatchObject({
    ...asset,
    metadata: long('0xa'),
    asCoin: false,
    asFungibleAsset: true,
  });
});

test('truncates long names and omits invalid decimals', async () => {
  const odd = { name: 'M'.repeat(500), symbol: 7, decimals: 'many' };
  const backend = await startWithResources([long(account), `0x1::coin::CoinInfo<${MOON}>`, odd]);
  expect(await backend.lookup('aptosCoinSummary', { network, coinType: MOON })).toMatchObject({
    name: 'M'.repeat(64),
    decimals: null,
  });
});

test('returns no name for other structs, and rejects text that is not a type', async () => {
  const backend = await startWithResources();
  expect(await backend.lookup('aptosCoinSummary', { network, coinType: '0x1::account::Account' })).toMatchObject({
    name: null,
    symbol: null,
    decimals: null,
    asCoin: false,
    asFungibleAsset: false,
  });
  for (const coinType of ['moon', '0x1::a', `0x1::a::${'B'.repeat(1_000)}`]) {
    const error: unknown = await backend
      .lookup('aptosCoinSummary', { network, coinType })
      .catch((fault: unknown) => fault);
    expect(getFaultCode(error)).toBe('bad-input');
  }
});
