// Which values are amounts, and whose; and what a market's log says was exchanged.
import {
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  parseAbi,
  parseAbiParameters,
  toEventHash,
} from 'viem';
import { describe, expect, test } from 'vitest';
import { readAbi } from '../../../src/decode/abiItem.ts';
import { createAbiRegistry } from '../../../src/decode/abiRegistry.ts';
import { getAmountTokens, getLogAmount, getReturnedToken } from '../../../src/decode/amountTokens.ts';
import { decodeErrorResult, decodeEventLog, decodeFunctionData } from '../../../src/decode/decodeAbi.ts';
import { getSeaportItemUnit, getSeaportTrade } from '../../../src/decode/seaportTrade.ts';
import { isAmountToken, toAmountUnit } from '../../../src/protocol/amountUnits.ts';

const TOKEN = '0x00000000000000000000000000000000000000cc';
const A = '0x00000000000000000000000000000000000000aa';
const B = '0x00000000000000000000000000000000000000bb';
const word = (value: bigint | number) => `0x${BigInt(value).toString(16).padStart(64, '0')}`;
const topic = (signature: string) => toEventHash(signature);

const amountsOfLog = (topics: readonly string[], data: string, book = createAbiRegistry()) =>
  decodeEventLog(book, { topics, data }).flatMap(reading =>
    [...getAmountTokens(reading, TOKEN)].map(([{ name, value }, unit]) => [name, value, unit]),
  );

describe('amounts of a vault', () => {
  const amountsOfCall = (signature: string, args: readonly unknown[], book = createAbiRegistry()) => {
    const data = encodeFunctionData({ abi: parseAbi([signature] as readonly string[]), args } as never);
    return decodeFunctionData(book, data).flatMap(reading =>
      [...getAmountTokens(reading, TOKEN)].map(([{ value }, unit]) => [value, unit]),
    );
  };

  test.each([
    ['function deposit(uint256 assets, address receiver)', [7n, A], '7', `${TOKEN}:asset`],
    ['function withdraw(uint256 assets, address receiver, address owner)', [7n, A, B], '7', `${TOKEN}:asset`],
    ['function mint(uint256 shares, address receiver)', [7n, A], '7', TOKEN],
    ['function redeem(uint256 shares, address receiver, address owner)', [7n, A, B], '7', TOKEN],
  ])('are of its asset or its own shares: %s', (signature, args, value, unit) => {
    expect(amountsOfCall(signature, args)).toEqual([[value, unit]]);
  });

  test.each([
    ['function totalAssets() view returns (uint256)', `${TOKEN}:asset`],
    ['function maxDeposit(address owner) view returns (uint256)', `${TOKEN}:asset`],
    ['function maxWithdraw(address owner) view returns (uint256)', `${TOKEN}:asset`],
    ['function convertToAssets(uint256 shares) view returns (uint256)', `${TOKEN}:asset`],
    ['function previewRedeem(uint256 shares) view returns (uint256)', `${TOKEN}:asset`],
    ['function maxRedeem(address owner) view returns (uint256)', TOKEN],
    ['function convertToShares(uint256 assets) view returns (uint256)', TOKEN],
    ['function totalSupply() view returns (uint256)', TOKEN],
    ['function totalAssets() view returns (bool)', null],
    ['function nonces(address owner) view returns (uint256)', null],
  ])('are what its functions return: %s', (signature, unit) => {
    const [item] = readAbi(parseAbi([signature] as readonly string[]), 'Vault');
    expect(item && getReturnedToken(item, TOKEN.toUpperCase().replace('0X', '0x'))).toBe(unit);
    expect(item && getReturnedToken(item, null)).toBeNull();
  });

  test('are of its asset in its own functions, which name them', () => {
    const book = createAbiRegistry();
    const lend = { type: 'function', name: 'lend', inputs: [{ type: 'uint256', name: 'assets' }] };
    book.set({ id: 'pool', items: readAbi([lend], 'Pool') });
    expect(amountsOfCall('function lend(uint256 assets)', [9n], book)).toEqual([['9', `${TOKEN}:asset`]]);
  });

  test('have the unit of the asset, and none where the contract has no asset', () => {
    const vault = {
      standard: 'ERC20',
      symbol: 'vUSD',
      decimals: 18,
      underlying: { symbol: 'USD', decimals: 6 },
    } as const;
    expect(toAmountUnit(vault, TOKEN)).toEqual({ symbol: 'vUSD', decimals: 18 });
    expect(toAmountUnit(vault, `${TOKEN}:asset`)).toEqual({ symbol: 'USD', decimals: 6 });
    expect(toAmountUnit({ standard: 'ERC20', symbol: 'USD', decimals: 6 }, `${TOKEN}:asset`)).toBeNull();
    expect(['', ':asset'].map(suffix => isAmountToken(`${TOKEN}${suffix}`))).toEqual([true, true]);
  });
});

