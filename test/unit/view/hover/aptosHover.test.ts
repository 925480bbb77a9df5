// What hovers say of Aptos: by themselves, and from what a network answered; whom they ask, and whom only by a click.

import { describe, expect, test } from 'vitest';
import type { AptosAccountSummary, AptosCoinSummary, AptosTransactionSummary } from '../../../../src/api/lookups.ts';
import { padAptosAddress } from '../../../../src/base/aptosAddress.ts';
import { detectLiteralAt } from '../../../../src/detect/detectLiterals.ts';
import type { TextSource } from '../../../../src/detect/literalContext.ts';
import { parseInspectorTarget } from '../../../../src/protocol/inspectorTarget.ts';
import { checkAptosDisclosure } from '../../../../src/view/checkDisclosure.ts';
import {
  type AptosCoinTransfer,
  renderAptosAccount,
  renderAptosActivity,
  renderAptosCoin,
  renderAptosTransaction,
} from '../../../../src/view/hover/aptosSummaryHover.ts';
import { getAptosExplorerUrl } from '../../../../src/view/hover/hoverLinks.ts';
import { getAptosHoverLookup, getHoverLookup } from '../../../../src/view/hover/hoverLookups.ts';
import type { HoverParts } from '../../../../src/view/hover/hoverParts.ts';
import { renderLocalHover } from '../../../../src/view/hover/localHover.ts';
import { allHoverParts } from '../../../support/hoverParts.ts';

const LONG = '0xf3b1c40a5e9d27cf28a1de5b9d0c6d6f0a3cc1e2a7d8f1b04a9e5c6d7e8f9a0b';
const HOSTILE = '[click](command:evil) `x` <img src=x> $(zap)\u202e';
const move: TextSource = {
  fileName: 'a.move',
  languageId: 'move',
  moveAddresses: new Map([['me', padAptosAddress('0xcafe')]]),
};
const script: TextSource = { fileName: 'a.ts', languageId: 'typescript' };

function subjectAt(marked: string, source: TextSource = move) {
  const subject = detectLiteralAt(marked.replace('‸', ''), marked.indexOf('‸'), source);
  if (subject === null) throw new Error(`nothing in ${marked}`);
  return subject;
}

const quietParts: HoverParts = { ...allHoverParts, actions: false };
const quiet = { parts: quietParts, getName: () => null, isWorkspaceTrusted: true, getEntries: () => [] };
const context = { parts: quietParts, now: Date.UTC(2026, 0, 2), getName: () => null };

describe('local part', () => {
  test.each<[string, TextSource, string]>([
    ['@0x‸1', move, '**Aptos address** · Aptos framework \\(std, aptos\\_std, aptos\\_framework\\)'],
    [`@${LONG}‸`, move, '**Aptos address**'],
    ['@0xc‸afe', move, `**Aptos address**  \n= \`${padAptosAddress('0xcafe')}\``],
    ['@m‸e', move, `**Named address** · \`me\`  \n= \`${padAptosAddress('0xcafe')}\``],
    ['0x1::aptos_coin::Aptos‸Coin', move, '**Coin type of APT (8 decimals)** `AptosCoin`'],
    ['0x1::co‸in', move, '**Move module** `coin`  \nat `0x1` Aptos framework'],
    ['me::a::tra‸nsfer', move, '**Move function** `transfer`  \nin module `a` at `0x0000…cafe`'],
    ['https://explorer.aptoslabs.com/txn/1‸2?network=testnet', {}, '**Aptos transaction** version `12` · on testnet'],
    [`// Aptos\nconst account = '${LONG}‸'`, script, 'because of "account" next to it; it could be something else'],
  ])('%s', (text, source, expected) => {
    expect(renderLocalHover(subjectAt(text, source), quiet).replaceAll('\\-', '-').replaceAll('\\"', '"')).toContain(
      expected,
    );
  });

  test('a name without an address has an explanation and no links', () => {
    const text = renderLocalHover(subjectAt('@nobo‸dy'), { ...quiet, parts: allHoverParts });
    expect(text).toMatch(/No Move\\?\.toml/);
    expect(text).not.toContain('command:');
  });

  test('32 bytes may be an Aptos address if a network is configured', () => {
    const subject = subjectAt(`const x = '${LONG}‸'`, script);
    expect(renderLocalHover(subject, quiet)).toBe('**32 bytes: a hash, or a private key**');
    expect(renderLocalHover(subject, { ...quiet, hasAptosNetworks: true })).toContain(
      'could be a hash, an Aptos address, or a private key',
    );
  });

  test('is empty with all parts switched off', () => {
    const off = Object.fromEntries(Object.keys(allHoverParts).map(part => [part, false])) as unknown as HoverParts;
    for (const text of ['@0x‸1', '0x1::a::‸B', '@m‸e', '@nobo‸dy'])
      expect(renderLocalHover(subjectAt(text), { ...quiet, parts: off })).toBe('');
  });
});

