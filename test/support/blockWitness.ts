// Expected records of blocks and transactions, made from a node's responses in the simplest way.
import { type Hex, toQuantity } from '../../src/base/hex.ts';
import type { JsonRpc } from './chain/jsonRpc.ts';

export interface RawTransaction {
  readonly hash: Hex;
  readonly to: Hex | null;
  readonly [key: string]: unknown;
}
export interface RawReceipt {
  readonly contractAddress: Hex | null;
  readonly logs: readonly { readonly topics: readonly Hex[]; readonly [key: string]: unknown }[];
  readonly [key: string]: unknown;
}
export interface RawBlock {
  readonly hash: Hex;
  readonly timestamp: Hex;
  readonly transactions: readonly RawTransaction[];
  readonly [key: string]: unknown;
}

const decimal = (quantity: unknown) => BigInt(String(quantity)).toString();
const iso = (seconds: Hex) => new Date(Number(seconds) * 1000).toISOString();

/** What the description wants of a transaction, written down from the node's own answers in the plainest way. */
export function expectedTransaction(transaction: RawTransaction, receipt: RawReceipt, block: RawBlock) {
  const place = {
    block_timestamp: iso(block.timestamp),
    block_number: decimal(block['number']),
    block_hash: block.hash,
  };
  return {
    hash: transaction.hash,
    nonce: decimal(transaction['nonce']),
    transaction_index: decimal(transaction['transactionIndex']),
    from_address: transaction['from'],
    to_address: transaction.to ?? null,
    from_address_label: null,
    to_address_label: null,
    value: decimal(transaction['value']),
    gas: decimal(transaction['gas']),
    gas_price: decimal(transaction['gasPrice']),
    input: transaction['input'],
    receipt_cumulative_gas_used: decimal(receipt['cumulativeGasUsed']),
    receipt_gas_used: decimal(receipt['gasUsed']),
    receipt_contract_address: receipt.contractAddress ?? null,
    receipt_status: decimal(receipt['status']),
    receipt_fee: String(BigInt(receipt['gasUsed'] as Hex) * BigInt(receipt['effectiveGasPrice'] as Hex)),
    ...place,
    logs: receipt.logs.map(log => ({
      log_index: decimal(log['logIndex']),
      transaction_hash: transaction.hash,
      transaction_index: decimal(log['transactionIndex']),
      address: log['address'],
      data: log['data'],
      ...Object.fromEntries(log.topics.map((topic, index) => [`topic${index}`, topic])),
      ...place,
    })),
  };
}

export async function rawBlock(node: JsonRpc, number: number): Promise<{ block: RawBlock; receipts: RawReceipt[] }> {
  const block = await node.rpc<RawBlock>('eth_getBlockByNumber', [toQuantity(number), true]);
  const receipts = await node.batch<RawReceipt>(
    block.transactions.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  );
  return { block, receipts };
}

export async function expectedBlock(node: JsonRpc, number: number) {
  const { block, receipts } = await rawBlock(node, number);
  return {
    timestamp: iso(block.timestamp),
    number,
    hash: block.hash,
    parent_hash: block['parentHash'],
    nonce: block['nonce'],
    sha3_uncles: block['sha3Uncles'],
    logs_bloom: block['logsBloom'],
    transactions_root: block['transactionsRoot'],
    state_root: block['stateRoot'],
    receipts_root: block['receiptsRoot'],
    miner: block['miner'],
    difficulty: decimal(block['difficulty']),
    total_difficulty: decimal(block['totalDifficulty']),
    size: decimal(block['size']),
    extra_data: block['extraData'],
    gas_limit: decimal(block['gasLimit']),
    gas_used: decimal(block['gasUsed']),
    transaction_count: String(block.transactions.length),
    base_fee_per_gas: decimal(block['baseFeePerGas']),
    transactions: block.transactions.map((transaction, index) =>
      expectedTransaction(transaction, receipts[index] as RawReceipt, block),
    ),
  };
}
