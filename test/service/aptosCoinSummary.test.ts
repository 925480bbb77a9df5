// `aptosCoinSummary`: what a coin type is called, from the coin itself or from the fungible asset that it became.
import { expect, test } from 'vitest';
import { getFaultCode } from '../../src/base/errors.ts';
import type { Hex } from '../../src/base/hex.ts';
import { createAptosFixture, toBothEndpoints } from '../support/aptos/aptosFixture.ts';
import { alice, createSampleLedger, MOON, MOON_METADATA } from '../support/aptos/sampleLedger.ts';
import type { Fields } from '../support/aptos/syntheticLedger.ts';

const stage = createAptosFixture();
const network = 'local';
const APT = '0x1::aptos_coin::AptosCoin';
const account = MOON.split('::')[0] as Hex; // of the coin's module

/** A network on which these resources were written, and its backend. */
async function withResources(...resources: readonly (readonly [address: Hex, type: string, data: Fields])[]) {
  const { ledger } = createSampleLedger();
  ledger.block(builder => {
    builder.user(alice, '0x1::coin::initialize', draft => {
      for (const [address, type, data] of resources) draft.write(address, type, data);
    });
  });
  const double = await stage.network(ledger);
  return stage.backend({ local: toBothEndpoints(double) }).backend;
}

const long = (address: string): Hex => `0x${address.slice(2).padStart(64, '0')}`;
const info = { name: 'Moon', symbol: 'MOON', decimals: 6 };

test('a coin, however its type is written', async () => {
  const backend = await withResources([long(account), `0x1::coin::CoinInfo<${MOON}>`, info]);
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

test('a coin that is a fungible asset by now', async () => {
  const asset = { name: 'Aptos Coin', symbol: 'APT', decimals: 8 };
  const backend = await withResources([long('0xa'), '0x1::fungible_asset::Metadata', asset]);
  expect(await backend.lookup('aptosCoinSummary', { network, coinType: APT })).toMatchObject({
    ...asset,
    metadata: long('0xa'),
    asCoin: false,
    asFungibleAsset: true,
  });
});

test('a long name is cut, decimals that are none are left out', async () => {
  const odd = { name: 'M'.repeat(500), symbol: 7, decimals: 'many' };
  const backend = await withResources([long(account), `0x1::coin::CoinInfo<${MOON}>`, odd]);
  expect(await backend.lookup('aptosCoinSummary', { network, coinType: MOON })).toMatchObject({
    name: 'M'.repeat(64),
    decimals: null,
  });
});

test('a struct that is no coin, and a text that is no type', async () => {
  const backend = await withResources();
  expect(await backend.lookup('aptosCoinSummary', { network, coinType: '0x1::account::Account' })).toMatchObject({
    name: null,
    symbol: null,
    decimals: null,
    asCoin: false,
    asFungibleAsset: false,
  });
  for (const coinType of ['moon', '0x1::a', `0x1::a::${'B'.repeat(1_000)}`]) {
    const answer: unknown = await backend
      .lookup('aptosCoinSummary', { network, coinType })
      .catch((error: unknown) => error);
    expect(getFaultCode(answer)).toBe('bad-input');
  }
});