const account: AptosAccountSummary = {
  kind: 'aptosAccount',
  network: 'testnet',
  address: padAptosAddress('0xcafe'),
  holds: 'account',
  balance: 150_000_000n,
  sequenceNumber: 1_234n,
  packages: [HOSTILE],
  owner: padAptosAddress('0x1'),
  object: null,
  name: HOSTILE,
  ledgerVersion: 9n,
};

const transfer = (fields: Partial<AptosCoinTransfer>): AptosCoinTransfer => ({
  activityType: '0x1::coin::DepositEvent',
  amount: 5n,
  blockHeight: 1n,
  coinType: '0x1::aptos_coin::AptosCoin',
  entryFunctionIdStr: null,
  eventAccountAddress: null,
  eventCreationNumber: null,
  eventSequenceNumber: null,
  isGasFee: false,
  isTransactionSuccess: true,
  ownerAddress: null,
  transactionTimestamp: new Date(Date.UTC(2026, 0, 1)),
  transactionVersion: 77n,
  ...fields,
});

/** In no code span: what Markdown would read. */
const outsideCode = (text: string) => text.replace(/(`+)[\s\S]*?[^`]\1(?!`)/g, '');

describe('network part', () => {
  test('shows an account', () => {
    const text = renderAptosAccount(account, context);
    expect(text).toContain('**Account with published packages** on Aptos testnet');
    expect(text).toContain('Balance **1.5 APT** · sequence number 1,234');
    expect(text).toContain('Owned by `Aptos framework');
  });

  test('links open the inspector and the explorer of the network, and only by allowed commands', () => {
    const text = renderAptosAccount({ ...account, packages: [], name: null }, { ...context, parts: allHoverParts });
    const [, args = ''] = /\(command:hexlens\.inspect\?(\S+) /.exec(text) ?? [];
    const [target] = JSON.parse(decodeURIComponent(args)) as unknown[];
    expect(parseInspectorTarget(target)).toEqual({
      kind: 'operation',
      operation: 'aptosWalletCoinTransfers',
      parameters: { ownerAddresses: [account.address], limit: '100', network: 'testnet' },
    });
    expect(text).toContain('Open in explorer.aptoslabs.com');
    expect(renderAptosAccount({ ...account, network: 'local' }, { ...context, parts: allHoverParts })).not.toContain(
      'explorer',
    );
  });

  test('hostile text stays text', () => {
    const coin: AptosCoinSummary = {
      kind: 'aptosCoin',
      network: 'local',
      coinType: '0xcafe::moon::Moon',
      name: HOSTILE,
      symbol: '`$(x)',
      decimals: 6,
      metadata: padAptosAddress('0xa'),
      asCoin: true,
      asFungibleAsset: true,
    };
    const nft = { name: HOSTILE, collectionName: '<b>`' } as never; // what is not read is left out
    const texts = [
      renderAptosAccount(account, context),
      renderAptosCoin(coin, context),
      renderAptosActivity(
        'local',
        account.address,
        { rows: [transfer({ activityType: HOSTILE, coinType: `0x1::a::${HOSTILE}` })], hasMore: false },
        { rows: [nft], hasMore: false },
        context,
      ),
      renderAptosTransaction({ ...transaction, status: 'failed', vmStatus: HOSTILE, entryFunction: HOSTILE }, context),
    ];
    for (const text of texts) {
      expect(text).toContain('command:evil');
      expect(outsideCode(text)).not.toMatch(/command:|<img|<b>|\$\(zap|\$\(x/);
      expect(text).not.toContain('\u202e');
    }
  });

  test('transfers and NFTs of an account', () => {
    const rows = [
      transfer({}),
      transfer({ isGasFee: true, activityType: '0x1::aptos_coin::GasFeeEvent', isTransactionSuccess: false }),
      transfer({ activityType: '0x1::fungible_asset::Withdraw', coinType: '0xcafe::moon::Moon', amount: 1_000n }),
      transfer({ transactionVersion: 1n }),
    ];
    const text = renderAptosActivity(
      'local',
      account.address,
      { rows, hasMore: true },
      { rows: [], hasMore: false },
      context,
    );
    expect(text.split('\n').filter(line => line.startsWith('- '))).toEqual([
      '- received 0.00000005 APT · 1 day ago · version 77',
      '- sent 1,000 units of `Moon` · 1 day ago · version 77',
      '- received 0.00000005 APT · 1 day ago · version 1',
    ]);
    expect(renderAptosActivity('local', account.address, null, { rows: [], hasMore: false }, context)).toBe('');
  });

  test('an unknown coin gives an empty hover', () => {
    expect(
      renderAptosCoin(
        {
          kind: 'aptosCoin',
          network: 'a',
          coinType: '0x1::a::B',
          name: null,
          symbol: null,
          decimals: null,
          metadata: '0x1',
          asCoin: false,
          asFungibleAsset: false,
        },
        context,
      ),
    ).toBe('');
  });

  test('shows a transaction', () => {
    expect(renderAptosTransaction(transaction, context)).toBe(
      [
        '**Transaction** on Aptos local · $(pass) Success',
        'by `0x0000…cafe` · calls `0x1::coin::transfer`',
        'Gas 10 (fee 0.00001 APT) · 2 events',
        'Version 77 · block 5 · 1 day ago (2026-01-01 00:00:00 UTC)',
      ].join('  \n'),
    );
  });
});

const transaction: AptosTransactionSummary = {
  kind: 'aptosTransaction',
  network: 'local',
  hash: LONG,
  status: 'success',
  vmStatus: 'Executed successfully',
  version: 77n,
  type: 'user_transaction',
  sender: padAptosAddress('0xcafe'),
  sequenceNumber: 1n,
  entryFunction: '0x1::coin::transfer',
  gasUsed: 10n,
  gasUnitPrice: 100n,
  time: new Date(Date.UTC(2026, 0, 1)),
  blockHeight: 5n,
  events: 2,
};

describe('checkAptosDisclosure', () => {
  const local = { name: 'local', isLocal: true, isConfigured: false, isUserRequested: false };
  const chosen = { name: 'mine', isLocal: false, isConfigured: true, isUserRequested: false };
  const given = { name: 'mainnet', isLocal: false, isConfigured: false, isUserRequested: false };
  const rules = { fileName: 'a.ts', addressesOnClick: false };

  test.each<[string, TextSource, [local: string, isConfigured: string, given: string, clicked: string]]>([
    [`@${LONG}‸`, move, ['yes', 'yes', 'click', 'yes']],
    [`// Aptos\nconst account = '${LONG}‸'`, script, ['yes', 'click', 'click', 'yes']],
    [`// Aptos\nconst secretKey = '${LONG}‸'`, script, ['never', 'never', 'never', 'never']],
    [`const x = '${LONG}‸'`, script, ['yes', 'click', 'click', 'yes']],
    [`const txHash = '${LONG}‸'`, script, ['yes', 'click', 'click', 'yes']],
    [`// Aptos\nconst txHash = '${LONG}‸'`, script, ['yes', 'yes', 'click', 'yes']],
    ['0x1::aptos_coin::Aptos‸Coin', move, ['yes', 'yes', 'click', 'yes']],
  ])('%s', (text, source, answers) => {
    const subject = subjectAt(text, source);
    const asked = [local, chosen, given, { ...given, isUserRequested: true }];
    expect(asked.map(network => checkAptosDisclosure(subject, network, rules).decision)).toEqual(answers);
  });

  test('addresses need a click if the settings say so', () => {
    const answer = checkAptosDisclosure(subjectAt(`@${LONG}‸`), chosen, { ...rules, addressesOnClick: true }).decision;
    expect(answer).toBe('click');
  });

  test('Aptos literals are not looked up on EVM chains, nor EVM literals on Aptos', () => {
    expect(getHoverLookup(subjectAt(`@${LONG}‸`))).toBeNull();
    const evm = subjectAt(`const owner = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed‸'`, script);
    expect(getAptosHoverLookup(evm)).toBeNull();
    expect(getAptosHoverLookup(subjectAt(`stateRoot: ${LONG}‸`, script))).toBeNull();
    expect(getAptosHoverLookup(subjectAt(`blockHash: ${LONG}‸`, script))).toBeNull();
  });
});

test('URLs of the explorer contain only validated values', () => {
  expect(getAptosExplorerUrl({ network: 'testnet', kind: 'txn', value: '12' })).toBe(
    'https://explorer.aptoslabs.com/txn/12?network=testnet',
  );
  expect(getAptosExplorerUrl({ network: 'mainnet', kind: 'coin', value: '0x1::a::B<0x2::c::D, u8>' })).toBe(
    'https://explorer.aptoslabs.com/coin/0x1::a::B%3C0x2::c::D%2C%20u8%3E?network=mainnet',
  );
  for (const value of ['../x', '1/2', '', '0x1?x=1', 'javascript:1'])
    for (const kind of ['account', 'txn', 'coin', 'block'] as const)
      expect(getAptosExplorerUrl({ network: 'mainnet', kind, value })).toBeNull();
  expect(getAptosExplorerUrl({ network: 'evil.example/', kind: 'txn', value: '1' })).toBeNull();
});
