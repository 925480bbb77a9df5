// The tab State of a contract: a tree of variables with boxes for keys and blocks.

// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { ContractDeclarations, SolidityType } from '../../../src/api/contractDeclarations.ts';
import type { LookupId, LookupInput } from '../../../src/api/lookups.ts';
import type { ContractBuild } from '../../../src/api/transactionStack.ts';
import { hashBytes, toWordBytes } from '../../../src/decode/source/storageValues.ts';
import { ok } from './connectedPanel.ts';
import { find, textOf } from './dom.ts';
import { createPageFixture, eventually, shows } from './openPage.ts';

const { open } = createPageFixture();
const address = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
/** Its name is markup and has a character that turns the text around. */
const burn = '0x000000000000000000000000000000000000dead';

/** Of `shares[burn]`. */
const SHARE_SLOT = hashBytes(new Uint8Array([...toWordBytes(BigInt(burn)), ...toWordBytes(1n)]));

const type = (kind: 'uint' | 'address' | 'string', text: string, bytes: number): SolidityType => ({
  kind,
  text,
  bytes,
  slots: 1n,
});
const declarations: ContractDeclarations = {
  ...{ by: 'ast', transient: [], immutables: [], functions: [] },
  types: [
    type('uint', 'uint256', 32),
    type('address', 'address', 20),
    { kind: 'mapping', text: 'mapping(address => uint256)', key: 1, value: 0, bytes: 32, slots: 1n },
    { kind: 'array', text: 'uint256[]', base: 0, length: null, bytes: 32, slots: 1n },
  ],
  storage: [
    { name: 'count', contract: 'Vault', type: 0, slot: 0n, offset: 0 },
    { name: 'shares', contract: 'Vault', type: 2, slot: 1n, offset: 0 },
    { name: 'list', contract: 'Vault', type: 3, slot: 2n, offset: 0 },
  ],
  constants: [{ name: 'LIMIT', contract: 'Vault', type: 0, value: 1_000n }],
};
const summary = {
  ...{ kind: 'address', address, balance: 0n, nonce: 1, codeSize: 100, codeHash: null, delegate: null, proxy: null },
  ...{ token: null, blockNumber: 12, chain: { id: 31337, coin: 'ETH', decimals: 18, names: [] } },
};

/** Shadow trees included. */
function findAll(selector: string, node: ParentNode = document.body): readonly HTMLElement[] {
  const inside = [...node.querySelectorAll('*')].flatMap(each =>
    each.shadowRoot === null ? [] : findAll(selector, each.shadowRoot),
  );
  return [...node.querySelectorAll<HTMLElement>(selector), ...inside];
}

function openState(isRemote = false, words: (slot: bigint, block: number | undefined) => bigint = () => 0n) {
  const asked: bigint[] = [];
  const opened = open({
    target: { kind: 'address', chain: 'local', address },
    reply: async () => ok({}),
    ...(isRemote && { isRemote }),
    findBuild: async () => ({ build: { name: 'Vault' } as ContractBuild, declarations: async () => declarations }),
    lookup(id: LookupId, input: unknown) {
      if (id === 'addressSummary') return summary;
      if (id === 'contractCode') return { kind: 'code', code: '0x6001', delegate: null, proxy: null };
      if (id === 'chainStatus') return { selector: 'local', head: 12, problem: null, isLocal: !isRemote };
      if (id === 'storageKeys') return { kind: 'storageKeys', preimages: [], words: [BigInt(burn)], isComplete: true };
      if (id !== 'storageWords') return null;
      const { slots, block } = input as LookupInput<'storageWords'>;
      asked.push(...slots.map(BigInt));
      return { kind: 'storage', words: slots.map(slot => words(BigInt(slot), block)) };
    },
  });
  return { opened, asked };
}

async function selectTab(): Promise<void> {
  await shows('State');
  const tab = await eventually(() => {
    const found = findAll('[role="tab"]').find(each => textOf(each).trim() === 'State');
    if (found === undefined) throw new Error('no tab State');
    return found;
  });
  (tab as HTMLElement).click();
}

test('shows variables, values of seen keys by saved names, and constants', async () => {
  await openState(false, slot => (slot === 0n ? 1_234n : slot === SHARE_SLOT ? 5n : 0n)).opened;
  await selectTab();
  await shows('1,234');
  const text = textOf(document.body).replace(/\s+/g, ' ');
  expect(text).toMatch(/shares.*mapping\(address => uint256\)/);
  expect(text).toMatch(/\[<b>Burn<\/b>·\] uint256 5.*Show Key/);
  expect(text).toMatch(/LIMIT uint256 constant 1,000/);
  expect(find(document.body, '[role="treegrid"]')).not.toBeNull();
});

test('marks what differs between two blocks', async () => {
  await openState(false, (slot, block) => (slot === 0n ? BigInt(block ?? 0) : 0n)).opened;
  await selectTab();
  await shows('count');
  const input = find(document.body, 'input[placeholder="none"]') as HTMLInputElement;
  input.value = '3';
  input.dispatchEvent(new Event('change'));
  await shows('At block 3');
  await eventually(() =>
    expect(findAll('.row.changed').map(each => textOf(each).replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/≠\s*count uint256 3 12/),
    ]),
  );
});

test('asks the node of another machine for the state only after a click', async () => {
  const { opened, asked } = openState(true);
  await opened;
  await selectTab();
  await shows('Read the State');
  expect(asked).toEqual([]);
  (find(document.body, 'button.action') as HTMLElement).click();
  await shows('count');
});

test('opens and closes a variable with the keyboard', async () => {
  await openState(false, slot => (slot > 100n ? 5n : slot === 2n ? 1n : 0n)).opened;
  await selectTab();
  await shows('[0]');
  const row = findAll('.row[data-id]').find(each => textOf(each).includes('list')) as HTMLElement;
  row.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
  await eventually(() => expect(row.getAttribute('aria-expanded')).toBe('false'));
  expect(textOf(document.body)).not.toContain('[0]');
});