describe('amounts in a log', () => {
  const transfer = topic('Transfer(address,address,uint256)');
  const approval = topic('Approval(address,address,uint256)');

  test.each([
    ['Transfer', [transfer, word(0xaa), word(0xbb)], word(7), '7'],
    ['Approval', [approval, word(0xaa), word(0xbb)], word(2n ** 256n - 1n), (2n ** 256n - 1n).toString()],
    ['Mint', [topic('Mint(address,uint256)'), word(0xaa)], word(5), '5'],
    ['Mint of a minter', [topic('Mint(address,address,uint256)'), word(0xaa), word(0xbb)], word(5), '5'],
    ['Deposit of WETH', [topic('Deposit(address,uint256)'), word(0xaa)], word(5), '5'],
  ])('is one of an ERC-20: %s', (_, topics, data, expected) => {
    expect(getLogAmount(topics, data)).toBe(expected);
    expect(amountsOfLog(topics, data).map(([, value, unit]) => [value, unit])).toEqual([[expected, TOKEN]]);
  });

  test.each([
    ['Transfer of an ERC-721', [transfer, word(0xaa), word(0xbb), word(7)], '0x'],
    ['Approval of an ERC-721', [approval, word(0xaa), word(0xbb), word(7)], '0x'],
    [
      'an ERC-1155',
      [topic('TransferSingle(address,address,address,uint256,uint256)'), word(1), word(2), word(3)],
      word(1) + word(2).slice(2),
    ],
    ['a Transfer without indexed parameters', [transfer], word(0xaa) + word(0xbb).slice(2) + word(7).slice(2)],
    ['data of another length', [transfer, word(0xaa), word(0xbb)], word(7).slice(0, -2)],
    ['data that is no hex', [transfer, word(0xaa), word(0xbb)], `0x${'zz'.repeat(32)}`],
    ['no topics', [], word(7)],
  ])('is none of a token: %s', (_, topics, data) => {
    expect(getLogAmount(topics, data)).toBeNull();
    if (topics.length > 0) expect(amountsOfLog(topics, data)).toEqual([]);
  });

  test('an indexed token id of a workspace ABI is not an amount', () => {
    const book = createAbiRegistry();
    const abi = ['event Transfer(address indexed a, address indexed b, uint256 indexed value)'];
    book.set({ id: 'x', items: readAbi(parseAbi(abi as never), 'Mine') });
    expect(amountsOfLog([transfer, word(0xaa), word(0xbb), word(7)], '0x', book)).toEqual([]);
  });

  test('shares of a vault are its own token, its assets those of its asset', () => {
    const topics = [topic('Deposit(address,address,uint256,uint256)'), word(0xaa), word(0xbb)];
    expect(amountsOfLog(topics, word(100) + word(99).slice(2))).toEqual([
      ['shares', '99', TOKEN],
      ['assets', '100', `${TOKEN}:asset`],
    ]);
  });

  test('native coin has the unit of the chain', () => {
    expect(amountsOfLog([topic('SafeReceived(address,uint256)'), word(0xaa)], word(9))).toEqual([
      ['value', '9', 'native'],
    ]);
  });
});

