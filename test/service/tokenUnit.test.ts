// What amounts of a contract are counted in: asked of the contract, and of an ERC-20 alone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toAmountUnit } from '../../src/protocol/amountUnits.ts';
import { type ServiceUnderTest, startService } from '../support/filledChain.ts';
import { forwardTo, type ScriptedRpcNode, startScriptedRpcNode } from '../support/scriptedRpcNode.ts';
import { useFilledChain } from '../support/useFilledChain.ts';

const world = useFilledChain();

const unit = async (address: string, service: ServiceUnderTest = world.service) =>
  (await service.lookup('tokenUnit', { chain: 'local', address: address as `0x${string}` })).value;

/** An ABI `string`. */
const text = (value: string): string => {
  const bytes = Buffer.from(value);
  const word = (number: number) => number.toString(16).padStart(64, '0');
  return `0x${word(32)}${word(bytes.length)}${bytes.toString('hex').padEnd(Math.ceil(bytes.length / 32) * 64, '0')}`;
};

describe('tokenUnit', () => {
  it('is what the token says, in one batch', async () => {
    const { contracts } = world.chain;
    expect(await unit(contracts.coin)).toEqual({ kind: 'token', standard: 'ERC20', symbol: 'TEST', decimals: 18 });
    expect(await unit(contracts.usdx)).toMatchObject({ standard: 'ERC20', decimals: 6 });
    expect(await unit(contracts.oldToken)).toMatchObject({ standard: 'ERC20', symbol: 'OLD', decimals: 9 });
  });

  it('has decimals for no NFT, no other contract and no account', async () => {
    const { accounts, contracts } = world.chain;
    expect(await unit(contracts.apes)).toMatchObject({ standard: 'ERC721', decimals: null });
    expect(await unit(contracts.items)).toMatchObject({ standard: 'ERC1155', decimals: null });
    for (const address of [contracts.vault, accounts.alice, world.chain.vacant])
      expect(await unit(address)).toMatchObject({ standard: null, decimals: null });
  });

  it('tokens that the index of a chain has met are listed with their names', async () => {
    const { contracts } = world.chain;
    const { value } = await world.service.lookup('knownTokens', { chain: 'local' });
    expect(value.tokens).toContainEqual({
      address: contracts.coin.toLowerCase(),
      standard: 'ERC20',
      name: expect.any(String),
      symbol: 'TEST',
    });
  });

  it('of a contract that holds one token is that of the token', async () => {
    const { contracts } = world.chain;
    const forward = forwardTo(world.anvil.url);
    const node = await startScriptedRpcNode({
      answer: call => {
        const [first] = call.params as readonly { readonly data?: string; readonly to?: string }[];
        const isVault = first?.to === contracts.vault.toLowerCase();
        if (isVault && first?.data === '0xfc0c546a')
          return { result: contracts.usdx.toLowerCase().replace('0x', `0x${'0'.repeat(24)}`) };
        return forward(call);
      },
    });
    const service = startService({ local: node.url });
    try {
      const found = await unit(contracts.vault, service);
      expect(found).toMatchObject({ standard: null, decimals: null, underlying: { symbol: 'USDX', decimals: 6 } });
      expect(toAmountUnit(found)).toEqual({ symbol: 'USDX', decimals: 6 });
    } finally {
      await service.stop();
      await node.stop();
    }
  });

  describe('of a hostile token', () => {
    let node: ScriptedRpcNode;
    let service: ServiceUnderTest;
    let symbol = '';
    let decimals = `0x${'0'.repeat(62)}12`;

    beforeAll(async () => {
      const forward = forwardTo(world.anvil.url);
      node = await startScriptedRpcNode({
        answer: call => {
          const [first] = call.params as readonly { readonly data?: string }[];
          if (first?.data === '0x95d89b41') return { result: symbol };
          if (first?.data === '0x313ce567') return { result: decimals };
          return forward(call);
        },
      });
      // No response is cached: each test has its own.
      service = startService({ local: node.url });
    });
    afterAll(async () => {
      await service?.stop();
      await node?.stop();
    });

    it.each([
      ['HTML', '<img src=x onerror=alert(1)>', '<img src=x onerror=aler…'],
      ['direction marks', 'ABC\u202egnp', 'ABCgnp'],
      ['a megabyte', 'A'.repeat(1_000_000), 'A'.repeat(23)],
      ['several lines', 'A\n\nB\u2028C', 'ABC'],
    ])('has one short line of text for %s', async (_, hostile, start) => {
      symbol = text(hostile);
      const found = toAmountUnit(await unit(world.chain.contracts.coin, service));
      expect(found?.symbol?.startsWith(start)).toBe(true);
      expect(found?.symbol?.length).toBeLessThanOrEqual(24);
      expect(found?.symbol).not.toMatch(/[\p{Cc}\p{Cf}\u2028]/u);
    });

    it.each(['000', '=1+1', ',000', '000 USD', '. '])('a symbol that reads as digits is none: %j', async digits => {
      symbol = text(digits);
      expect(toAmountUnit(await unit(world.chain.contracts.coin, service))?.symbol).toBeNull();
    });

    it.each(['1INCH', 'USD₮0', '$', 'Ξ', '🦄', 'שקל'])('a symbol of another kind is shown: %j', async odd => {
      symbol = text(odd);
      expect(toAmountUnit(await unit(world.chain.contracts.coin, service))?.symbol).toBe(odd);
    });

    it('has no amounts with more decimals than an honest one', async () => {
      symbol = text('LIE');
      for (const [places, expected] of [
        ['24', { symbol: 'LIE', decimals: 36 }],
        ['25', null],
        ['ff', null],
      ] as const) {
        decimals = `0x${'0'.repeat(62)}${places}`;
        expect(toAmountUnit(await unit(world.chain.contracts.coin, service))).toEqual(expected);
      }
    });
  });
});
