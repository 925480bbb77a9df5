// Why transactions failed over several contracts, and which contract and function threw, on real nodes.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Abi, encodeDeployData, encodeFunctionData } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { readAbi } from '../../src/decode/abiItem.ts';
import { createAbiRegistry } from '../../src/decode/abiRegistry.ts';
import { describeFailure, describeSwallowedFailures } from '../../src/extension/abi/describeFailure.ts';
import { addFailures } from '../../src/extension/inspector/callFailures.ts';
import type { ConfiguredChain } from '../../src/extension/worker/configuredChains.ts';
import { toReplyTables } from '../../src/protocol/replyTables.ts';
import type { Table, TableRow } from '../../src/protocol/table.ts';
import { formatFailure } from '../../src/view/failureText.ts';
import { startAnvil } from '../support/chain/anvil.ts';
import { findMissingHardhatPackage, startHardhat } from '../support/chain/hardhat.ts';
import { mineBlock, type TestReceipt } from '../support/chain/mineBlock.ts';
import type { TestNode } from '../support/chain/testNode.ts';
import { type ServiceUnderTest, startService } from '../support/filledChain.ts';
import { compileSolidity } from '../support/source/compileSolidity.ts';

type Contracts = Readonly<
  Record<string, { readonly abi: Abi; readonly evm: { readonly bytecode: { object: string } } }>
>;
const SOURCE = 'Failures.sol';

function compile(): Contracts {
  const content = readFileSync(fileURLToPath(new URL(`failureContracts/${SOURCE}`, import.meta.url)), 'utf8');
  const { contracts } = compileSolidity<Contracts[string]>({
    sources: { [SOURCE]: { content } },
    settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': ['abi', 'evm.bytecode'] } } },
  });
  return contracts[SOURCE] as Contracts;
}

const LOCAL = { selector: 'local', isOnLoopback: true } as ConfiguredChain;

const NODES = [
  { name: 'Anvil', start: () => startAnvil(), missing: null },
  { name: 'Hardhat', start: () => startHardhat(), missing: findMissingHardhatPackage() },
] as const;

