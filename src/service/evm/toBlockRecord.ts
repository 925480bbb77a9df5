// Blocks, transactions and logs of a node as records of the API.

import type {
  block as blockKind,
  contractLog,
  internalTransaction,
  transaction as transactionKind,
  transactionLog,
} from '../../api/records/evmRecords.ts';
import type { InferRecord } from '../../api/records/record.ts';
import { type Hex, parseQuantity, parseSafeQuantity } from '../../base/hex.ts';
import type { BlockHeader } from './blockHeader.ts';
import type { FullBlock } from './fetchBlock.ts';
import { getReceiptFee } from './receiptFee.ts';
import {
  optionalAddress,
  optionalCreatedContract,
  readArray,
  readBigInt,
  readHex,
  requireAddress,
  requireHash,
  requireNumber,
  requireObject,
  toAddressOrNull,
  toHashOrNull,
  toHexOrNull,
  type WireObject,
} from './responseFields.ts';

export type BlockRecord = InferRecord<typeof blockKind>;
export type TransactionRecord = InferRecord<typeof transactionKind>;
export type TransactionLogRecord = InferRecord<typeof transactionLog>;
export type ContractLogRecord = InferRecord<typeof contractLog>;
export type InternalTransactionRecord = InferRecord<typeof internalTransaction>;

/** The name of an address (lower case) in the user's address book; `null` when it has none. */
export type GetLabel = (address: Hex) => string | null;

/** The block that a transaction is in. */
export type MinedBlock = Pick<BlockHeader, 'number' | 'hash' | 'time'>;

/** Total difficulty at the end of proof of work, by chain id: it stays the same from then on. */
const FINAL_TOTAL_DIFFICULTY: ReadonlyMap<number, bigint> = new Map([
  [0x1, 58_750_003_716_598_352_816_469n],
  [0x5, 10_790_000n],
  [0xaa36a7, 17_000_018_015_853_232n],
]);

/**
 * Nodes no longer return the total difficulty, and official clients cannot read a block without it. For blocks after proof
 * of work it is known; `null` for a block with work whose node does not return it.
 */
function getTotalDifficulty(wire: WireObject, chainId: number): bigint | null {
  const returned = parseQuantity(wire['totalDifficulty']);
  if (returned !== null || parseQuantity(wire['difficulty']) !== 0n) return returned;
  return FINAL_TOTAL_DIFFICULTY.get(chainId) ?? 0n;
}

/** Throws `InvalidResponseError` when a field that every block has is missing. */
export function toBlockRecord(block: FullBlock, chainId: number, labels: GetLabel): BlockRecord {
  const { header } = block;
  const { wire } = header;
  return {
    timestamp: header.time,
    number: header.number,
    hash: header.hash,
    parentHash: requireHash(wire, 'parentHash'),
    nonce: toHexOrNull(wire['nonce']),
    sha3Uncles: toHashOrNull(wire['sha3Uncles']),
    logsBloom: toHexOrNull(wire['logsBloom']),
    transactionsRoot: toHashOrNull(wire['transactionsRoot']),
    stateRoot: toHashOrNull(wire['stateRoot']),
    receiptsRoot: toHashOrNull(wire['receiptsRoot']),
    miner: toAddressOrNull(wire['miner']),
    difficulty: parseQuantity(wire['difficulty']),
    totalDifficulty: getTotalDifficulty(wire, chainId),
    size: parseQuantity(wire['size']),
    extraData: toHexOrNull(wire['extraData']),
    gasLimit: parseQuantity(wire['gasLimit']),
    gasUsed: parseQuantity(wire['gasUsed']),
    transactionCount: block.transactions.length,
    baseFeePerGas: parseQuantity(wire['baseFeePerGas']),
    transactions: block.transactions.map((transaction, index) =>
      toTransactionRecord(transaction, block.receipts[index] ?? null, header, chainId, labels),
    ),
  };
}

