// Storage layouts computed from syntax trees, beside those that solc computes itself.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { keccak256, toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import type { ContractDeclarations } from '../../../../src/api/contractDeclarations.ts';
import { readLayoutDeclarations } from '../../../../src/decode/source/layoutDeclarations.ts';
import { scaleRounds } from '../../../support/rounds.ts';
import {
  type CompiledLayout,
  compileLayouts,
  describeLayout,
  describeSolcLayout,
} from '../../../support/source/compileLayouts.ts';
import type { Compiler } from '../../../support/source/sourceProject.ts';

const ROUNDS = scaleRounds(1);
const COMPILERS: readonly Compiler[] = ['solc-0.6', 'solc-0.8.19', 'solc', 'solc-0.8.37'];
const require = createRequire(import.meta.url);

/** A deterministic sequence of numbers below `limit`. */
function createRandom(seed: number): (limit: number) => number {
  let state = seed;
  return limit => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
}

const VALUE_TYPES = [
  ...['bool', 'address', 'address payable', 'uint8', 'uint24', 'uint96', 'uint128', 'uint256', 'int16', 'int256'],
  ...['bytes1', 'bytes4', 'bytes20', 'bytes32', 'Color', 'Thing', 'Other'],
  ...['function (uint256) external returns (bool)', 'function () internal'],
];
const REFERENCE_TYPES = ['string', 'bytes', 'Small', 'Large', 'Node'];

/** State variables of every kind of type, nested two levels deep. */
function writeVariables(random: (limit: number) => number, name: string, count: number): string {
  const pick = (list: readonly string[]) => list[random(list.length)] as string;
  const createType = (depth: number): string => {
    const kind = depth === 0 ? random(2) : random(6);
    if (kind === 0 || kind === 1) return pick(VALUE_TYPES);
    if (kind === 2) return pick(REFERENCE_TYPES);
    if (kind === 3)
      return `mapping(${pick(['address', 'uint256', 'bytes4', 'Color', 'string'])} => ${createType(depth - 1)})`;
    const base = createType(depth - 1);
    return kind === 4 ? `${base}[]` : `${base}[${1 + random(9)}]`;
  };
  return Array.from({ length: count }, (_, i) => `${createType(2)} internal ${name}${i};`).join('\n  ');
}

const writeContracts = (seed: number): string => {
  const random = createRandom(seed);
  return `pragma solidity >=0.6.0;
interface Thing {}
contract Other {}
library Kinds { struct Nested { uint64 low; uint128 middle; uint96 high; } }
contract Types {
  enum Color { Red, Green, Blue }
  struct Small { uint8 a; bool b; uint128 c; }
  struct Large { uint256 a; Small[3] smalls; Kinds.Nested nested; mapping(address => Small) byAddress; bytes1 last; }
  struct Node { uint32 value; Node[] children; mapping(uint256 => Node) named; }
  uint256 constant COUNT = 2 * 3;
  uint16[COUNT / 2] internal counted;
  uint8 internal lowest;
}
contract Left is Types {
  ${writeVariables(random, 'left', 12)}
}
contract Right is Types {
  ${writeVariables(random, 'right', 12)}
}
abstract contract Empty is Types { uint256 constant NONE = 1; }
contract Both is Empty, Left, Right {
  ${writeVariables(random, 'own', 12)}
}
`;
};

const findDifferences = (layouts: readonly CompiledLayout[]): readonly object[] =>
  layouts.flatMap(({ contract, declarations, storage, transient }): readonly object[] => {
    if (declarations === null) return [{ contract, problem: 'no declarations' }];
    const computed = [
      describeLayout(declarations, declarations.storage),
      describeLayout(declarations, declarations.transient),
    ];
    const given = [describeSolcLayout(storage), transient === null ? [] : describeSolcLayout(transient)];
    return JSON.stringify(computed) === JSON.stringify(given) ? [] : [{ contract, computed, given }];
  });

const findContract = (layouts: readonly CompiledLayout[], name: string): ContractDeclarations => {
  const declarations = layouts.find(({ contract }) => contract.endsWith(`:${name}`))?.declarations;
  if (declarations === null || declarations === undefined) throw new Error(`no declarations of ${name}`);
  return declarations;
};

describe.each(COMPILERS)('the storage layout by %s', compiler => {
  test('is that of the compiler for variables of all types, in contracts that inherit from several', async () => {
    for (let seed = 1; seed <= ROUNDS; seed++) {
      const sources = new Map(Array.from({ length: 4 }, (_, i) => [`c${i}.sol`, writeContracts(seed * 100 + i)]));
      const layouts = await compileLayouts(compiler, sources);
      expect(layouts.map(({ declarations }) => declarations?.by)).toEqual(layouts.map(() => 'ast'));
      expect(findDifferences(layouts)).toEqual([]);
      // And the same is read from the compiler's own layout.
      for (const { declarations, storage, transient } of layouts) {
        const read = readLayoutDeclarations(storage, transient);
        expect(read && describeLayout(read, read.storage)).toEqual(
          declarations && describeLayout(declarations, declarations.storage),
        );
      }
    }
  });
});

