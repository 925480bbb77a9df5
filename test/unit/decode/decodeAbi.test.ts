// Logs, calls and reverts read by workspace ABIs first, by bundled signatures second, honestly when several fit.
import {
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  parseAbi,
  toEventHash,
} from 'viem';
import { describe, expect, test } from 'vitest';
import { formatAbiItem, parseAbiItem, readAbi } from '../../../src/decode/abiItem.ts';
import {
  createAbiRegistry,
  getBundledErrors,
  getBundledEvents,
  getBundledFunctions,
} from '../../../src/decode/abiRegistry.ts';
import {
  decodeErrorResult,
  decodeEventLog,
  decodeFunctionData,
  findMatchingFunctions,
} from '../../../src/decode/decodeAbi.ts';
import { EVENT_SIGNATURES } from '../../../src/decode/signatures/eventSignatures.ts';

const A = '0x00000000000000000000000000000000000000aa';
const B = '0x00000000000000000000000000000000000000bb';
const word = (value: bigint | number) => `0x${BigInt(value).toString(16).padStart(64, '0')}`;
const transfer = toEventHash('Transfer(address,address,uint256)');
const shown = (values: readonly { name: string; value: unknown }[] | undefined) =>
  values?.map(({ name, value }) => `${name}=${value}`);

const bookOf = (abi: readonly string[], source = 'Mine') => {
  const book = createAbiRegistry();
  book.set({ id: source, items: readAbi(parseAbi(abi as never), source) });
  return book;
};

describe('bundled signatures', () => {
  const book = createAbiRegistry();
  test('ERC-20 and ERC-721 transfers differ by their topics', () => {
    const erc20 = decodeEventLog(book, { topics: [transfer, word(0xaa), word(0xbb)], data: word(7) });
    expect(erc20.map(({ item }) => item.source)).toEqual(['ERC-20']);
    expect(shown(erc20[0]?.values)).toEqual([`from=${A}`, `to=${B}`, 'value=7']);
    const erc721Topics = [transfer, word(0xaa), word(0xbb), word(7)];
    const erc721 = decodeEventLog(book, { topics: erc721Topics, data: '0x' });
    expect(erc721.map(({ item }) => item.source)).toEqual(['ERC-721']);
    expect(decodeEventLog(book, { topics: [transfer, word(0xaa)], data: word(7) })).toEqual([]);
    // More topics than any of them declares: of another event.
    expect(decodeEventLog(book, { topics: [...erc721Topics, word(8)], data: word(7) })).toEqual([]);
  });

  test('every line of the tables becomes an item with the same hash', () => {
    const names = EVENT_SIGNATURES.match(/^[0-9a-f]{4} \w+/gm) ?? [];
    expect(names.length).toBeGreaterThan(50);
    for (const [topic, kind] of [
      [transfer, getBundledEvents],
      ['0xa9059cbb', getBundledFunctions],
      ['0x08c379a0', getBundledErrors],
    ] as const) {
      for (const item of kind(topic))
        expect(parseAbiItem({ ...item, type: item.kind }, item.source)?.hash).toBe(item.hash);
      expect(kind(topic).length).toBeGreaterThan(0);
    }
  });

  test('decodes a tuple of a well-known event', () => {
    const [line] = EVENT_SIGNATURES.match(/OrderFulfilled.*/) ?? [];
    expect(line).toBeDefined();
    const [item] = getBundledEvents('0x9d9af8e38d66c62e2c12f0225249fd9d721c54b83f48d9352c97c6cacdcb6f31');
    expect(item?.canonical).toBe(
      'OrderFulfilled(bytes32,address,address,address,(uint8,address,uint256,uint256)[],(uint8,address,uint256,uint256,address)[])',
    );
  });

  test('decodes the data of a revert', () => {
    const data = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['no <b>way</b>'] });
    expect(shown(decodeErrorResult(book, data)[0]?.values)?.[0]).toMatch(/=no <b>way<\/b>$/);
    expect(decodeErrorResult(book, '0x')).toEqual([]);
    expect(decodeErrorResult(book, '0x08c379')).toEqual([]);
  });
});