describe('amounts in a call', () => {
  const abi = parseAbi([
    'function transfer(address to, uint256 amount)',
    'function execute(address dest, uint256 value, bytes func)',
  ]);
  const amounts = (input: string, to: string | null) =>
    decodeFunctionData(createAbiRegistry(), input).flatMap(reading =>
      [...getAmountTokens(reading, to)].map(([{ value }, unit]) => [value, unit]),
    );

  test('have the unit of the called contract', () => {
    const input = encodeFunctionData({ abi, functionName: 'transfer', args: [A, 7n] });
    expect(amounts(input, TOKEN)).toEqual([['7', TOKEN]]);
    expect(amounts(input, null)).toEqual([]);
  });

  test('or of native coin that it forwards', () => {
    const input = encodeFunctionData({ abi, functionName: 'execute', args: [A, 7n, '0x'] });
    expect(amounts(input, TOKEN)).toEqual([['7', 'native']]);
  });
});

describe('Seaport', () => {
  const fulfilled =
    'OrderFulfilled(bytes32,address,address,address,(uint8,address,uint256,uint256)[],(uint8,address,uint256,uint256,address)[])';
  const data = encodeAbiParameters(
    parseAbiParameters(
      'bytes32, address, (uint8, address, uint256, uint256)[], (uint8, address, uint256, uint256, address)[]',
    ),
    [
      word(1) as `0x${string}`,
      B,
      [[2, TOKEN, 42n, 1n]],
      [
        [0, '0x0000000000000000000000000000000000000000', 0n, 10n ** 18n, A],
        [1, TOKEN, 0n, 5n, B],
        [9, TOKEN, 0n, 5n, B],
      ],
    ],
  );

  test('an order lists the offer and the recipients', () => {
    const [reading] = decodeEventLog(createAbiRegistry(), { topics: [topic(fulfilled), word(0xaa), word(0)], data });
    const trade = reading === undefined ? null : getSeaportTrade(reading);
    if (trade?.kind !== 'fulfilled') throw new Error('It is not read as an order.');
    expect(trade.offerer).toBe(A);
    expect(trade.offer).toEqual([{ kind: 'erc721', token: TOKEN, id: '42', amount: '1', recipient: B }]);
    expect(trade.consideration.map(({ kind, amount, recipient }) => [kind, amount, recipient])).toEqual([
      ['native', (10n ** 18n).toString(), A],
      ['erc20', '5', B],
      [null, '5', B],
    ]);
    expect(trade.consideration.map(getSeaportItemUnit)).toEqual(['native', TOKEN, null]);
    expect(trade.offer.map(getSeaportItemUnit)).toEqual([null]);
  });

  test('counts matched orders', () => {
    const hashes = encodeAbiParameters(parseAbiParameters('bytes32[]'), [[word(1), word(2)] as `0x${string}`[]]);
    const [reading] = decodeEventLog(createAbiRegistry(), {
      topics: [topic('OrdersMatched(bytes32[])')],
      data: hashes,
    });
    expect(reading === undefined ? null : getSeaportTrade(reading)).toEqual({ kind: 'matched', orders: 2 });
  });
});

describe('amounts of an error of the workspace', () => {
  const amountsOfError = (signature: string, args: readonly unknown[]) => {
    const abi = parseAbi([signature] as readonly string[]);
    const book = createAbiRegistry();
    book.set({ id: 'vault', items: readAbi(abi, 'Vault') });
    const [error] = decodeErrorResult(book, encodeErrorResult({ abi, args } as never));
    return error && [...getAmountTokens(error, TOKEN)].map(([{ name, value }, unit]) => [name, value, unit]);
  };

  test('are what it compares with each other, in one unit', () => {
    expect(
      amountsOfError('error InsufficientPosition(address account, uint256 amount, uint256 needed)', [A, 75n, 90n]),
    ).toEqual([
      ['amount', '75', TOKEN],
      ['needed', '90', TOKEN],
    ]);
  });

  test.each([
    ['error TooMany(uint256 count, uint256 limit)', [7n, 5n]],
    ['error Late(uint256 time, uint256 needed)', [7n, 5n]],
  ])('are none where it names no amount: %s', (signature, args) => {
    expect(amountsOfError(signature, args)).toEqual([]);
  });

  test('are no other numbers beside an amount', () => {
    expect(amountsOfError('error Locked(uint256 amount, uint256 until)', [7n, 5n])).toEqual([['amount', '7', TOKEN]]);
  });
});