test('transient variables have slots of their own, and a layout begins where the contract says', async () => {
  const layouts = await compileLayouts(
    'solc-0.8.37',
    new Map([
      [
        'a.sol',
        `pragma solidity ^0.8.31;
uint256 constant BASE = 0x10;
type Price is uint64;
contract Base { uint256 a; bool transient locked; address transient caller; }
contract Moved is Base layout at BASE * 2 + 255 { uint128 b; Price c; uint256 transient depth; }
contract Named is Base layout at erc7201("example.named") { uint8 d; }
contract Last layout at 2 ** 256 - 2 ** 64 { uint8 e; }`,
      ],
    ]),
  );
  expect(findDifferences(layouts)).toEqual([]);
  expect(describeLayout(findContract(layouts, 'Moved'), findContract(layouts, 'Moved').storage)).toEqual([
    'a 287+0 inplace 32',
    'b 288+0 inplace 16',
    'c 288+16 inplace 8',
  ]);
  expect(describeLayout(findContract(layouts, 'Moved'), findContract(layouts, 'Moved').transient)).toEqual([
    'locked 0+0 inplace 1',
    'caller 0+1 inplace 20',
    'depth 1+0 inplace 32',
  ]);
});

test.each(COMPILERS)('a struct of an ERC-7201 namespace is found by its comment (%s)', async compiler => {
  const layouts = await compileLayouts(
    compiler,
    new Map([
      [
        'a.sol',
        `pragma solidity >=0.6.0;
library Vaults {
  /// @custom:storage-location erc7201:example.main
  struct MainStorage { uint256 x; uint256 y; }
}
contract Uses {
  struct Plain { uint8 a; }
  // not ${'@custom:storage-location erc7201:example.comment'}
  uint256 z;
  struct Other { uint8 a; }
}
contract Unrelated {
  /** @custom:storage-location erc7201:example.unrelated */
  struct Unseen { uint8 a; }
}`,
      ],
    ]),
  );
  const { storage } = findContract(layouts, 'Uses');
  expect(storage.map(({ name, contract, namespace, slot }) => ({ name, contract, namespace, slot }))).toEqual([
    { name: 'z', contract: 'Uses', namespace: undefined, slot: 0n },
    {
      name: 'MainStorage',
      contract: 'Vaults',
      namespace: 'example.main',
      // The example of ERC-7201.
      slot: 0x183a6125c38840424c4a85fa12bab2ab606c4b6d0e7cc73c0c06ba5300eab500n,
    },
  ]);
});

test.each(COMPILERS)('a struct that assembly places at a constant slot is found there (%s)', async compiler => {
  const slotOf = (name: string) => `${name}${compiler === 'solc-0.6' ? '_' : '.'}slot`;
  const hash = 'keccak256("example.rooms")';
  const layouts = await compileLayouts(
    compiler,
    new Map([
      [
        'a.sol',
        `pragma solidity >=0.6.0;
library Rooms {
  struct Layout { uint256 size; }
  struct Moved { uint256 size; }
  bytes32 constant SLOT = ${hash};
  function layout() internal pure returns (Layout storage l) { bytes32 slot = SLOT; assembly { ${slotOf('l')} := slot } }
  function moved(bytes32 by) internal pure returns (Moved storage l) {
    bytes32 slot = ${hash};
    slot = by;
    assembly { ${slotOf('l')} := slot }
  }
}
contract House {
  struct Attic { uint8 boxes; }
  struct Cellar { uint8 boxes; }
  uint256 doors;
  function attic() internal pure returns (Attic storage $) {
    assembly { ${slotOf('$')} := 0x8b1c58ab27c5a0f2ad3a2cf8d6d0c4b1f6f5b62ad2c6f9b7a3f14f2a1d0a0b00 }
  }
  // Where the doors are.
  function cellar() internal pure returns (Cellar storage $) { assembly { ${slotOf('$')} := 0 } }
}
contract Other { struct Shed { uint8 a; } function shed() internal pure returns (Shed storage $) { assembly { ${slotOf('$')} := ${2n ** 200n} } } }`,
      ],
    ]),
  );
  const { storage } = findContract(layouts, 'House');
  expect(storage.map(({ name, contract, slot }) => [name, contract, slot])).toEqual([
    ['doors', 'House', 0n],
    ['Rooms.Layout', 'Rooms', BigInt(keccak256(toHex('example.rooms')))],
    ['Attic', 'House', 0x8b1c58ab27c5a0f2ad3a2cf8d6d0c4b1f6f5b62ad2c6f9b7a3f14f2a1d0a0b00n],
  ]);
});

