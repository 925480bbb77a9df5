// Token amounts on the page: exact, in the token's unit, with the raw number beside it.

// @vitest-environment happy-dom
import { encodeAbiParameters, encodeFunctionData, parseAbi, parseAbiParameters, toEventHash } from 'viem';
import { describe, expect, test } from 'vitest';
import { createAbiRegistry } from '../../../src/decode/abiRegistry.ts';
import { createDecoder } from '../../../src/extension/inspector/decoder.ts';
import { MAX_UNITS_PER_PAGE } from '../../../src/protocol/amountUnits.ts';
import { type ConnectedPanelOptions, ok } from './connectedPanel.ts';
import { find, textOf } from './dom.ts';
import { createPageFixture, eventually, shows } from './openPage.ts';

const { open } = createPageFixture();

const hash = `0x${'ab'.repeat(32)}`;
const word = (value: bigint | number) => `0x${BigInt(value).toString(16).padStart(64, '0')}`;
const TRANSFER = toEventHash('Transfer(address,address,uint256)');
const addressOf = (seed: number) => `0x${seed.toString(16).padStart(40, '0')}`;
const HEX = addressOf(0xce);
const APES = addressOf(0xaf);
/** The extension has a name for it. */
const NAMED = addressOf(0xdead);

const units: Readonly<Record<string, unknown>> = {
  [HEX]: { kind: 'token', standard: 'ERC20', symbol: 'HEX', decimals: 8 },
  [APES]: { kind: 'token', standard: 'ERC721', symbol: 'APE', decimals: null },
};

interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

const transfer = (address: string, amount: bigint): Log => ({
  address,
  topics: [TRANSFER, word(0xaa11111111111111n << 96n), word(0xbb11111111111111n << 96n)],
  data: word(amount),
});

function transaction(logs: readonly Log[], input = '0x', to = HEX): Record<string, unknown> {
  const place = { block_timestamp: '2023-11-14T22:13:20.000Z', block_number: '7', block_hash: hash };
  return {
    hash,
    nonce: '0',
    transaction_index: '0',
    from_address: addressOf(1),
    to_address: to,
    from_address_label: null,
    to_address_label: null,
    value: '0',
    gas: '210000',
    gas_price: '30000000000',
    input,
    receipt_cumulative_gas_used: '1',
    receipt_gas_used: '1',
    receipt_contract_address: null,
    receipt_root: null,
    receipt_status: '1',
    ...place,
    logs: logs.map(({ address, topics, data }, index) => ({
      log_index: String(index),
      transaction_hash: hash,
      transaction_index: '0',
      address,
      data,
      topic0: topics[0],
      topic1: topics[1],
      topic2: topics[2],
      topic3: topics[3],
      ...place,
    })),
  };
}

const book = createAbiRegistry();
const options = (
  body: unknown,
  getUnit: (address: string) => unknown,
  requested: string[] = [],
): ConnectedPanelOptions => ({
  target: { kind: 'transaction', chain: 'local', hash },
  reply: () => ok(body),
  describer: createDecoder({
    current: () => book,
    load: async () => book,
    getName: () => null,
    identify: async () => null,
  }),
  lookup: (id, input) => {
    if (id !== 'tokenUnit') return undefined;
    const { address } = input as { readonly address: string };
    requested.push(address);
    return getUnit(address);
  },
});

const choose = (tab: string) => find(document, `[data-tab=${tab}]`)?.click();
const rowCount = (text: string) => shows(text);

async function openLogs(logs: readonly Log[], getUnit: (address: string) => unknown, requested: string[] = []) {
  const opened = await open(options(transaction(logs), getUnit, requested));
  await shows('Success');
  choose('logs');
  await rowCount(logs.length === 1 ? '1 row' : `${logs.length} rows`);
  return opened;
}

async function openDetails(): Promise<void> {
  const cell = await eventually(() => {
    const found = find(document, '[role=gridcell]');
    expect(found).not.toBeNull();
    return found;
  });
  cell?.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }));
  await eventually(() => expect(find(document, 'hl-decoded')).not.toBeNull());
}

