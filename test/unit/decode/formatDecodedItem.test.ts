// One line of text for a decoded call or error.
import * as AbiParameters from 'ox/AbiParameters';
import { keccak256 } from 'ox/Hash';
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../src/base/hex.ts';
import { parseAbiItem } from '../../../src/decode/abiItem.ts';
import { createAbiRegistry } from '../../../src/decode/abiRegistry.ts';
import {
  type DecodedItem,
  decodeErrorResult,
  decodeEventLog,
  decodeFunctionData,
} from '../../../src/decode/decodeAbi.ts';
import {
  type DecodedItemFormat,
  formatDecodedError,
  formatDecodedItem,
  listAddresses,
} from '../../../src/decode/formatDecodedItem.ts';
import { detectLiterals } from '../../../src/detect/detectLiterals.ts';
import { decodeDataLiteral } from '../../../src/view/decodedLiteral.ts';

const alice: Hex = `0x${'a1'.repeat(20)}`;
const token: Hex = `0x${'70'.repeat(20)}`;
const position = {
  type: 'tuple',
  name: 'position',
  components: [
    { type: 'uint256', name: 'id' },
    { type: 'uint64', name: 'until' },
    { type: 'bool', name: 'isOpen' },
  ],
};
const locked = { type: 'error', name: 'Locked', inputs: [position, { type: 'address', name: 'owner' }] };
const callFailed = { type: 'error', name: 'CallFailed', inputs: [{ type: 'bytes', name: 'reason' }] };
const setAll = { type: 'function', name: 'setAll', inputs: [{ type: 'uint256[]', name: 'ids' }] };

const items = [locked, callFailed, setAll].map(item => parseAbiItem(item, 'Vault'));
const registry = createAbiRegistry();
registry.set({ id: 'Vault', items: items.flatMap(item => item ?? []) });
const [lockedItem, callFailedItem, setAllItem] = items;
const format: DecodedItemFormat = {
  registry,
  getName: address => (address === alice ? 'Alice' : null),
  getUnit: address => (address === token ? { symbol: 'MFT', decimals: 6 } : null),
};

const encode = (hash: string | undefined, types: string, values: readonly unknown[]): Hex =>
  `${hash?.slice(0, 10) as Hex}${AbiParameters.encode(AbiParameters.from(types), values as never).slice(2)}`;
const panic = (code: bigint) => encode('0x4e487b71', 'uint256', [code]);
const formatError = (data: Hex) => decodeErrorResult(registry, data).map(item => formatDecodedError(item, format));

test('addresses are listed with those of an error that bytes encode', () => {
  const inner = encode(lockedItem?.hash, '(uint256 id, uint64 until, bool isOpen), address', [
    { id: 1n, until: 2n, isOpen: true },
    alice,
  ]);
  const [failed] = decodeErrorResult(registry, encode(callFailedItem?.hash, 'bytes', [inner]));
  expect(listAddresses(failed?.values ?? [], registry)).toEqual([alice]);
});

describe('a value of an enum', () => {
  const status = (type: string, name: string) => ({ type, name, internalType: `enum Ballot.Status${type.slice(5)}` });
  const moved = { type: 'error', name: 'Moved', inputs: [status('uint8', 'from'), status('uint8[]', 'to')] };
  const readMoved = (enums: ReadonlyMap<string, readonly string[]>, more = new Map<string, readonly string[]>()) => {
    const own = createAbiRegistry();
    const [item] = [parseAbiItem(moved, 'Ballot')];
    for (const [id, members] of [['a', enums] as const, ['b', more] as const]) {
      own.set({ id, items: item === null || item === undefined ? [] : [item] });
      expect(own.idsWithoutEnums()).toEqual([id]);
      own.setEnums(id, members);
    }
    const data = encode(item?.hash, 'uint8, uint8[]', [1, [0, 2]]);
    return decodeErrorResult(own, data).map(found => formatDecodedItem(found, { ...format, registry: own }));
  };
  const members = new Map([['Ballot.Status', ['Pending', 'Active']]]);

  test('has the name of its member by the build, and keeps the number', () => {
    expect(readMoved(members)).toEqual(['Moved(from: Status.Active (1), to: [Status.Pending (0), 2])']);
  });

  test('is a number where no build knows the enum, or two builds differ', () => {
    const plain = ['Moved(from: 1, to: [0, 2])'];
    expect(readMoved(new Map())).toEqual(plain);
    expect(readMoved(members, new Map([['Ballot.Status', ['Active', 'Pending']]]))).toEqual(plain);
  });
});

