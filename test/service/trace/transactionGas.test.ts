// The gas of lines over a recorded chain: every unit of the receipts is at a line, a function or a row of its own.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultConfiguration } from '../../../src/api/configuration.ts';
import type { GasTreeEntry, TransactionGas } from '../../../src/api/transactionGas.ts';
import type { Hex } from '../../../src/base/hex.ts';
import { localize } from '../../../src/base/localize.ts';
import { silentLog } from '../../../src/base/log.ts';
import { formatTransactionGas } from '../../../src/decode/source/formatGas.ts';
import { SourceBuilds } from '../../../src/decode/source/sourceBuilds.ts';
import { createSampleNode } from '../../../src/service/sample/sampleNode.ts';
import { formatGasReport, GasTotals } from '../../../src/view/source/gasReport.ts';
import type { Backend } from '../../../src/worker/backend.ts';
import { createNodeBackend } from '../../../src/worker/nodeBackend.ts';

const SAMPLE = new URL('../../../media/sample/', import.meta.url);
const CONTRACTS = ['HarborToken', 'HarborVault', 'HarborProxy', 'Positions'];
const LAST_BLOCK = 14;

let backend: Backend;
/** Of the transaction in each block. */
const found: { readonly gas: TransactionGas; readonly receipt: { readonly gasUsed: Hex } }[] = [];

async function fetchGas(builds: SourceBuilds, hash: Hex): Promise<TransactionGas> {
  const codes = await backend.lookup('tracedCodes', { chain: 'local', hash });
  const { matched } = await builds.match(codes, false);
  const gas = await backend.lookup('transactionGas', { chain: 'local', hash, builds: matched });
  if (gas.kind === 'noGas') throw new Error(localize(gas.reason));
  return gas;
}