test('immutables have their places in the code, and constants their values', async () => {
  const [layout] = await compileLayouts(
    'solc-0.8.37',
    new Map([
      [
        'a.sol',
        `pragma solidity ^0.8.31;
uint256 constant FREE = 7;
type Rate is uint16;
contract A {
  Rate constant RATE = Rate.wrap(500);
  uint256 constant SUM = FREE + 3 ether;
  int8 constant NEGATIVE = -2;
  bytes4 constant SELECTOR = 0x12345678;
  bytes8 constant TEXT = "ab";
  bytes32 constant ROLE = keccak256("MINTER");
  string constant NAME = "Vault";
  address constant BURNED = address(0xdead);
  bool constant ON = true;
  uint8 constant MOST = type(uint8).max;
  bytes32 constant LATER = keccak256(abi.encode(1));
  uint64 immutable started = uint64(block.timestamp);
}`,
      ],
    ]),
  );
  const { constants = [], immutables = [] } = layout?.declarations ?? {};
  expect(Object.fromEntries(constants.map(({ name, value }) => [name, value]))).toEqual({
    FREE: 7n,
    RATE: 500n,
    SUM: 3_000_000_000_000_000_007n,
    NEGATIVE: 254n,
    SELECTOR: 0x12345678n,
    TEXT: 0x6162000000000000n,
    ROLE: 0xf0887ba65ee2024ea881d91b74c2450ef19e1557f03bed3ea9f16b037cbe2dc9n,
    NAME: 'Vault',
    BURNED: 0xdeadn,
    ON: 1n,
    MOST: 255n,
    LATER: null,
  });
  expect(immutables.map(({ name, contract }) => ({ name, contract }))).toEqual([{ name: 'started', contract: 'A' }]);
});

test('locals have the range in which they can be used, and the place of their value', async () => {
  const source = `pragma solidity ^0.8.0;
contract A {
  function f(uint256[] calldata list, string memory) external returns (uint256 total) {
    for (uint256 i = 0; i < list.length; i++) { uint256 item = list[i]; total += item; }
    try this.f(list, "") returns (uint256 other) { total = other; } catch (bytes memory reason) { total = reason.length; }
  }
}`;
  const [layout] = await compileLayouts('solc', new Map([['a.sol', source]]));
  const [found] = layout?.declarations?.functions ?? [];
  const toScope = ({ name, location, scopeStart, scopeEnd }: NonNullable<typeof found>['locals'][number]) =>
    `${location} ${name}: ${source.slice(scopeStart, scopeEnd).replace(/\s+/g, ' ').slice(0, 30)}`;
  expect(found?.parameters.map(toScope)).toEqual([
    'calldata list: function f(uint256[] calldata ',
    'memory : function f(uint256[] calldata ',
  ]);
  expect(found?.returns.map(toScope)).toEqual(['stack total: function f(uint256[] calldata ']);
  expect(found?.locals.map(toScope)).toEqual([
    'stack i: ; i < list.length; i++) { uint',
    'stack item: ; total += item; }',
    'stack other: returns (uint256 other) { tota',
    'memory reason: catch (bytes memory reason) { ',
  ]);
});

describe('OpenZeppelin', () => {
  const root = dirname(require.resolve('@openzeppelin/contracts/package.json'));

  /** The files with all that they import. */
  function readSources(files: readonly string[]): ReadonlyMap<string, string> {
    const paths = new Set(files);
    const sources = new Map<string, string>();
    for (const path of paths) {
      const text = readFileSync(join(root, path), 'utf8');
      sources.set(`@openzeppelin/contracts/${path}`, text);
      for (const [, imported = ''] of text.matchAll(/^import [^"]*"(\.[^"]+)";/gm))
        paths.add(join(dirname(path), imported));
    }
    return sources;
  }

  const isComplete = ROUNDS > 1;
  // All of it takes a minute with each compiler: only with more rounds than one.
  test.each(isComplete ? (['solc', 'solc-0.8.37'] as const) : (['solc'] as const))(
    'has the layout of the compiler (%s)',
    async compiler => {
      const all = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.sol'));
      const few = ['governance/extensions/GovernorStorage.sol', 'token/ERC721/extensions/ERC721Votes.sol'];
      const layouts = await compileLayouts(compiler, readSources(isComplete ? all : few));
      expect(layouts.length).toBeGreaterThan(40);
      expect(findDifferences(layouts)).toEqual([]);
    },
    300_000,
  );
});