describe('a function that ERC-20 and ERC-721 share', () => {
  const approve = encode('0x095ea7b3', 'address, uint256', [alice, 7n]);
  const mint = encode('0x40c10f19', 'address, uint256', [alice, 7n]);
  const describeBy = (standard: 'ERC20' | 'ERC721' | null, own = registry) =>
    [approve, mint].map(input => {
      const [call] = decodeFunctionData(own, input);
      if (call === undefined) throw new Error('not decoded');
      return formatDecodedItem(call, { registry: own, getName: format.getName, getStandard: () => standard }, token);
    });

  test('names its number by the standard of the contract, and not at all when that is unknown', () => {
    expect(describeBy('ERC20')).toEqual(['approve(spender: Alice, amount: 7)', 'mint(to: Alice, amount: 7)']);
    expect(describeBy('ERC721')).toEqual(['approve(spender: Alice, tokenId: 7)', 'mint(to: Alice, 7)']);
    expect(describeBy(null)).toEqual(['approve(spender: Alice, 7)', 'mint(to: Alice, 7)']);
  });

  test('keeps the names of a file of the workspace', () => {
    const own = createAbiRegistry();
    const inputs = [
      { type: 'address', name: 'who' },
      { type: 'uint256', name: 'howMany' },
    ];
    const item = parseAbiItem({ type: 'function', name: 'mint', inputs }, 'Apes');
    own.set({ id: 'Apes', items: item === null ? [] : [item] });
    expect(describeBy(null, own)[1]).toBe('mint(who: Alice, howMany: 7)');
  });
});

describe('errors', () => {
  test('shows the values of a tuple and the name of an address', () => {
    const data = encode(lockedItem?.hash, '(uint256 id, uint64 until, bool isOpen), address', [
      { id: 7n, until: 99n, isOpen: true },
      alice,
    ]);
    expect(formatError(data)).toEqual(['Locked(position: (id: 7, until: 99, isOpen: true), owner: Alice)']);
  });

  test('explains a panic, also with an unknown code', () => {
    expect(formatError(panic(18n))).toEqual(['Panic(0x12): division or modulo by zero']);
    expect(formatError(panic(3n))).toEqual(['Panic(0x03): unknown code']);
  });

  test('shows only the text of Error(string)', () => {
    expect(formatError(encode('0x08c379a0', 'string', ['not the owner']))).toEqual(['not the owner']);
  });

  test('decodes an error in the bytes of another one, to a bounded depth', () => {
    let data = panic(17n);
    for (let level = 0; level < 10; level++) data = encode(callFailedItem?.hash, 'bytes', [data]);
    expect(formatError(encode(callFailedItem?.hash, 'bytes', [panic(17n)]))).toEqual([
      'CallFailed(reason: Panic(0x11): arithmetic overflow or underflow)',
    ]);
    expect(formatError(data)[0]?.match(/CallFailed/g)).toHaveLength(5);
  });

  test('shortens bytes that encode nothing known', () => {
    expect(formatError(encode(callFailedItem?.hash, 'bytes', [`0x${'ab'.repeat(40)}`]))).toEqual([
      'CallFailed(reason: 0xabab…abab (40 bytes))',
    ]);
  });
});

describe('calls', () => {
  const formatCall = (data: Hex, to: Hex | null = null) =>
    decodeFunctionData(registry, data).map(item => formatDecodedItem(item, format, to));

  test('shows an amount in the unit of the called token, and the zero address as such', () => {
    const data = encode('0xa9059cbb', 'address, uint256', [`0x${'00'.repeat(20)}`, 2_500_000n]);
    expect(formatCall(data, token)).toEqual(['transfer(to: zero address, amount: 2.5 MFT)']);
    expect(formatCall(data)).toEqual(['transfer(to: zero address, amount: 2,500,000)']);
    expect(formatCall(encode('0x42842e0e', 'address, address, uint256', [alice, alice, 2_500_000n]))).toEqual([
      expect.stringContaining('tokenId: 2500000'),
    ]);
  });

  test('shows the first elements of a long array', () => {
    const ids = Array.from({ length: 11 }, (_, index) => BigInt(index));
    expect(formatCall(encode(setAllItem?.hash, 'uint256[]', [ids]))).toEqual([
      'setAll(ids: [0, 1, 2, 3, 4, 5, 6, 7, … +3])',
    ]);
  });
});