beforeAll(async () => {
  backend = createNodeBackend({ log: silentLog });
  backend.configure({ ...defaultConfiguration, nodes: { local: 'http://sample-chain.localhost' } });
  const builds = new SourceBuilds({ read: path => readFile(new URL(path, SAMPLE)).catch(() => null) });
  await builds.update(new Map(CONTRACTS.map(name => [`artifacts/contracts/${name}.sol/${name}.json`, '1'])));
  const node = createSampleNode();
  for (let block = 1; block <= LAST_BLOCK; block++) {
    const params = [`0x${block.toString(16)}`];
    const reply = await node.respond({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockReceipts', params });
    const [receipt] = (reply as { readonly result: { readonly gasUsed: Hex; readonly transactionHash: Hex }[] }).result;
    if (receipt !== undefined) found.push({ receipt, gas: await fetchGas(builds, receipt.transactionHash) });
  }
});
afterAll(() => backend?.stop());

const sum = (entries: readonly { readonly gas: number }[]): number =>
  entries.reduce((total, { gas }) => total + gas, 0);
const inBlock = (block: number): TransactionGas => found[block - 1]?.gas as TransactionGas;

test('all parts together are the gas of the receipt, in every transaction', () => {
  const parts = found.map(({ gas: { fixed, codeDeposit, sources, unmapped, unknown } }) => {
    const { transaction, data, accessList, authorizations, refund, floor } = fixed;
    const lines = sources.flatMap(source => source.lines);
    return (
      transaction +
      data +
      accessList +
      authorizations +
      floor -
      refund +
      codeDeposit +
      sum([...lines, ...unmapped, ...unknown])
    );
  });
  expect(parts).toHaveLength(LAST_BLOCK);
  expect(parts).toEqual(found.map(({ receipt }) => Number(receipt.gasUsed)));
  expect(found.map(({ gas }) => gas.gasUsed)).toEqual(parts);
});

test('the totals of an entry of the tree are its own gas and that of what it calls', () => {
  for (const { gas } of found) {
    const { transaction, data, accessList, authorizations, refund, floor } = gas.fixed;
    const beside = transaction + data + accessList + authorizations + floor - refund;
    expect(gas.tree?.total).toBe(gas.gasUsed - beside);
  }
});

test('a deposit through a proxy has lines with what they paid for first accesses, and lines that did not run', () => {
  const vault = inBlock(8).sources.find(({ source }) => source === 'contracts/HarborVault.sol');
  expect(vault?.lines).toEqual([
    // Line 36 adds a depositor: two slots are set, three read or written for the first time.
    { line: 35, gas: 46_630, helpers: 0, coldAccess: 6_000, memory: 0 },
    { line: 36, gas: 123, helpers: 0, coldAccess: 0, memory: 0 },
    { line: 37, gas: 22_311, helpers: 161, coldAccess: 2_000, memory: 0 },
    // Its call is encoded and its result decoded by helper code.
    { line: 38, gas: 5_590, helpers: 637, coldAccess: 4_500, memory: 15 },
    { line: 39, gas: 1_565, helpers: 125, coldAccess: 0, memory: 0 },
  ]);
  expect(vault?.unreached).toContain(44);
  expect(vault?.unreached).not.toContain(36);
});

test('functions have their own gas, that of what they call, and how often they ran', () => {
  const rows = inBlock(8).functions.map(({ contract, functionName, gas, total, calls }) => ({
    ...{ name: `${contract}.${functionName}`, gas, total, calls },
  }));
  expect(rows.slice(0, 3)).toEqual([
    { name: 'HarborVault.deposit', gas: 76_219, total: 134_121, calls: 1 },
    { name: 'HarborToken._transfer', gas: 29_768, total: 29_783, calls: 1 },
    { name: 'Positions.increase', gas: 21_001, total: 21_014, calls: 1 },
  ]);
});

test('storing the code of a new contract is a row of its own', () => {
  expect(inBlock(1).codeDeposit).toBeGreaterThan(500_000);
  expect(inBlock(8).codeDeposit).toBe(0);
});

test('a report has the sum of several transactions, and what functions cost in the run before', () => {
  const [before, now] = [new GasTotals(), new GasTotals()];
  before.add(inBlock(8));
  now.add(inBlock(9));
  now.add(inBlock(8));
  expect([now.transactions, now.gasUsed]).toEqual([2, 160_401 + 109_101]);
  const lines = now.files().flatMap(file => [...file.lines.values()]);
  expect(sum(lines) + sum(now.others())).toBe(now.gasUsed);
  const report = formatGasReport(now, before, 'Gas').split('\n');
  expect(report.find(line => line.startsWith('| `HarborVault.deposit`'))).toBe(
    '| `HarborVault.deposit` | 118,238 | 216,942 | 2 | 59,119 | 76,219 (−17,100) | `contracts/HarborVault.sol:35` |',
  );
});

test('the text names functions and lines with what they cost, and what is beside them', () => {
  const text = formatTransactionGas(inBlock(8));
  expect(text).toMatch(/^Gas [\d,]+\n {2}Functions\n/);
  expect(text).toMatch(
    /^ +[\d,]+ {2}HarborVault\.deposit, [\d,]+ with what it calls \(contracts\/HarborVault\.sol:\d+\)$/m,
  );
  expect(text).toMatch(/^ +[\d,]+ {2}contracts\/HarborVault\.sol:36 \(first access [\d,]+\)$/m);
  expect(text).toMatch(/^ +21,000 {2}the transaction itself$/m);
});

test('the lines of the tree are, with its code that has no line, what each entry costs itself', () => {
  for (const { gas } of found) {
    const visit = (entry: GasTreeEntry): number => {
      const inner = entry.children.reduce((total, child) => total + child.total, 0);
      const lines = sum(entry.lines);
      expect(lines).toBeLessThanOrEqual(entry.total - inner);
      return lines + entry.children.reduce((total, child) => total + visit(child), 0);
    };
    const lines = sum(gas.sources.flatMap(source => source.lines));
    expect(gas.tree === null ? 0 : visit(gas.tree)).toBe(lines);
  }
});