/** Throws `InvalidResponseError` when a field that every transaction, receipt or log has is missing. */
export function toTransactionRecord(
  wire: WireObject,
  receipt: WireObject | null,
  minedIn: MinedBlock | null,
  chainId: number,
  labels: GetLabel,
): TransactionRecord {
  const fee = getReceiptFee(wire, receipt, chainId);
  const fromAddress = requireAddress(wire, 'from');
  const toAddress = optionalAddress(wire, 'to');
  return {
    hash: requireHash(wire, 'hash'),
    nonce: readBigInt(wire, 'nonce'),
    transactionIndex: minedIn === null ? null : requireNumber(wire, 'transactionIndex'),
    fromAddress,
    toAddress,
    fromAddressLabel: labels(fromAddress),
    toAddressLabel: toAddress === null ? null : labels(toAddress),
    value: readBigInt(wire, 'value'),
    gas: readBigInt(wire, 'gas'),
    gasPrice: parseQuantity(wire['gasPrice']) ?? parseQuantity(receipt?.['effectiveGasPrice']),
    input: getCallData(wire),
    receiptCumulativeGasUsed: parseQuantity(receipt?.['cumulativeGasUsed']),
    receiptGasUsed: parseQuantity(receipt?.['gasUsed']),
    receiptContractAddress: receipt === null ? null : optionalCreatedContract(receipt),
    receiptStatus: parseSafeQuantity(receipt?.['status']),
    receiptFee: fee?.amount ?? null,
    receiptFeeToken: fee?.token ?? null,
    receiptFeeIncomplete: fee?.isMinimum === true ? true : null,
    blockTimestamp: minedIn?.time ?? null,
    blockNumber: minedIn?.number ?? null,
    blockHash: minedIn?.hash ?? null,
    logs:
      receipt === null || minedIn === null
        ? []
        : readArray(receipt, 'logs').map(entry => transactionLogRecord(requireObject(entry, 'a log'), minedIn)),
    internalTransactions: null,
  };
}

/** The call data, which nodes name `input` or `data`. */
export function getCallData(wire: WireObject): Hex {
  return readHex(wire, wire['input'] === undefined ? 'data' : 'input');
}

function transactionLogRecord(log: WireObject, minedIn: MinedBlock): TransactionLogRecord {
  const topics = readArray(log, 'topics');
  return {
    logIndex: requireNumber(log, 'logIndex'),
    transactionHash: requireHash(log, 'transactionHash'),
    transactionIndex: requireNumber(log, 'transactionIndex'),
    address: requireAddress(log, 'address'),
    data: readHex(log, 'data'),
    topic0: toHashOrNull(topics[0]),
    topic1: toHashOrNull(topics[1]),
    topic2: toHashOrNull(topics[2]),
    topic3: toHashOrNull(topics[3]),
    blockTimestamp: minedIn.time,
    blockNumber: minedIn.number,
    blockHash: minedIn.hash,
  };
}

/** One log of `eth_getLogs`, before its block's time is known. */
export interface UntimedLog extends Omit<ContractLogRecord, 'blockTimestamp'> {
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly transactionIndex: number;
  readonly logIndex: number;
}

export function parseUntimedLog(value: unknown): UntimedLog {
  const log = requireObject(value, 'a log');
  const topics = readArray(log, 'topics');
  return {
    transactionHash: requireHash(log, 'transactionHash'),
    address: requireAddress(log, 'address').toLowerCase() as Hex,
    blockNumber: requireNumber(log, 'blockNumber'),
    blockHash: requireHash(log, 'blockHash'),
    data: readHex(log, 'data'),
    topic0: toHashOrNull(topics[0]),
    topic1: toHashOrNull(topics[1]),
    topic2: toHashOrNull(topics[2]),
    topic3: toHashOrNull(topics[3]),
    transactionIndex: requireNumber(log, 'transactionIndex'),
    logIndex: requireNumber(log, 'logIndex'),
  };
}