describe('what a contract of the workspace declares', () => {
  const struct = { ...position, internalType: 'struct Harbor.Position' };
  const declared = [
    {
      type: 'event',
      name: 'Opened',
      inputs: [struct, { ...struct, name: 'rest', type: 'tuple[]', internalType: 'struct Harbor.Position[]' }],
    },
    {
      type: 'event',
      name: 'Named',
      inputs: [
        { type: 'string', name: 'key', indexed: true },
        { type: 'string', name: 'name' },
      ],
    },
    {
      type: 'function',
      name: 'lock',
      inputs: [
        { type: 'uint256', name: 'amount' },
        { type: 'uint128[]', name: 'amounts' },
        { type: 'uint64', name: 'unlockTime' },
        { type: 'uint64', name: 'deadline' },
        { type: 'uint256', name: 'count' },
      ],
    },
  ].flatMap(item => parseAbiItem(item, 'Harbor') ?? []);
  const harbor = createAbiRegistry();
  harbor.set({ id: 'Harbor', items: declared });
  const [opened, named, lock] = declared;
  const toText = (decoded: DecodedItem | undefined) =>
    decoded === undefined ? null : formatDecodedItem(decoded, { ...format, registry: harbor }, token);
  const encodeData = (types: string, values: readonly unknown[]) =>
    AbiParameters.encode(AbiParameters.from(types), values as never);

  test('tuples have the names of their structs', () => {
    const one = { id: 7n, until: 99n, isOpen: true };
    const tuple = '(uint256 id, uint64 until, bool isOpen)';
    const log = { topics: [opened?.hash ?? ''], data: encodeData(`${tuple}, ${tuple}[]`, [one, [one]]) };
    expect(toText(decodeEventLog(harbor, log)[0])).toBe(
      'Opened(position: Position(id: 7, until: 99, isOpen: true), rest: [Position(id: 7, until: 99, isOpen: true)])',
    );
  });

  test('an indexed text is its hash, and the text itself where the log has it too', () => {
    const hash = keccak256(new TextEncoder().encode('Pier 7'), { as: 'Hex' });
    const show = (name: string) =>
      toText(decodeEventLog(harbor, { topics: [named?.hash ?? '', hash], data: encodeData('string', [name]) })[0]);
    const short = `${hash.slice(0, 6)}…${hash.slice(-4)}`;
    expect(show('Pier 7')).toBe(`Named(key: "Pier 7" (hash ${short}), name: "Pier 7")`);
    expect(show('Pier 8')).toBe(`Named(key: hash ${short}, name: "Pier 8")`);
  });

  test('amounts are in the unit of its token, and moments are times', () => {
    const types = 'uint256, uint128[], uint64, uint64, uint256';
    const input = encode(lock?.hash, types, [2_500_000n, [1_000_000n], 1_763_000_000n, 3_600n, 2_500_000n]);
    expect(toText(decodeFunctionData(harbor, input)[0])).toBe(
      'lock(amount: 2.5 MFT, amounts: [1 MFT], unlockTime: 2025-11-13 02:13:20 UTC, deadline: 3600, count: 2,500,000)',
    );
  });
});

describe('literals in code', () => {
  const decode = (text: string) =>
    detectLiterals(text).flatMap(literal => (literal.kind === 'data' ? decodeDataLiteral(literal, format) : []));

  test('decodes call data and revert data with values', () => {
    expect(decode(`data: ${encode('0xa9059cbb', 'address, uint256', [alice, 5n])}`)).toEqual([
      'transfer(to: Alice, amount: 5)',
    ]);
    expect(decode(panic(1n))).toEqual(['Panic(0x01): assertion failed']);
  });

  test('shows the words of return data as numbers and addresses, or as one text', () => {
    expect(decode(AbiParameters.encode(AbiParameters.from('uint256, address'), [12n, alice]))).toEqual(['12, Alice']);
    expect(decode(AbiParameters.encode(AbiParameters.from('string'), ['Ape Club']))).toEqual(['"Ape Club"']);
  });
});
