// Load for benchmarks: one block full of transactions with logs, or many blocks full of logs, in seconds.
import { checksumAddress } from '../../../src/base/checksumAddress.ts';
import { createBadInputFault, HexLensError } from '../../../src/base/errors.ts';
import { type Hex, parseSafeQuantity, toQuantity } from '../../../src/base/hex.ts';
import type { Anvil } from './anvil.ts';
import { compileContracts } from './compileContracts.ts';
import { cannonAbi, encodeData } from './contractAbis.ts';
import { type MinedBlock, mineBlock, sendCall, type TestTransaction } from './mineBlock.ts';

export interface BusyBlock {
  readonly number: number;
  readonly hash: Hex;
  /** Of the transactions, in their order. */
  readonly transactionHashes: readonly Hex[];
  /** Logs in the whole block. */
  readonly logs: number;
  /** The contract that emitted all of them, EIP-55. */
  readonly contract: Hex;
}

export interface LogLoad {
  readonly contract: Hex;
  /** First and last block with logs; each in between has them too. */
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly transactions: number;
  readonly logs: number;
}

export interface EmitLogsOptions {
  /** Default 20. */
  readonly logsPerTransaction?: number;
  /** Default 5. */
  readonly transactionsPerBlock?: number;
}

const LOGS_PER_BUSY_TRANSACTION = 3;

/** Measured: a call costs about 25,000 gas and a log up to 2,700. */
const gasFor = (logs: number) => 35_000 + 3_000 * logs;

/**
 * Deploys LogCannon (one block), then mines one block of `transactions` calls with `logs` logs among them, by default
 * three each: an ERC-721, an ERC-20 and an ERC-1155 transfer. The gas limit is raised for that block as needed.
 */
export async function mineBusyBlock(
  anvil: Anvil,
  transactions: number,
  logs = transactions * LOGS_PER_BUSY_TRANSACTION,
): Promise<BusyBlock> {
  requirePositive('transactions', transactions);
  requirePositive('logs', logs);
  const { contract, senders } = await deployCannon(anvil);
  const before = (index: number) => Math.floor((index * logs) / transactions);
  const calls = Array.from({ length: transactions }, (_, index) =>
    shot(contract, senders, index, BigInt(before(index)), before(index + 1) - before(index)),
  );
  const most = transactions * gasFor(Math.ceil(logs / transactions));
  const block = await withGasLimit(anvil, most, () => mineBlock(anvil, calls));
  return {
    number: block.number,
    hash: block.hash,
    transactionHashes: block.receipts.map(receipt => receipt.transactionHash),
    logs,
    contract,
  };
}

/**
 * Emits `logs` logs in as many blocks as that takes, without storage, so that the node stays fast: about 20,000 logs
 * per second. Ids count up from 0. Checks the number of transactions of every block, and the last log.
 */
export async function emitLogs(anvil: Anvil, logs: number, options: EmitLogsOptions = {}): Promise<LogLoad> {
  const perTransaction = options.logsPerTransaction ?? 20;
  const perBlock = options.transactionsPerBlock ?? 5;
  requirePositive('logs', logs);
  requirePositive('logsPerTransaction', perTransaction);
  requirePositive('transactionsPerBlock', perBlock);
  const { contract, senders, number } = await deployCannon(anvil);
  const transactions = Math.ceil(logs / perTransaction);
  const toBlock = number + Math.ceil(transactions / perBlock);
  const nonces = (
    await anvil.batch<Hex>(senders.map(sender => ({ method: 'eth_getTransactionCount', params: [sender, 'latest'] })))
  ).map(Number);
  await withGasLimit(anvil, perBlock * gasFor(perTransaction), async () => {
    for (let sent = 0; sent < transactions; sent += perBlock) {
      const calls = Array.from({ length: Math.min(perBlock, transactions - sent) }, (_, offset) => {
        const index = sent + offset;
        const first = index * perTransaction;
        const fired = shot(contract, senders, index, BigInt(first), Math.min(perTransaction, logs - first));
        const nonce = (nonces[index % senders.length] ?? 0) + Math.floor(index / senders.length);
        return sendCall({ ...fired, nonce });
      });
      await anvil.batch(calls);
      await anvil.rpc('evm_mine');
    }
  });
  await checkLoad(anvil, contract, number + 1, toBlock, transactions, logs);
  return { contract, fromBlock: number + 1, toBlock, transactions, logs };
}

