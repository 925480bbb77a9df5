// The tab Read Contract on the page: what is read at once, forms with checks, and what survives a reload.

// @vitest-environment happy-dom
import { decodeFunctionData, encodeErrorResult, encodeFunctionResult, erc20Abi, type Hex, parseAbi } from 'viem';
import { describe, expect, test, vi } from 'vitest';
import type { ContractCallResult } from '../../../src/api/lookups.ts';
import { HexLensError } from '../../../src/base/errors.ts';
import { readAbi } from '../../../src/decode/abiItem.ts';
import { createAbiRegistry } from '../../../src/decode/abiRegistry.ts';
import type { InspectorTarget } from '../../../src/protocol/inspectorTarget.ts';
import { type ConnectedPanel, type ConnectedPanelOptions, ok } from './connectedPanel.ts';
import { find as findIn, textOf } from './dom.ts';
import { createPageFixture, eventually, shows } from './openPage.ts';

const { open } = createPageFixture();

const TOKEN = `0x${'ce'.repeat(20)}` as Hex;
/** The extension has a name for it. */
const NAMED = `0x${'0'.repeat(36)}dEaD` as Hex;
const vaultAbi = parseAbi([
  'function owner() view returns (address)',
  'function limits() view returns ((uint256 low, uint256 high) range, string[] labels)',
  'function quote(address account, uint8 kind) view returns (uint256 price)',
  'function broken() view returns (uint256)',
  'function hasRole(bytes32 role) view returns (bool)',
  'function list(uint256 size) view returns (uint256[])',
  'function pay()',
  'error Closed(address by)',
]);
const abi = [...vaultAbi, ...erc20Abi] as const;

const registry = createAbiRegistry();
registry.set({ id: 'Vault.json', items: readAbi(vaultAbi, 'Vault') });

function answer(data: Hex): ContractCallResult {
  const { functionName: name, args } = decodeFunctionData({ abi, data });
  if (name === 'broken')
    return {
      outcome: 'reverted',
      data: encodeErrorResult({ abi, errorName: 'Closed', args: [NAMED] }),
      message: 'reverted',
    };
  const values: Readonly<Record<string, unknown>> = {
    owner: NAMED,
    limits: [{ low: 1n, high: 2n ** 255n }, ['<img src=x onerror=alert(1)>', 'b\u202e']],
    hasRole: true,
    list: Array.from({ length: Number((args as readonly bigint[] | undefined)?.[0] ?? 0) }, (_, index) =>
      BigInt(index),
    ),
    quote: BigInt((args as readonly [string, number] | undefined)?.[1] ?? 0) * 100n,
    totalSupply: 1_500_000_000n,
    name: 'Vault shares',
    symbol: 'VLT',
    decimals: 6,
    balanceOf: 2_000_000n,
  };
  return {
    outcome: 'returned',
    output: encodeFunctionResult({ abi, functionName: name, result: values[name] as never }),
  };
}

interface Call {
  readonly data: readonly Hex[];
  readonly block?: number;
}

const options = (
  calls: Call[],
  target: InspectorTarget = { kind: 'address', chain: 'local', address: TOKEN },
): ConnectedPanelOptions => ({
  target,
  reply: () => ok({ page: 1, page_size: 100, cursor: null, result: [] }),
  abis: registry,
  identify: async (_chain, address) => ({
    address,
    build: { name: 'Vault', source: 'src/Vault.sol', ids: ['Vault.json'], difference: null, copy: null },
    proxy: null,
    implementations: [],
    abiIds: [],
  }),
  lookup(id, input) {
    if (id === 'addressSummary')
      return {
        ...{ kind: 'address', chain: { id: 31337, name: null, title: 'Local', coin: 'ETH', decimals: 18 } },
        ...{
          address: TOKEN,
          balance: 0n,
          nonce: 1,
          codeSize: 10,
          delegate: null,
          proxy: null,
          blockNumber: 18_000_000,
        },
        token: { standard: 'ERC20', name: 'Vault shares', symbol: 'VLT', decimals: 6, totalSupply: 1_500_000_000n },
      };
    if (id === 'tokenUnit') return { kind: 'token', standard: 'ERC20', symbol: 'VLT', decimals: 6 };
    if (id !== 'contractCalls') return undefined;
    const call = input as Call;
    calls.push(call);
    return { kind: 'calls', results: call.data.map(answer) };
  },
});

