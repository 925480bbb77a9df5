// Fills an empty Anvil with the same scenario every time: deployments, transfers, failures, internal calls, sales.
import { checksumAddress } from '../../../src/base/checksumAddress.ts';
import { createBadInputFault } from '../../../src/base/errors.ts';
import type { Hex } from '../../../src/base/hex.ts';
import { compileContracts } from './compileContracts.ts';
import { topics } from './contractAbis.ts';
import { deployContracts } from './deployContracts.ts';
import { type Mine, mineBlock } from './mineBlock.ts';
import { runScenario } from './scenario.ts';
import {
  ACCOUNT_NAMES,
  type AccountName,
  type BlockDescription,
  type BlockName,
  type TestChain,
  type TransactionName,
} from './testChain.ts';
import type { CodeVersion, TestNode } from './testNode.ts';
import { createTokenLedger } from './tokenLedger.ts';
import { createTrafficBlock } from './trafficBlock.ts';

export interface FillOptions {
  /** Number of the head block afterwards: 20..300, default 60. With more, Anvil would write gigabytes of old states. */
  readonly blocks?: number;
  /** For a node of an older hard fork; default that of `compileContracts`. */
  readonly evmVersion?: CodeVersion;
}

export const DEFAULT_BLOCKS = 60;
export const MIN_BLOCKS = 20;
export const MAX_BLOCKS = 300;

/**
 * Mines `blocks` blocks on a chain that has none yet; the same options give the same hashes on every machine. Afterwards
 * the node still mines only on request: with automatic mining, a block may come after the one that a test mined. Rejects with `bad-input` when the chain is not empty or `blocks`
 * is out of range, `internal` when a transaction did not have the expected result.
 */
export async function fillChain(node: TestNode, options: FillOptions = {}): Promise<TestChain> {
  const blocks = checkedBlocks(options.blocks ?? DEFAULT_BLOCKS);
  const [chainId, head, addresses, genesis] = await startOf(node);
  if (head !== 0) {
    throw createBadInputFault([
      { field: 'node', message: `The chain already has ${head} blocks; start a new Anvil to fill it.` },
    ]);
  }
  const accounts = Object.fromEntries(
    ACCOUNT_NAMES.map((name, index) => [name, checksumAddress(addresses[index] ?? '')]),
  ) as Record<AccountName, Hex>;
  const compiled = await compileContracts({ evmVersion: options.evmVersion });
  const transactions: Partial<Record<TransactionName, Hex>> = {};
  const named: Partial<Record<BlockName, BlockDescription>> = { genesis };
  let last: BlockDescription = genesis;
  const mine: Mine = async (list, block) => {
    const mined = await mineBlock(
      node,
      list.map(entry => ('from' in entry ? entry : entry[1])),
    );
    list.forEach((entry, index) => {
      const receipt = mined.receipts[index];
      if (!('from' in entry) && receipt !== undefined) transactions[entry[0]] = receipt.transactionHash;
    });
    const { number, hash, timestamp, receipts } = mined;
    last = { number, hash, timestamp, transactions: receipts.length };
    if (block !== undefined) named[block] = last;
    return mined;
  };

  const contracts = await deployContracts(mine, compiled, accounts.deployer);
  const ledger = createTokenLedger(accounts.deployer, contracts);
  await runScenario({ node, chainId, mine, accounts, contracts, ledger });
  while (last.number < blocks) await mine(createTrafficBlock(last.number + 1, accounts, contracts, ledger));

  return {
    url: node.url,
    chainId,
    genesisHash: genesis.hash,
    head: last,
    accounts,
    vacant: checksumAddress('0x5afe00000000000000000000000000000000beef'),
    contracts,
    transactions: transactions as TestChain['transactions'], // scenario and deployment name each of them; a test counts them
    blocks: named as TestChain['blocks'],
    topics,
    holdings: ledger.holdings(),
  };
}

function checkedBlocks(blocks: number): number {
  if (Number.isInteger(blocks) && blocks >= MIN_BLOCKS && blocks <= MAX_BLOCKS) return blocks;
  const message = `blocks must be a whole number from ${MIN_BLOCKS} to ${MAX_BLOCKS}, not ${blocks}.`;
  throw createBadInputFault([{ field: 'blocks', message }]);
}

async function startOf(node: TestNode): Promise<[number, number, Hex[], BlockDescription]> {
  const [chainId, head, addresses, genesis] = (await node.batch([
    { method: 'eth_chainId' },
    { method: 'eth_blockNumber' },
    { method: 'eth_accounts' },
    { method: 'eth_getBlockByNumber', params: ['0x0', false] },
  ])) as [Hex, Hex, Hex[], { hash: Hex; timestamp: Hex }];
  const { hash, timestamp } = genesis;
  const block = { number: 0, hash, timestamp: Number(timestamp), transactions: 0 };
  return [Number(chainId), Number(head), addresses, block];
}
