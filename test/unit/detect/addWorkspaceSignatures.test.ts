// What the workspace's ABIs add to a hovered literal.
import { parseAbi, toEventHash, toFunctionSelector } from 'viem';
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../src/base/hex.ts';
import { readAbi } from '../../../src/decode/abiItem.ts';
import { createAbiRegistry } from '../../../src/decode/abiRegistry.ts';
import { addWorkspaceSignatures, isWorkspaceSelector } from '../../../src/detect/addWorkspaceSignatures.ts';
import { detectLiterals } from '../../../src/detect/detectLiterals.ts';
import type { HexLiteral } from '../../../src/detect/hexLiteral.ts';

const abi = [
  'event Bid(address indexed bidder, uint256 amount)',
  'event Transfer(address indexed src, address indexed dst, uint256 wad)',
  'function bid(uint256 lot)',
  'error TooLow(uint256 least)',
];
const book = createAbiRegistry();
book.set({ id: 'a', items: readAbi(parseAbi(abi as never), 'Auction') });

const only = (text: string): HexLiteral => {
  const [subject] = detectLiterals(text);
  if (subject === undefined) throw new Error(`nothing in ${text}`);
  return addWorkspaceSignatures(subject, book);
};
const bid = toEventHash('Bid(address,uint256)');

describe('addWorkspaceSignatures', () => {
  test('32 bytes that are a topic in the workspace become a topic, which is not looked up', () => {
    expect(only(`const t = "${bid}"`)).toMatchObject({
      kind: 'topic',
      text: bid,
      events: [{ text: 'Bid(address indexed bidder, uint256 amount)', standard: 'Auction', indexedCount: 1 }],
    });
  });
  test('an event names the contracts that declare it, three at most', () => {
    const registry = createAbiRegistry();
    const declare = (names: readonly string[], event: string) => {
      for (const name of names) registry.set({ id: name, items: readAbi(parseAbi([event] as never), name) });
    };
    const getContracts = () => {
      const [literal] = detectLiterals(`const t = "${bid}"`);
      const found = literal === undefined ? null : addWorkspaceSignatures(literal, registry);
      return found?.kind === 'topic' ? found.events.map(({ standard }) => standard) : [];
    };
    declare(['Grain', 'Silo'], 'event Bid(address indexed bidder, uint256 amount)');
    declare(['Other'], 'event Bid(address indexed who, uint256 value)');
    expect(getContracts()).toEqual(['Grain, Silo', 'Other']);
    declare(['IGrain', 'Depot', 'Yard'], 'event Bid(address indexed bidder, uint256 amount)');
    expect(getContracts()[0]).toBe('Grain, Silo, IGrain, +2');
  });
  test('enums have the names that the build gives them, also in arrays', () => {
    const registry = createAbiRegistry();
    const status = (name: string, type: string) => ({
      name,
      type,
      internalType: type.replace('uint8', 'enum Lot.Status'),
    });
    const inputs = [
      { name: 'lot', type: 'uint256' },
      status('to', 'uint8'),
      status('path', 'uint8[2]'),
      { name: 'bits', type: 'uint8' },
    ];
    registry.set({ id: 'a', items: readAbi([{ type: 'function', name: 'move', inputs }], 'Auction') });
    const selector = toFunctionSelector('move(uint256,uint8,uint8[2],uint8)');
    const [literal] = detectLiterals(`bytes4 selector = ${selector};`);
    expect(literal && addWorkspaceSignatures(literal, registry)).toMatchObject({
      functions: [
        {
          text: 'move(uint256 lot, Status to, Status[2] path, uint8 bits)',
          canonical: 'move(uint256,uint8,uint8[2],uint8)',
        },
      ],
    });
  });
  test('next to a secret word they stay 32 bytes', () => {
    expect(only(`PRIVATE_KEY=${bid}`)).toMatchObject({ kind: 'hash32' });
  });
  test('the declaration in the workspace precedes a different bundled one', () => {
    const subject = only(`"${toEventHash('Transfer(address,address,uint256)')}"`);
    expect(subject.kind === 'topic' && subject.events.map(({ standard }) => standard)).toEqual(['Auction', 'ERC-721']);
  });
  test('adds signatures to selectors and call data', () => {
    expect(only('bytes4 selector = 0x454a2ab3;')).toMatchObject({
      kind: 'selector',
      functions: [{ text: 'bid(uint256 lot)', standard: 'Auction' }],
    });
  });
  test('four bytes are a selector without a word that says so where the workspace declares them', () => {
    const source = { isKnownSelector: (selector: Hex) => isWorkspaceSelector(selector, book) };
    const kinds = (text: string) => detectLiterals(text, source).map(({ kind }) => kind);
    const tooLow = toFunctionSelector('TooLow(uint256)');
    expect(kinds(`data: ${tooLow}, 0x454A2AB3 in the log`)).toEqual(['selector', 'selector']);
    expect(kinds('data: 0x454a2ab4')).toEqual([]);
  });
  test('returns any other literal unchanged', () => {
    const [subject] = detectLiterals('0x52908400098527886E0F7030069857D2E4169EE7');
    expect(subject && addWorkspaceSignatures(subject, book)).toBe(subject);
    expect(subject && addWorkspaceSignatures(subject, null)).toBe(subject);
  });
});