/** All matching elements of the page, shadow trees included. */
const findAll = (selector: string, node: ParentNode = document): readonly HTMLElement[] => [
  ...node.querySelectorAll<HTMLElement>(selector),
  ...[...node.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
    shadowRoot === null ? [] : findAll(selector, shadowRoot),
  ),
];
function find<T extends HTMLElement>(selector: string): T {
  const found = findIn(document, selector);
  if (found === null) throw new Error(`The page has no ${selector}.`);
  return found as T;
}

const select = async (name: string) => {
  (await eventually(() => find(`[data-tab="${name}"]`))).click();
};
const group = (name: string) =>
  eventually(() => {
    const found = findAll(`.function[aria-label="${name}"]`)[0];
    expect(found).toBeDefined();
    expect(textOf(found as Element)).not.toContain('Reading…');
    return found as HTMLElement;
  });
/** Opens the form of a function and fills it in. */
async function fill(name: string, values: readonly string[]): Promise<HTMLElement> {
  const view = await eventually(() => {
    const found = findAll('hl-contract-function').find(element => textOf(element).trim().startsWith(`${name} (`));
    expect(found).toBeDefined();
    return found as HTMLElement;
  });
  const inner = view.shadowRoot as ShadowRoot;
  const details = inner.querySelector('details') as HTMLDetailsElement;
  details.open = true;
  details.dispatchEvent(new Event('toggle'));
  for (const [index, value] of values.entries()) {
    const input = inner.querySelector(`#argument${index}`) as HTMLInputElement;
    input.value = value;
    input.dispatchEvent(new Event('input'));
  }
  return view;
}
const submit = (view: HTMLElement) =>
  view.shadowRoot?.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }));
const copiedOf = async (view: HTMLElement, connected: ConnectedPanel, name: string) => {
  const label = `Copy the result of ${name}`;
  const root = view.shadowRoot ?? view;
  root.querySelector<HTMLElement>(`[aria-label="${label}"]`)?.click();
  return eventually(() => {
    expect(connected.copied).not.toEqual([]);
    return connected.copied.at(-1);
  });
};