describe('workspace', () => {
  const abi = [
    'event Transfer(address indexed src, address indexed dst, uint256 wad)',
    'function mint(address to, uint256[] ids)',
  ];
  test('precedes the bundled signatures', () => {
    const readings = decodeEventLog(bookOf(abi), { topics: [transfer, word(0xaa), word(0xbb)], data: word(7) });
    expect(readings.map(({ item, isFromWorkspace }) => [formatAbiItem(item), isFromWorkspace])).toEqual([
      ['Transfer(address indexed src, address indexed dst, uint256 wad)', true],
    ]);
  });

  test('falls back to the bundled ones if it does not match', () => {
    const readings = decodeEventLog(bookOf(abi), { topics: [transfer, word(0xaa), word(0xbb), word(7)], data: '0x' });
    expect(readings.map(({ isFromWorkspace }) => isFromWorkspace)).toEqual([false]);
  });

  test('decodes calls by the ABIs of the workspace', () => {
    const input = encodeFunctionData({
      abi: parseAbi(abi as never),
      functionName: 'mint',
      args: [A, [1n, 2n]],
    } as never);
    const [reading] = decodeFunctionData(bookOf(abi), input);
    expect(reading?.values[0]).toEqual({ name: 'to', type: 'address', value: A });
    expect(reading?.values[1]?.value).toEqual([
      { name: '0', type: 'uint256', value: '1' },
      { name: '1', type: 'uint256', value: '2' },
    ]);
    expect(decodeFunctionData(bookOf(abi), `${input.slice(0, 10)}00`)).toEqual([]);
  });

  test('returns both of two declarations with different values', () => {
    const book = bookOf(['event E(address indexed a, address b)']);
    book.set({ id: 'Other', items: readAbi(parseAbi(['event E(address a, address indexed b)']), 'Other') });
    const topics = encodeEventTopics({ abi: parseAbi(['event E(address indexed a, address b)']), args: { a: A } });
    const data = encodeAbiParameters([{ type: 'address' }], [B]);
    expect(decodeEventLog(book, { topics: topics as string[], data }).map(({ values }) => shown(values))).toEqual([
      [`a=${A}`, `b=${B}`],
      [`a=${B}`, `b=${A}`],
    ]);
  });

  test('returns one item for the same interface in many contracts', () => {
    const book = createAbiRegistry();
    for (let i = 0; i < 50; i++) book.set({ id: `${i}`, items: readAbi(parseAbi(abi as never), `C${i}`) });
    expect(decodeEventLog(book, { topics: [transfer, word(1), word(2)], data: word(7) })).toHaveLength(1);
    for (let i = 0; i < 50; i++) book.remove(`${i}`);
    expect(book.size).toBe(0);
    expect(book.events(transfer).workspace).toEqual([]);
  });

  test('finds an anonymous event without topic0', () => {
    const book = createAbiRegistry();
    const inputs = [
      { name: 'key', type: 'bytes32', indexed: true },
      { name: 'value', type: 'uint256' },
    ];
    book.set({ id: 'Notes', items: readAbi([{ type: 'event', name: 'Note', anonymous: true, inputs }], 'Notes') });
    expect(shown(decodeEventLog(book, { topics: [word(9)], data: word(3) })[0]?.values)).toEqual([
      `key=${word(9)}`,
      'value=3',
    ]);
  });
});

describe('parseAbi', () => {
  test('ignores invalid entries', () => {
    const entries: unknown[] = [null, 1, 'x', {}, [], { type: 'event' }, { type: 'event', name: 'a b', inputs: [] }];
    entries.push({ type: 'function', name: 'f', inputs: [{ type: 'nope' }] }, { type: 'constructor', inputs: [] });
    entries.push({ type: 'function', name: 'f', inputs: 'x' }, { type: 'function', name: 'x'.repeat(200), inputs: [] });
    expect(readAbi(entries, 'X')).toEqual([]);
    expect(readAbi({ length: 1 }, 'X')).toEqual([]);
    expect(
      readAbi([{ type: 'function', name: '__proto__', inputs: [{ name: '</b>', type: 'uint' }] }], 'X'),
    ).toMatchObject([{ canonical: '__proto__(uint256)', inputs: [{ name: '' }] }]);
  });
});

describe('findMatchingFunctions', () => {
  const [efficient] = getBundledFunctions('0x00000000');
  /** What the CREATE2 deployer takes: 32 bytes of salt, mostly zeros, and the code. */
  const toDeployer = `0x${'0'.repeat(63)}1${'60806040523480156100'.repeat(100)}`;

  test('data that starts with zeros is not a call of the function with selector 0x00000000', () => {
    expect(efficient?.name).toBe('fulfillBasicOrder_efficient_6GL6yc');
    expect(findMatchingFunctions(createAbiRegistry(), toDeployer)).toEqual([]);
    expect(findMatchingFunctions(createAbiRegistry(), '0x00000000')).toEqual([]);
  });

  test('finds a real call of that function', () => {
    const order = {
      considerationToken: A,
      considerationIdentifier: 0n,
      considerationAmount: 1n,
      offerer: A,
      zone: A,
      offerToken: B,
      offerIdentifier: 1n,
      offerAmount: 1n,
      basicOrderType: 0,
      startTime: 0n,
      endTime: 1n,
      zoneHash: word(0),
      salt: 1n,
      offererConduitKey: word(0),
      fulfillerConduitKey: word(0),
      totalOriginalAdditionalRecipients: 0n,
      additionalRecipients: [],
      signature: '0x12',
    };
    const abi = parseAbi([
      'struct Recipient { uint256 amount; address recipient; }',
      'struct Order { address considerationToken; uint256 considerationIdentifier; uint256 considerationAmount; address offerer; address zone; address offerToken; uint256 offerIdentifier; uint256 offerAmount; uint8 basicOrderType; uint256 startTime; uint256 endTime; bytes32 zoneHash; uint256 salt; bytes32 offererConduitKey; bytes32 fulfillerConduitKey; uint256 totalOriginalAdditionalRecipients; Recipient[] additionalRecipients; bytes signature; }',
      'function fulfillBasicOrder_efficient_6GL6yc(Order parameters)',
    ]);
    const input = encodeFunctionData({ abi, args: [order as never] });
    expect(input.slice(0, 10)).toBe('0x00000000');
    expect(findMatchingFunctions(createAbiRegistry(), input)).toEqual([efficient]);
  });

  test('functions of the workspace are first', () => {
    const book = bookOf(['function transfer(address to, uint256 amount)']);
    const input = encodeFunctionData({ abi: parseAbi(['function transfer(address,uint256)']), args: [A, 1n] });
    expect(findMatchingFunctions(book, input).map(({ source }) => source)[0]).toBe('Mine');
  });
});
