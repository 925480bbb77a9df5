// From slots of storage to variables and their values, and back.
import { keccak256 } from 'ox/Hash';
import { encodeAbiParameters, type Hex, pad, stringToHex, toHex } from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ContractDeclarations } from '../../../../src/api/contractDeclarations.ts';
import type { VariableChange } from '../../../../src/api/stateChanges.ts';
import { hexToBytes } from '../../../../src/base/hex.ts';
import { formatPath, type Preimage, SlotNames } from '../../../../src/decode/source/slotNames.ts';
import {
  getMappingPlace,
  listPlaces,
  parseMappingKey,
  readStorageValue,
  type StoragePlace,
} from '../../../../src/decode/source/storageValues.ts';
import { listVariableChanges } from '../../../../src/decode/source/variableChanges.ts';
import { measureCpuMs } from '../../../support/cpuTime.ts';
import { compileLayouts } from '../../../support/source/compileLayouts.ts';

const SOURCE = `pragma solidity ^0.8.8;
type Price is int64;
interface Token {}
contract Vault {
  enum Mode { Open, Paused, Closed }
  struct Position { uint128 amount; uint64 since; Mode mode; bool isActive; string label; mapping(bytes4 => int16) limits; }
  uint256 total;                                        // 0
  address owner; Mode mode; int8 bias; bool isOn;       // 1
  mapping(address => Position) positions;               // 2
  mapping(address => mapping(uint256 => uint256[])) lists; // 3
  Position[] all;                                       // 4
  uint16[20] small;                                     // 5, 6
  string name;                                          // 7
  mapping(string => Price) prices;                      // 8
  mapping(uint256 => uint256) byNumber;                 // 9
  bytes4 selector; Token token;                         // 10
  bytes data;                                           // 11
  mapping(Mode => mapping(bool => int256)) nested;      // 12
  function (uint256) external callback;                 // 13
}`;

const ALICE = '0x00000000000000000000000000000000000a11ce';
const hash = (hex: Hex): bigint => BigInt(keccak256(hex));
const word = (value: bigint | Hex): Hex => pad(typeof value === 'bigint' ? toHex(value) : value, { size: 32 });
const slotOf = (key: Hex, slot: bigint): bigint => hash(`${key}${word(slot).slice(2)}` as Hex);
const preimage = (input: Hex): Preimage => ({ input: hexToBytes(input), hash: hash(input) });
const mappingPreimage = (key: Hex, slot: bigint): Preimage => preimage(`${key}${word(slot).slice(2)}` as Hex);

let vault: ContractDeclarations;
beforeAll(async () => {
  const layouts = await compileLayouts('solc', new Map([['Vault.sol', SOURCE]]));
  const found = layouts.find(({ contract }) => contract === 'Vault.sol:Vault')?.declarations;
  if (found === undefined || found === null) throw new Error('no declarations');
  vault = found;
});

const createNames = (preimages: readonly Preimage[] = []): SlotNames => {
  const names = new SlotNames(vault, vault.storage);
  names.addPreimages(preimages);
  return names;
};
const find = (names: SlotNames, slot: bigint): readonly string[] =>
  names.find(slot).map(({ path, part }) => formatPath(path) + (typeof part === 'object' ? ` word ${part.data}` : ''));

