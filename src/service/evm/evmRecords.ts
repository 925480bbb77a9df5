// From what nodes send to the contract's records: blocks, transactions and logs as domain values.

import type {
  block as blockKind,
  contractLog,
  internalTransaction,
  transaction as transactionKind,
  transactionLog,
} from '../../api/records/evmRecords.ts';
import type { RecordOf } from '../../api/records/record.ts';
import { type Hex, quantity, smallQuantity, ZERO_ADDRESS } from '../../base/hex.ts';
import type { FullBlock } from './fetchBlock.ts';
import {
  addressIn,
  addressOrNull,
  addressOrNullIn,
  amountIn,
  dataIn,
  type Header,
  hashIn,
  hashOrNull,
  hexOrNull,
  listIn,
  numberIn,
  objectIn,
  type WireObject,
} from './responseFields.ts';

export type BlockRecord = RecordOf<typeof blockKind>;
export type TransactionRecord = RecordOf<typeof transactionKind>;
export type TransactionLogRecord = RecordOf<typeof transactionLog>;
export type ContractLogRecord = RecordOf<typeof contractLog>;
export type InternalTransactionRecord = RecordOf<typeof internalTransaction>;

/** Names from the address book of whoever runs the service, by lower-case address. */
export type Labels = (address: Hex) => string | null;

export const noLabels: Labels = () => null;

/** Where a transaction stands; `null` while it is pending. */
export interface Place {
  readonly number: number;
  readonly hash: Hex;
  readonly time: Date;
}

/** Where work ended, by chain id: the sum stays what it was at the last block that had any. */
const FINAL_TOTAL_DIFFICULTY: ReadonlyMap<number, bigint> = new Map([
  [0x1, 58_750_003_716_598_352_816_469n],
  [0x5, 10_790_000n],
  [0xaa36a7, 17_000_018_015_853_232n],
]);

/**
 * Nodes no longer tell the sum, and official clients cannot read a block without one: of a block without work it is
 * known all the same. `null` for a block with work whose node does not tell it.
 */
function totalDifficultyOf(wire: WireObject, chainId: number): bigint | null {
  const told = quantity(wire['totalDifficulty']);
  if (told !== null || quantity(wire['difficulty']) !== 0n) return told;
  return FINAL_TOTAL_DIFFICULTY.get(chainId) ?? 0n;
}

/** Throws `Implausible` when a field that every block has is missing. */
export function blockRecord(block: FullBlock, chainId: number, labels: Labels): BlockRecord {
  const { header } = block;
  const { wire } = header;
  return {
    timestamp: header.time,
    number: header.number,
    hash: header.hash,
    parentHash: hashIn(wire, 'parentHash'),
    nonce: hexOrNull(wire['nonce']),
    sha3Uncles: hashOrNull(wire['sha3Uncles']),
    logsBloom: hexOrNull(wire['logsBloom']),
    transactionsRoot: hashOrNull(wire['transactionsRoot']),
    stateRoot: hashOrNull(wire['stateRoot']),
    receiptsRoot: hashOrNull(wire['receiptsRoot']),
    miner: addressOrNull(wire['miner']),
    difficulty: quantity(wire['difficulty']),
    totalDifficulty: totalDifficultyOf(wire, chainId),
    size: quantity(wire['size']),
    extraData: hexOrNull(wire['extraData']),
    gasLimit: quantity(wire['gasLimit']),
    gasUsed: quantity(wire['gasUsed']),
    transactionCount: block.transactions.length,
    baseFeePerGas: quantity(wire['baseFeePerGas']),
    transactions: block.transactions.map((transaction, index) =>
      transactionRecord(transaction, block.receipts[index] ?? null, header, labels),
    ),
  };
}

/** Throws `Implausible` when a field that every transaction, receipt or log has is missing. */
export function transactionRecord(
  wire: WireObject,
  receipt: WireObject | null,
  place: Place | null,
  labels: Labels,
): TransactionRecord {
  const fromAddress = addressIn(wire, 'from');
  const toAddress = addressOrNullIn(wire, 'to');
  const created = receipt === null ? null : addressOrNullIn(receipt, 'contractAddress');
  return {
    hash: hashIn(wire, 'hash'),
    nonce: amountIn(wire, 'nonce'),
    transactionIndex: place === null ? null : numberIn(wire, 'transactionIndex'),
    fromAddress,
    toAddress,
    fromAddressLabel: labels(fromAddress),
    toAddressLabel: toAddress === null ? null : labels(toAddress),
    value: amountIn(wire, 'value'),
    gas: amountIn(wire, 'gas'),
    gasPrice: quantity(wire['gasPrice']) ?? quantity(receipt?.['effectiveGasPrice']),
    input: inputOf(wire),
    receiptCumulativeGasUsed: quantity(receipt?.['cumulativeGasUsed']),
    receiptGasUsed: quantity(receipt?.['gasUsed']),
    // Old Ganache says 0x0 where there is no contract.
    receiptContractAddress: created === ZERO_ADDRESS ? null : created,
    receiptStatus: smallQuantity(receipt?.['status']),
    blockTimestamp: place?.time ?? null,
    blockNumber: place?.number ?? null,
    blockHash: place?.hash ?? null,
    logs:
      receipt === null || place === null
        ? []
        : listIn(receipt, 'logs').map(entry => transactionLogRecord(objectIn(entry, 'a log'), place)),
    internalTransactions: null,
  };
}

/** The call data, by either of its two names. */
export function inputOf(wire: WireObject): Hex {
  return wire['input'] === undefined ? dataIn(wire, 'data') : dataIn(wire, 'input');
}

function transactionLogRecord(log: WireObject, place: Place): TransactionLogRecord {
  const topics = listIn(log, 'topics');
  return {
    logIndex: numberIn(log, 'logIndex'),
    transactionHash: hashIn(log, 'transactionHash'),
    transactionIndex: numberIn(log, 'transactionIndex'),
    address: addressIn(log, 'address'),
    data: dataIn(log, 'data'),
    topic0: hashOrNull(topics[0]),
    topic1: hashOrNull(topics[1]),
    topic2: hashOrNull(topics[2]),
    topic3: hashOrNull(topics[3]),
    blockTimestamp: place.time,
    blockNumber: place.number,
    blockHash: place.hash,
  };
}

/** One log of `eth_getLogs`, before its block's time is known. */
export interface FoundLog extends Omit<ContractLogRecord, 'blockTimestamp'> {
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly transactionIndex: number;
  readonly logIndex: number;
}

export function foundLog(value: unknown): FoundLog {
  const log = objectIn(value, 'a log');
  const topics = listIn(log, 'topics');
  return {
    transactionHash: hashIn(log, 'transactionHash'),
    address: addressIn(log, 'address').toLowerCase() as Hex,
    blockNumber: numberIn(log, 'blockNumber'),
    blockHash: hashIn(log, 'blockHash'),
    data: dataIn(log, 'data'),
    topic0: hashOrNull(topics[0]),
    topic1: hashOrNull(topics[1]),
    topic2: hashOrNull(topics[2]),
    topic3: hashOrNull(topics[3]),
    transactionIndex: numberIn(log, 'transactionIndex'),
    logIndex: numberIn(log, 'logIndex'),
  };
}

export const placeOf = (header: Header): Place => ({ number: header.number, hash: header.hash, time: header.time });

/** Bytes of hex data without decoding them; a half byte at the end does not count. */
export const sizeOf = (data: Hex): number => Math.floor((data.length - 2) / 2);