describe.each(NODES)('$name', ({ start, missing }) => {
  let node: TestNode;
  let service: ServiceUnderTest;
  let contracts: Contracts;
  let from: Hex;
  const names = new Map<string, string>();
  const addresses: Record<string, Hex> = {};
  const registry = createAbiRegistry();
  const deps = {
    loadAbis: async () => registry,
    identify: async () => null,
    getName: (address: Hex) => names.get(address) ?? null,
  };

  async function deploy(name: string, args: readonly unknown[] = []): Promise<void> {
    const { abi, evm } = contracts[name] as Contracts[string];
    const data = encodeDeployData({ abi, bytecode: `0x${evm.bytecode.object}`, args });
    const { receipts } = await mineBlock(node, [{ from, data, gas: 4_000_000 }]);
    addresses[name] = receipts[0]?.contractAddress?.toLowerCase() as Hex;
    names.set(addresses[name], name);
    registry.set({ id: name, items: readAbi(abi, name) });
  }

  beforeAll(async () => {
    if (missing !== null) return;
    [node, contracts] = await Promise.all([start(), compile()]);
    [from] = (await node.rpc<Hex[]>('eth_accounts', [])) as [Hex];
    service = startService({ local: node.url });
    await deploy('Oracle');
    await deploy('Harbor', [addresses['Oracle']]);
    await deploy('HarborProxy', [addresses['Harbor']]);
    await deploy('Router');
  }, 60_000);
  afterAll(async () => {
    await service?.stop();
    await node?.stop();
  });

  async function call(to: string, abiOf: string, functionName: string, args: readonly unknown[], fails: boolean) {
    const { abi } = contracts[abiOf] as Contracts[string];
    const data = encodeFunctionData({ abi, functionName, args });
    const transaction = { from, to: addresses[to] as Hex, data, gas: 400_000, fails };
    const { receipts } = await mineBlock(node, [transaction]);
    const { transactionHash: hash } = receipts[0] as TestReceipt;
    return {
      hash,
      transaction: await service.get('transaction', { chain: 'local', hash, include: 'internal_transactions' }),
    };
  }

  async function getFailure(to: string, abiOf: string, functionName: string, args: readonly unknown[] = []) {
    const { hash, transaction } = await call(to, abiOf, functionName, args, true);
    const { value } = await service.lookup('revertReason', { chain: 'local', hash });
    const lookup = async () => (await service.lookup('transactionTrace', { chain: 'local', hash })).value;
    const fetchTrace = async () => {
      const trace = await lookup();
      return trace.kind === 'trace' ? trace : null;
    };
    return formatFailure(await describeFailure(value, transaction, 'local', deps, fetchTrace));
  }

  const has = test.skipIf(missing !== null);

  has('an error of an inner contract is named with the function that threw it and who called it', async () => {
    const harbor = addresses['HarborProxy'];
    expect(await getFailure('Router', 'Router', 'price', [harbor, 99n])).toBe(
      'Reverted: StalePrice(age: 99) in Oracle.read (called by Harbor)',
    );
    expect(await getFailure('Oracle', 'Oracle', 'read', [99n])).toBe('Reverted: StalePrice(age: 99)');
  });

  has('out of gas behind a proxy is no revert', async () => {
    expect(await getFailure('HarborProxy', 'Harbor', 'burnGas')).toBe(
      'Out of gas in Oracle.burnGas (called by Harbor)',
    );
  });

  has('a failure without data that its caller caught is not the reason', async () => {
    expect(await getFailure('HarborProxy', 'Harbor', 'burnSomeGas')).toBe(
      'Reverted without a reason in Harbor.burnSomeGas (called by HarborProxy)',
    );
    expect(await getFailure('HarborProxy', 'Harbor', 'giveUp')).toBe(
      'Reverted without a reason in Harbor.giveUp (called by HarborProxy)',
    );
    expect(await getTree(await call('HarborProxy', 'Harbor', 'giveUp', [], true))).toEqual([
      ['HarborProxy', 'passed', null],
      ['Harbor', 'threw', 'Harbor.giveUp'],
      ['Oracle', 'threw', 'Oracle.silent'],
    ]);
  });

  has('a revert without data is not attributed to an inner call where the steps are not known', async () => {
    const { hash, transaction } = await call('HarborProxy', 'Harbor', 'silent', [], true);
    const { value } = await service.lookup('revertReason', { chain: 'local', hash });
    expect(formatFailure(await describeFailure(value, transaction, 'local', deps))).toBe('Reverted without a reason');
  });

  has('a revert without data says so', async () => {
    expect(await getFailure('HarborProxy', 'Harbor', 'silent')).toBe(
      'Reverted without a reason in Oracle.silent (called by Harbor)',
    );
  });

  has('an error that replaces another one was thrown by the contract that did so', async () => {
    expect(await getFailure('HarborProxy', 'Harbor', 'wrap', [99n])).toBe(
      'Reverted: Wrapped() in Harbor.wrap (called by HarborProxy)',
    );
  });

  has('a failure that was swallowed before is not the reason', async () => {
    const args = [addresses['HarborProxy'], addresses['Oracle']];
    expect(await getFailure('Router', 'Router', 'failAfter', args)).toBe('Reverted without a reason');
  });

  /** What the tree of calls says of each: the contract, whether it threw or passed the failure on, and where it threw. */
  async function getTree({ hash, transaction }: Awaited<ReturnType<typeof call>>) {
    const { tables } = toReplyTables('transaction', transaction, { symbol: 'ETH', decimals: 18 });
    const internal = tables.find(({ name }) => name === 'internal') as Table;
    const lookup: Parameters<typeof addFailures>[2]['lookup'] = async (id, input) =>
      (await service.lookup(id, input)).value;
    const { columns, rows } = await addFailures(
      internal,
      'local',
      { ...deps, lookup, chains: () => [LOCAL] },
      AbortSignal.timeout(20_000),
    );
    const read = (row: TableRow, key: string) => row[columns.findIndex(column => column.key === key)] ?? null;
    expect(read(rows[0] ?? [], 'transactionHash')).toBe(hash);
    return rows.map(row => [
      names.get(String(read(row, 'to')).toLowerCase()),
      read(row, 'failure'),
      read(row, 'place'),
    ]);
  }

  has('the call that threw is marked in the tree, and those that passed its failure on', async () => {
    const failed = await call('Router', 'Router', 'price', [addresses['HarborProxy'], 99n], true);
    expect(await getTree(failed)).toEqual([
      ['Router', 'passed', null],
      ['HarborProxy', 'passed', null],
      ['Harbor', 'passed', null],
      ['Oracle', 'threw', 'Oracle.read'],
    ]);
    expect(await getTree(await call('HarborProxy', 'Harbor', 'tryPrice', [99n], false))).toEqual([
      ['HarborProxy', null, null],
      ['Harbor', null, null],
      ['Oracle', 'threw', 'Oracle.read'],
    ]);
  });

  has('a failure that the transaction went on after', async () => {
    const { transaction } = await call('HarborProxy', 'Harbor', 'tryPrice', [99n], false);
    const failures = await describeSwallowedFailures(transaction, 'local', deps);
    expect(failures.map(failure => formatFailure(failure))).toEqual(['Reverted: StalePrice(age: 99) in Oracle.read']);
    const { transaction: fine } = await call('HarborProxy', 'Harbor', 'tryPrice', [1n], false);
    expect(await describeSwallowedFailures(fine, 'local', deps)).toEqual([]);
  });
});