describe('the name of a slot', () => {
  test('is that of all variables in it', () => {
    const names = createNames();
    expect(find(names, 0n)).toEqual(['total']);
    expect(find(names, 1n)).toEqual(['owner', 'mode', 'bias', 'isOn']);
    expect(find(names, 4n)).toEqual(['all.length']);
    expect(find(names, 6n)).toEqual(['small[16]', 'small[17]', 'small[18]', 'small[19]']);
    expect(find(names, 2n)).toEqual([]);
    expect(find(names, 14n)).toEqual([]);
  });

  test('has the keys of mappings, which hashes in the trace tell', () => {
    const alice = slotOf(word(ALICE), 2n);
    const list = slotOf(word(7n), slotOf(word(ALICE), 3n));
    const names = createNames([
      mappingPreimage(word(ALICE), 2n),
      mappingPreimage(pad('0x12345678', { dir: 'right', size: 32 }), alice + 2n),
      preimage(word(alice + 1n)),
      mappingPreimage(word(ALICE), 3n),
      mappingPreimage(word(7n), slotOf(word(ALICE), 3n)),
      preimage(word(list)),
      mappingPreimage(stringToHex('a "b"'), 8n),
      mappingPreimage(word(2n), 12n),
      mappingPreimage(word(1n), slotOf(word(2n), 12n)),
      // A hash that has nothing to do with storage.
      preimage(`${word(1n)}${word(99n).slice(2)}`),
    ]);
    expect(find(names, alice)).toEqual(
      ['amount', 'since', 'mode', 'isActive'].map(member => `positions[${ALICE}].${member}`),
    );
    expect(find(names, alice + 1n)).toEqual([`positions[${ALICE}].label`]);
    expect(find(names, hash(word(alice + 1n)) + 1n)).toEqual([`positions[${ALICE}].label word 1`]);
    expect(find(names, slotOf(pad('0x12345678', { dir: 'right', size: 32 }), alice + 2n))).toEqual([
      `positions[${ALICE}].limits[0x12345678]`,
    ]);
    expect(find(names, list)).toEqual([`lists[${ALICE}][7].length`]);
    expect(find(names, hash(word(list)) + 3n)).toEqual([`lists[${ALICE}][7][3]`]);
    expect(find(names, slotOf(stringToHex('a "b"'), 8n))).toEqual(['prices["a \\"b\\""]']);
    expect(find(names, slotOf(word(1n), slotOf(word(2n), 12n)))).toEqual(['nested[Closed][true]']);
    expect(find(names, slotOf(word(1n), 99n))).toEqual([]);
  });

  test('is found for hashes that the optimizer computed: of arrays and strings, and of known keys', () => {
    const names = createNames();
    // A struct takes three slots.
    expect(find(names, hash(word(4n)) + 7n)).toEqual(['all[2].label']);
    expect(find(names, hash(word(7n)))).toEqual(['name word 0']);
    expect(find(names, slotOf(word(5n), 9n))).toEqual([]);
    names.addKeys([5n, BigInt(ALICE)]);
    expect(find(names, slotOf(word(5n), 9n))).toEqual(['byNumber[5]']);
    expect(find(names, slotOf(word(5n), slotOf(word(ALICE), 3n)))).toEqual([`lists[${ALICE}][5].length`]);
    expect(find(names, hash(word(slotOf(word(5n), slotOf(word(ALICE), 3n)))))).toEqual([`lists[${ALICE}][5][0]`]);
  });

  test('is not a guess: a key that its type cannot have names nothing', () => {
    const key = word(1n << 200n);
    expect(find(createNames([mappingPreimage(key, 2n)]), slotOf(key, 2n))).toEqual([]);
  });
});

describe('what changed', () => {
  const list = (preimages: readonly Preimage[], words: readonly (readonly [bigint, bigint, bigint])[]) =>
    [
      ...listVariableChanges(
        vault.types,
        createNames(preimages),
        words.map(([slot, oldValue, newValue]) => ({ slot, oldValue, newValue })),
      ),
    ].map(({ path, type, oldValue, newValue, bytes }) => {
      const part = bytes === undefined ? '' : ` bytes ${bytes.from} to ${bytes.to}`;
      return `${type} ${formatPath(path)}${part}: ${oldValue} → ${newValue}`;
    });

  test('is listed for each variable of a slot that has another value', () => {
    const owner = BigInt(ALICE);
    const before = owner | (1n << 160n) | (0xfen << 168n);
    const after = owner | (2n << 160n) | (0x05n << 168n) | (1n << 176n);
    expect(list([], [[1n, before, after]])).toEqual([
      'Vault.Mode mode: Paused → Closed',
      'int8 bias: -2 → 5',
      'bool isOn: false → true',
    ]);
  });

  test('is the whole text of a string, short or long, where all of its words are known', () => {
    const short = BigInt(pad(stringToHex('short'), { dir: 'right', size: 32 })) | 10n;
    const long = 'a text of more than thirty-one bytes, in two words';
    const bytes = stringToHex(long).slice(2).padEnd(128, '0');
    const [first, second] = [BigInt(`0x${bytes.slice(0, 64)}`), BigInt(`0x${bytes.slice(64)}`)];
    const head = BigInt(2 * long.length + 1);
    const data = hash(word(7n));
    expect(
      list(
        [],
        [
          [7n, short, head],
          [data, 0n, first],
          [data + 1n, 0n, second],
        ],
      ),
    ).toEqual([`string name: short → ${long}`]);
    expect(
      list(
        [],
        [
          [data, first, 0n],
          [data + 1n, second, 0n],
          [7n, head, short],
        ],
      ),
    ).toEqual([`string name: ${long} → short`]);
    // Only one word was written, such as by `bytes(name)[40] = 'x'`: the rest is not known.
    expect(list([], [[data + 1n, second, second + 1n]])).toEqual([
      `string name bytes 32 to 64: ${word(second)} → ${word(second + 1n)}`,
    ]);
    // One byte was added behind the 50: bytes behind the end are none of the text.
    expect(
      list(
        [],
        [
          [data + 1n, second, second + (0x61n << (8n * 13n))],
          [7n, head, head + 2n],
        ],
      ),
    ).toEqual([
      `string name bytes 32 to 51: ${stringToHex(long.slice(32))} → ${stringToHex(`${long.slice(32)}a`)}`,
      `uint256 name.length: ${long.length} → ${long.length + 1}`,
    ]);
    expect(list([], [[7n, head, head + 2n]])).toEqual([`uint256 name.length: ${long.length} → ${long.length + 1}`]);
  });

  test('is the word itself where no variable is known', () => {
    expect(list([], [[500n, 0n, 1n]])).toEqual([`bytes32 : ${word(0n)} → ${word(1n)}`]);
    // Bytes behind the last variable of a slot.
    expect(list([], [[10n, 0n, 1n << 255n]])).toEqual([`bytes32 : ${word(0n)} → ${word(1n << 255n)}`]);
  });
});

