// Contracts on a real node whose calls fail inside each other, and what HexLens says of these transactions.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Abi, encodeDeployData, encodeFunctionData } from 'viem';
import { expect } from 'vitest';
import type { Output } from '../../src/api/operations/operations.ts';
import type { Hex } from '../../src/base/hex.ts';
import { readAbi } from '../../src/decode/abiItem.ts';
import { createAbiRegistry } from '../../src/decode/abiRegistry.ts';
import { describeFailure, describeSwallowedFailures } from '../../src/extension/abi/describeFailure.ts';
import { addFailures } from '../../src/extension/inspector/callFailures.ts';
import type { ConfiguredChain } from '../../src/extension/worker/configuredChains.ts';
import { toReplyTables } from '../../src/protocol/replyTables.ts';
import type { TableRow } from '../../src/protocol/table.ts';
import { formatFailure } from '../../src/view/failureText.ts';
import { mineBlock, type TestReceipt } from './chain/mineBlock.ts';
import type { TestNode } from './chain/testNode.ts';
import { type ServiceUnderTest, startService } from './filledChain.ts';
import { compileSolidity } from './source/compileSolidity.ts';

const SOURCE = 'Failures.sol';
const LOCAL = { selector: 'local', isOnLoopback: true } as ConfiguredChain;

interface Compiled {
  readonly abi: Abi;
  readonly evm: { readonly bytecode: { readonly object: string } };
}

function compile(): Readonly<Record<string, Compiled>> {
  const content = readFileSync(
    fileURLToPath(new URL(`../service/failureContracts/${SOURCE}`, import.meta.url)),
    'utf8',
  );
  const { contracts } = compileSolidity<Compiled>({
    sources: { [SOURCE]: { content } },
    settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': ['abi', 'evm.bytecode'] } } },
  });
  return contracts[SOURCE] ?? {};
}

export interface MinedCall {
  readonly hash: Hex;
  readonly transaction: Output<'transaction'>;
}

/** An oracle, a harbor that asks it, a proxy of the harbor, and a router that calls any of them. */
export class FailingContracts {
  readonly addresses: Record<string, Hex> = {};
  readonly #node: TestNode;
  readonly #service: ServiceUnderTest;
  readonly #compiled = compile();
  readonly #names = new Map<string, string>();
  readonly #registry = createAbiRegistry();
  readonly #deps = {
    loadAbis: async () => this.#registry,
    identify: async () => null,
    getName: (address: Hex) => this.#names.get(address) ?? null,
  };
  #from: Hex = '0x';

  private constructor(node: TestNode) {
    this.#node = node;
    this.#service = startService({ local: node.url });
  }

  static async deploy(node: TestNode): Promise<FailingContracts> {
    const contracts = new FailingContracts(node);
    [contracts.#from] = (await node.rpc<Hex[]>('eth_accounts', [])) as [Hex];
    await contracts.#deploy('Oracle');
    await contracts.#deploy('Harbor', contracts.addresses['Oracle']);
    await contracts.#deploy('HarborProxy', contracts.addresses['Harbor']);
    await contracts.#deploy('Router');
    return contracts;
  }

  async #deploy(name: string, ...args: readonly unknown[]): Promise<void> {
    const { abi, evm } = this.#compiled[name] as Compiled;
    const data = encodeDeployData({ abi, bytecode: `0x${evm.bytecode.object}`, args });
    const { receipts } = await mineBlock(this.#node, [{ from: this.#from, data, gas: 4_000_000 }]);
    const address = receipts[0]?.contractAddress?.toLowerCase() as Hex;
    this.addresses[name] = address;
    this.#names.set(address, name);
    this.#registry.set({ id: name, items: readAbi(abi, name) });
  }

  /** Calls a function of `Contract.function` at the contract `to`; `fails`: whether the transaction is expected to. */
  async call(to: string, signature: string, args: readonly unknown[] = [], fails = true): Promise<MinedCall> {
    const [contract = '', functionName = ''] = signature.split('.');
    const data = encodeFunctionData({ abi: (this.#compiled[contract] as Compiled).abi, functionName, args });
    const call = { from: this.#from, to: this.addresses[to] as Hex, data, gas: 400_000, fails };
    const { receipts } = await mineBlock(this.#node, [call]);
    const { transactionHash: hash } = receipts[0] as TestReceipt;
    const input = { chain: 'local', hash, include: 'internal_transactions' } as const;
    return { hash, transaction: await this.#service.get('transaction', input) };
  }

  /** Why a transaction failed; `isTraced`: the steps of the transaction may be asked for. */
  async explain({ hash, transaction }: MinedCall, isTraced = true): Promise<string> {
    const { value } = await this.#service.lookup('revertReason', { chain: 'local', hash });
    const fetchTrace = async () => {
      const { value: trace } = await this.#service.lookup('transactionTrace', { chain: 'local', hash });
      return trace.kind === 'trace' ? trace : null;
    };
    return formatFailure(
      await describeFailure(value, transaction, 'local', this.#deps, isTraced ? fetchTrace : undefined),
    );
  }

  async explainSwallowed({ transaction }: MinedCall): Promise<readonly string[]> {
    const failures = await describeSwallowedFailures(transaction, 'local', this.#deps);
    return failures.map(failure => formatFailure(failure));
  }

  /** What the tree of calls says of each: the contract, whether it threw or passed the failure on, and where it threw. */
  async getTree({ hash, transaction }: MinedCall): Promise<readonly (readonly unknown[])[]> {
    const { tables } = toReplyTables('transaction', transaction, { symbol: 'ETH', decimals: 18 });
    const internal = tables.find(({ name }) => name === 'internal');
    if (internal === undefined) throw new Error('There is no table of calls.');
    const lookup: Parameters<typeof addFailures>[2]['lookup'] = async (id, input) =>
      (await this.#service.lookup(id, input)).value;
    const ports = { ...this.#deps, lookup, chains: () => [LOCAL] };
    const { columns, rows } = await addFailures(internal, 'local', ports, AbortSignal.timeout(20_000));
    const read = (row: TableRow, key: string) => row[columns.findIndex(column => column.key === key)] ?? null;
    expect(read(rows[0] ?? [], 'transactionHash')).toBe(hash);
    return rows.map(row => [
      this.#names.get(String(read(row, 'to')).toLowerCase()),
      read(row, 'failure'),
      read(row, 'place'),
    ]);
  }

  stop(): Promise<void> {
    return this.#service.stop();
  }
}