describe('the tab Read Contract', () => {
  test('reads what has no arguments at once, in one request of calls, and decodes it', async () => {
    const calls: Call[] = [];
    const { connected } = await open(options(calls));
    await select('read');
    expect(textOf(await group('owner'))).toContain(NAMED);
    // The hostile name is text, without the character that turns its direction.
    expect(textOf(await group('owner'))).toContain('<b>Burn</b>·');
    await eventually(async () => expect(textOf(await group('totalSupply'))).toContain('1,500 VLT'));
    expect(textOf(await group('broken'))).toContain('Reverted: Closed(by: <b>Burn</b>·');
    expect(textOf(await group('limits'))).toContain('<img src=x onerror=alert(1)>');
    expect(findAll('img')).toEqual([]);
    expect(calls.map(({ data }) => data.length)).toEqual([7]);
    expect(findAll('.function[aria-label="pay"]')).toEqual([]);
    expect(await copiedOf(await group('owner'), connected, 'owner')).toBe(NAMED);
    connected.copied.length = 0;
    expect(JSON.parse((await copiedOf(await group('limits'), connected, 'limits')) ?? '')).toEqual({
      range: { low: '1', high: String(2n ** 255n) },
      labels: ['<img src=x onerror=alert(1)>', 'b\u202e'],
    });
  });

  test('names wrong arguments at their fields and sends nothing; reads with right ones', async () => {
    const calls: Call[] = [];
    await open(options(calls));
    await select('read');
    await group('owner');
    const view = await fill('quote', ['0x12', '256']);
    const before = calls.length;
    submit(view);
    await eventually(() => expect(textOf(view)).toContain('account must be an address: 0x and 40 hex digits'));
    expect(textOf(view)).toContain('kind must be a whole number of uint8, from 0 to 255');
    expect(calls.length).toBe(before);
    await fill('quote', [NAMED, '3']);
    submit(view);
    await eventually(() => expect(textOf(view)).toContain('300'));
    expect(textOf(view)).not.toContain('must be');
  });

  test('restores arguments and their result after a reload of the window', async () => {
    const first = await open(options([]));
    await select('read');
    await group('owner');
    const view = await fill('quote', [NAMED, '4']);
    submit(view);
    await eventually(() => expect(textOf(view)).toContain('400'));
    const { state } = first.connected;
    first.page.remove();
    await open({ ...options([]), state });
    await shows('400');
  });

  test.each([
    ['a word of 32 bytes', 'ab'.repeat(32)],
    ['the words of a mnemonic', 'test test test test test test test test test test test junk'],
  ])('stores no argument that has %s', async (_, secret) => {
    const call = { signature: 'hasRole(bytes32)', args: [secret] };
    const { connected } = await open(options([], { kind: 'address', chain: 'local', address: TOKEN, call }));
    await select('read');
    await group('owner');
    const view = await fill('quote', [secret, '3']);
    submit(view);
    await eventually(() => expect(textOf(view)).toContain('account must be an address'));
    await fill('list', ['7']);
    await eventually(() => expect(JSON.stringify(connected.state)).toContain('args list(uint256)'));
    expect(JSON.stringify(connected.state)).not.toContain(secret);
    expect(find<HTMLInputElement>('#argument0').value).toBe(secret);
  });

  test('says how many values of a long list it leaves out', async () => {
    await open(
      options([], {
        kind: 'address',
        chain: 'local',
        address: TOKEN,
        call: { signature: 'list(uint256)', args: ['1200'] },
      }),
    );
    await shows('701 more values are not shown');
  });

  test('leaves the form of a function in place while the functions are filtered', async () => {
    await open(options([]));
    await select('read');
    await group('owner');
    const view = await fill('quote', [NAMED, '4']);
    const filter = find<HTMLInputElement>('.filter');
    for (const text of ['q', 'quo', 'quote', 'o']) {
      filter.value = text;
      filter.dispatchEvent(new Event('input'));
      await eventually(() => expect(findAll('.function[aria-label="owner"]')).toHaveLength(text === 'o' ? 1 : 0));
      expect(view.isConnected).toBe(true);
    }
  });

  test('removes a declaration that the page was opened with', async () => {
    const call = { signature: 'owner() returns (address)', args: [] };
    await open(options([], { kind: 'address', chain: 'local', address: TOKEN, call }));
    await shows('Added by you');
    find('[aria-label="Remove owner"]').click();
    await eventually(() => expect(textOf(document.body)).not.toContain('Added by you'));
  });

  test('says that a block does not exist yet', async () => {
    const base = options([]);
    await open({
      ...base,
      lookup(id, input) {
        if (id === 'contractCalls' && (input as Call).block !== undefined)
          throw new HexLensError('node-error', 'header not found');
        return base.lookup?.(id, input);
      },
    });
    await select('read');
    await group('owner');
    const block = find<HTMLInputElement>('.bar input');
    block.value = '99000000';
    block.dispatchEvent(new Event('change'));
    await shows('There is no block 99000000 yet: the newest one is 18000000.');
  });

  test('reads nothing more at new blocks after a cancel', async () => {
    const base = options([]);
    let calls = 0;
    const { page } = await open({
      ...base,
      lookup: (id, input) => {
        if (id !== 'contractCalls') return base.lookup?.(id, input);
        calls++;
        return new Promise(() => {});
      },
    });
    await select('read');
    (
      await eventually(
        () => find('hl-contract-reads').shadowRoot?.querySelector<HTMLElement>('.progress button') ?? expect.fail(),
      )
    ).click();
    const params = { chain: 'local', head: 18_000_001, headHash: '', problem: null, identity: null, replaced: null };
    page.channel.receive({ type: 'notify', method: 'chainEvent', params });
    const reads = find<HTMLElement & { head: number; updateComplete: Promise<boolean> }>('hl-contract-reads');
    await eventually(() => expect(reads.head).toBe(18_000_001));
    await reads.updateComplete;
    expect(calls).toBe(1);
    expect(textOf(reads)).not.toContain('Cancel');
  });

  test('says that it asks the node while a function is added, with a way to cancel', async () => {
    const base = options([]);
    let isWaiting = false;
    await open({ ...base, lookup: (id, input) => (isWaiting ? new Promise(() => {}) : base.lookup?.(id, input)) });
    await select('read');
    await group('owner');
    isWaiting = true;
    const form = find<HTMLFormElement>('form.declare');
    (form.querySelector('input') as HTMLInputElement).value = 'owner() returns (address)';
    form.dispatchEvent(new Event('submit', { cancelable: true }));
    await shows('Asking the node about the contract…');
    findAll('.progress button').at(-1)?.click();
    await eventually(() => expect(textOf(document.body)).not.toContain('Asking the node'));
  });

  test('loads the ABI of a verified contract when the user asks for it, and says where it is from', async () => {
    const base = options([]);
    const asked: unknown[] = [];
    const abis = createAbiRegistry();
    const source = {
      ...{ host: '<b>host</b>.example', match: 'partial', name: 'Safe2' },
      abi: JSON.stringify(parseAbi(['function quote(address account, uint8 kind) view returns (uint256 price)'])),
    };
    await open({
      ...base,
      abis,
      identify: async () => null,
      verifiedHosts: ['host.example'],
      lookup(id, input) {
        if (id === 'contractCode') return { kind: 'code', code: '0x01', delegate: null, proxy: null };
        if (id !== 'verifiedAbi') return base.lookup?.(id, input);
        asked.push(input);
        return { kind: 'verifiedAbi', found: source };
      },
    });
    await select('read');
    await shows('Load the ABI from host.example');
    expect(asked).toEqual([]);
    findAll('button')
      .find(button => textOf(button).includes('Load the ABI'))
      ?.click();
    await shows('Safe2, partial match at <b>host</b>.example');
    await shows('quote ( address account, uint8 kind )');
    expect(asked).toEqual([{ chain: 'local', address: TOKEN }]);
    expect(abis.idsOf('local', TOKEN)).toHaveLength(1);
    expect(abis.idsOf('eth', TOKEN)).toEqual([]);
  });

  test('opens with a call filled in and reads it', async () => {
    const call = { signature: 'quote(address,uint8)', args: [NAMED, '7'] };
    await open(options([], { kind: 'address', chain: 'local', address: TOKEN, call }));
    await shows('700'); // not a part of the supply, which is shown before the tab has loaded
    expect(find<HTMLInputElement>('#argument1').value).toBe('7');
  });

  test('reads at a block', async () => {
    const calls: Call[] = [];
    await open(options(calls));
    await select('read');
    await group('owner');
    const block = find<HTMLInputElement>('.bar input');
    block.value = '1,234';
    block.dispatchEvent(new Event('change'));
    await eventually(() => expect(calls.at(-1)?.block).toBe(1234));
    block.value = 'yesterday';
    block.dispatchEvent(new Event('change'));
    await shows('A block is a number, or latest.');
  });

  test('adds a function by its declaration and says what a declaration needs', async () => {
    await open(options([]));
    await select('read');
    await group('owner');
    const declare = (text: string) => {
      const form = find<HTMLFormElement>('form.declare');
      (form.querySelector('input') as HTMLInputElement).value = text;
      form.dispatchEvent(new Event('submit', { cancelable: true }));
    };
    declare('quote(address)');
    await shows('Write the function with its types and what it returns');
    declare('function owner() view returns (address boss)');
    await shows('Added by you');
  });

  test('says that the node did not answer, with a way to try again', async () => {
    const working = options([]);
    await open({
      ...working,
      lookup(id, input) {
        if (id === 'contractCalls') throw new HexLensError('node-unreachable', 'The node of local does not respond.');
        return working.lookup?.(id, input);
      },
    });
    await select('read');
    await shows('The node of local does not respond.');
    await shows('Try again');
  });
});

test('a bundle that does not load is a fault, and is loaded when it is tried again', async () => {
  const isDefined = vi.spyOn(customElements, 'get').mockReturnValue(undefined);
  vi.doMock('../../../src/webview/inspector/components/contractReadsView.ts', () => {
    throw new Error('no connection');
  });
  try {
    await open(options([]));
    await select('read');
    await shows('Something went wrong inside HexLens.');
  } finally {
    vi.doUnmock('../../../src/webview/inspector/components/contractReadsView.ts');
    isDefined.mockRestore();
  }
  (await eventually(() => find('hl-fault-message'))).dispatchEvent(new CustomEvent('fault-retry'));
  expect(textOf(await group('owner'))).toContain(NAMED);
});