describe('the value of a variable', () => {
  const findVariable = (name: string): StoragePlace => {
    const found = vault.storage.find(each => each.name === name);
    if (found === undefined) throw new Error(`no variable ${name}`);
    return found;
  };

  test('is read with its members, from the words that are known', () => {
    const alice = slotOf(word(ALICE), 2n);
    const label = BigInt(pad(stringToHex('first'), { dir: 'right', size: 32 })) | 10n;
    const words = new Map([
      [alice, 77n | (1_700_000_000n << 128n) | (1n << 192n) | (1n << 200n)],
      [alice + 1n, label],
    ]);
    const read = (slot: bigint) => words.get(slot);
    const key = parseMappingKey(vault.types, typeOfKey('positions'), ALICE);
    const place = key === null ? null : getMappingPlace(vault.types, findVariable('positions'), key);
    if (place === null) throw new Error('no place');
    const members = listPlaces(vault.types, place, read);
    expect(members.map(member => [member.name, readStorageValue(vault.types, member, read).value])).toEqual([
      ['amount', '77'],
      ['since', '1700000000'],
      ['mode', 'Paused'],
      ['isActive', 'true'],
      ['label', 'first'],
      ['limits', null],
    ]);
    expect(readStorageValue(vault.types, findVariable('total'), read).value).toBeNull();
  });

  const typeOfKey = (name: string): number => {
    const type = vault.types[findVariable(name).type];
    if (type?.kind !== 'mapping') throw new Error(`${name} is no mapping`);
    return type.key;
  };

  test('lists elements of arrays by range', () => {
    const first = hash(word(4n));
    const read = (slot: bigint) => (slot === 4n ? 1_000n : undefined);
    expect(readStorageValue(vault.types, findVariable('all'), read).count).toBe(1_000n);
    const places = listPlaces(vault.types, findVariable('all'), read, { from: 998n, count: 10 });
    expect(places.map(({ name, slot }) => [name, slot - first])).toEqual([
      ['[998]', 2_994n],
      ['[999]', 2_997n],
    ]);
    const small = listPlaces(vault.types, findVariable('small'), read, { from: 15n, count: 2 });
    expect(small.map(({ slot, offset }) => [slot, offset])).toEqual([
      [5n, 30],
      [6n, 0],
    ]);
  });

  test('of a function is its address and selector', () => {
    const stored = BigInt(`${ALICE}12345678`);
    expect(readStorageValue(vault.types, findVariable('callback'), () => stored).value).toBe(`${ALICE}12345678`);
  });

  test('keys are hashed as Solidity does', () => {
    const encode = (type: string, value: unknown) => encodeAbiParameters([{ type }], [value]);
    const parse = (name: string, text: string) => {
      const key = parseMappingKey(vault.types, typeOfKey(name), text);
      return key === null ? null : toHex(key);
    };
    expect(parse('positions', ALICE)).toBe(encode('address', ALICE));
    expect(parse('positions', '12')).toBeNull();
    expect(parse('byNumber', '12')).toBe(encode('uint256', 12n));
    expect(parse('byNumber', '-1')).toBeNull();
    expect(parse('prices', 'gold')).toBe(stringToHex('gold'));
    expect(parse('nested', 'Closed')).toBe(encode('uint8', 2));
  });
});

test('ten thousand writes are named within the time that a page may take', () => {
  const keys = Array.from({ length: 10_000 }, (_, i) => word(BigInt(ALICE) + BigInt(i)));
  const preimages = keys.map(key => mappingPreimage(key, 2n));
  const words = preimages.map(({ hash: slot }) => ({ slot, oldValue: 0n, newValue: 5n }));
  let changes: readonly VariableChange[] = [];
  const cpuMs = measureCpuMs(() => {
    changes = [...listVariableChanges(vault.types, createNames(preimages), words)];
  }, 1_000);
  expect(changes.length).toBe(10_000);
  expect(changes.every(({ path }) => path.length === 3)).toBe(true);
  // 300 ms on a quiet machine; tests run beside other work.
  expect(cpuMs).toBeLessThan(1_000);
});