async function deployCannon(anvil: Anvil): Promise<{ contract: Hex; senders: readonly Hex[]; number: number }> {
  const senders = await anvil.rpc<Hex[]>('eth_accounts');
  const { LogCannon } = await compileContracts();
  const from = senders[0];
  if (LogCannon === undefined || from === undefined) {
    throw new HexLensError('internal', 'There is no LogCannon contract or no account to call it.', {
      fix: 'Look for LogCannon in test/support/chain/contracts and at eth_accounts of the node.',
    });
  }
  const block: MinedBlock = await mineBlock(anvil, [{ from, data: LogCannon.bytecode }]);
  const contract = checksumAddress(block.receipts[0]?.contractAddress ?? '');
  return { contract, senders, number: block.number };
}

function shot(contract: Hex, senders: readonly Hex[], index: number, firstId: bigint, count: number): TestTransaction {
  const from = senders[index % senders.length] ?? contract;
  const holder = senders[(index + 1) % senders.length] ?? contract;
  const taker = senders[(index + 3) % senders.length] ?? contract;
  const data = encodeData(cannonAbi.fire, [holder, taker, firstId, BigInt(count)]);
  return { from, to: contract, data, gas: gasFor(count) };
}

async function withGasLimit<T>(anvil: Anvil, needed: number, work: () => Promise<T>): Promise<T> {
  const { gasLimit } = await anvil.rpc<{ gasLimit: Hex }>('eth_getBlockByNumber', ['latest', false]);
  if (needed <= Number(gasLimit)) return work();
  await anvil.rpc('evm_setBlockGasLimit', [toQuantity(needed)]);
  try {
    return await work();
  } finally {
    await anvil.rpc('evm_setBlockGasLimit', [gasLimit]);
  }
}

/** Counts transactions and looks for the last log: reading all receipts would take longer than mining. */
async function checkLoad(
  anvil: Anvil,
  contract: Hex,
  fromBlock: number,
  toBlock: number,
  transactions: number,
  logs: number,
): Promise<void> {
  const numbers = Array.from({ length: toBlock - fromBlock + 1 }, (_, index) => toQuantity(fromBlock + index));
  const counts = await anvil.batch(
    numbers.map(number => ({ method: 'eth_getBlockTransactionCountByNumber', params: [number] })),
  );
  const mined = counts.reduce<number>((sum, count) => sum + (parseSafeQuantity(count) ?? 0), 0);
  const ends = await anvil.batch<unknown[]>(
    [fromBlock, toBlock].map(block => ({
      method: 'eth_getLogs',
      params: [{ address: contract, fromBlock: toQuantity(block), toBlock: toQuantity(block) }],
    })),
  );
  const perBlock = fromBlock === toBlock ? logs : (ends[0]?.length ?? 0);
  const seen = perBlock * (toBlock - fromBlock) + (ends[1]?.length ?? 0);
  if (mined === transactions && seen === logs) return;
  throw new HexLensError('internal', `LogCannon made ${mined} transactions and ${seen} logs.`, {
    details: `wanted ${transactions} transactions and ${logs} logs`,
    fix: 'Lower logsPerTransaction or transactionsPerBlock.',
  });
}

function requirePositive(field: string, value: number): void {
  if (Number.isInteger(value) && value > 0) return;
  throw createBadInputFault([{ field, message: `${field} must be a whole number above 0, not ${value}.` }]);
}