describe('logs', () => {
  test('show an ERC-20’s amount in its unit, and the raw number beside it in the details', async () => {
    const amount = 2n ** 70n * 10n + 1n; // far beyond what a float holds
    await openLogs([transfer(HEX, amount)], address => units[address]);
    await shows('118,059,162,071,741.130342 HEX');
    await openDetails();
    await shows(`118,059,162,071,741.13034241 HEX ${amount}`);
  });

  test('are shown before any token has responded, and an id is never an amount', async () => {
    let release: (value: unknown) => void = () => {};
    const slow = new Promise(resolve => {
      release = resolve;
    });
    const { page } = await openLogs([transfer(HEX, 150_000_000n), transfer(APES, 4_711n)], address =>
      address === HEX ? slow : units[address],
    );
    expect(textOf(page)).not.toContain('HEX');
    release(units[HEX]);
    await shows('1.5 HEX');
    expect(textOf(page)).not.toContain('APE');
    expect(find(document, '.cell.c5')?.textContent ?? '').not.toContain('4,711');
  });

  test('request the unit of each contract once, and of a limited number of contracts', async () => {
    const requested: string[] = [];
    const logs = Array.from({ length: 400 }, (_, index) => transfer(addressOf(1_000 + (index % 40)), 1n));
    await openLogs(logs, () => ({ kind: 'token', standard: 'ERC20', symbol: 'T', decimals: 0 }), requested);
    await shows(/\b1 T\b/);
    expect(new Set(requested).size).toBe(requested.length);
    expect(requested).toHaveLength(MAX_UNITS_PER_PAGE);
  });

  test('show a hostile symbol as text, and no amount of a token that fails', async () => {
    const hostile = '<img src=x onerror=alert(1)>\u202e';
    const { page } = await openLogs([transfer(HEX, 150_000_000n), transfer(addressOf(2), 1n)], address => {
      if (address !== HEX) throw new Error('it reverts');
      return { kind: 'token', standard: 'ERC20', symbol: hostile, decimals: 8 };
    });
    await shows('1.5 <img src=x onerror=aler…');
    expect(find(document, 'img')).toBeNull();
    expect(textOf(page)).not.toContain('\u202e');
  });

  test('are filtered by whole tokens', async () => {
    const { page } = await openLogs([transfer(HEX, 150_000_000n), transfer(HEX, 250_000_000n)], a => units[a]);
    await shows('2.5 HEX');
    const input = find(document, '.search input') as HTMLInputElement;
    input.value = 'amount>1.5';
    input.dispatchEvent(new Event('input'));
    await shows('1 of 2 rows');
    expect(textOf(page)).not.toContain('1.5 HEX');
  });
});

describe('a call', () => {
  const abi = parseAbi([
    'function transfer(address to, uint256 amount)',
    'function approve(address to, uint256 amount)',
  ]);
  const to = '0x00000000000000000000000000000000000000aa';

  test('of a token shows its amount', async () => {
    const input = encodeFunctionData({ abi, functionName: 'transfer', args: [to, 12_500_000_001n] });
    await open(options(transaction([], input), address => units[address]));
    await shows('Success');
    choose('input');
    await shows('125.00000001 HEX 12500000001');
  });

  test('of an unlimited allowance says so', async () => {
    const input = encodeFunctionData({ abi, functionName: 'approve', args: [to, 2n ** 256n - 1n] });
    await open(options(transaction([], input), address => units[address]));
    await shows('Success');
    choose('input');
    await shows('Unlimited HEX');
  });

  test('of a wallet shows the coin of the chain that the local node reports', async () => {
    const execute = parseAbi(['function execute(address to, uint256 value, bytes data)']);
    const input = encodeFunctionData({ abi: execute, functionName: 'execute', args: [to, 25n * 10n ** 17n, '0x'] });
    const gnosis = { ...options(transaction([], input), () => null) };
    await open({
      ...gnosis,
      lookup: id => (id === 'chainStatus' ? { head: 18_000_000, chain: { coin: 'XDAI', decimals: 18 } } : undefined),
    });
    await shows('Success');
    choose('input');
    await shows('2.5 XDAI');
  });

  test('of the same selector on an NFT shows the raw id', async () => {
    const input = encodeFunctionData({ abi, functionName: 'approve', args: [to, 4_711n] });
    const { page } = await open(options(transaction([], input, APES), address => units[address]));
    await shows('Success');
    choose('input');
    await shows('4711');
    expect(textOf(page)).not.toContain('APE');
  });
});

describe('a Seaport order', () => {
  const fulfilled =
    'OrderFulfilled(bytes32,address,address,address,(uint8,address,uint256,uint256)[],(uint8,address,uint256,uint256,address)[])';
  const data = encodeAbiParameters(
    parseAbiParameters(
      'bytes32, address, (uint8, address, uint256, uint256)[], (uint8, address, uint256, uint256, address)[]',
    ),
    [
      hash as `0x${string}`,
      addressOf(2) as `0x${string}`,
      [[2, APES as `0x${string}`, 42n, 1n]],
      [
        [0, addressOf(0) as `0x${string}`, 0n, 975n * 10n ** 15n, NAMED as `0x${string}`],
        [1, HEX as `0x${string}`, 0n, 150_000_000n, addressOf(4) as `0x${string}`],
      ],
    ],
  );

  test('is shown as items offered and items paid', async () => {
    const log = { address: addressOf(9), topics: [toEventHash(fulfilled), word(0xaa), word(0)], data };
    const { connected } = await openLogs([log], address => units[address]);
    await openDetails();
    await shows(
      /Offer Item .* ERC-721 .* 42 1 .*Consideration .*Native coin .*0\.975 ETH <b>Burn<\/b>·.* ERC-20 .*1\.5 HEX/,
    );
    const links = [...(find(document, 'hl-trade')?.shadowRoot?.querySelectorAll('a') ?? [])];
    links.find(link => link.textContent === '42')?.click();
    await eventually(() =>
      expect(connected.session.target()).toMatchObject({
        operation: 'nftOwners',
        parameters: { address: '0x00000000000000000000000000000000000000Af', tokenId: '42' },
      }),
    );
  });
});
