// `hashSummary`: the transaction or block with a hash, if there is one.
import type { Chain } from '../../api/chains.ts';
import {
  MAX_INPUT_BYTES,
  MAX_SUMMARY_TOPICS,
  MAX_SUMMARY_TRANSFERS,
  type TransactionSummary,
} from '../../api/lookups.ts';
import { parseTokenTransfers, type TokenTransfer, type UncheckedLog } from '../../api/tokenTransfer.ts';
import { type Hex, parseQuantity, toLowerHex } from '../../base/hex.ts';
import { getByteLength } from '../evm/abiWords.ts';
import { parseHeader } from '../evm/blockHeader.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import {
  createMismatchedReceiptFault,
  createTransactionCalls,
  fetchMinedBlock,
  parseTransaction,
  shareTransaction,
} from '../evm/fetchTransaction.ts';
import { getFreshness, getLiveFreshness } from '../evm/finality.ts';
import { getReceiptFee } from '../evm/receiptFee.ts';
import {
  InvalidResponseError,
  optionalAddress,
  optionalCreatedContract,
  readArray,
  readBigInt,
  requireAddress,
  requireNumber,
  type WireObject,
} from '../evm/responseFields.ts';
import { getCallData, type MinedBlock } from '../evm/toBlockRecord.ts';
import { toBlockSummary } from './blockSummary.ts';
import type { Lookup } from './lookup.ts';

/** Between two requests of a batch the chain may reorganize. */
const MAX_ATTEMPTS = 3;

export const hashSummary: Lookup<'hashSummary'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const hash = toLowerHex(input.hash);
  const calls = [...createTransactionCalls(hash), { method: 'eth_getBlockByHash', params: [hash, false] }];
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { state, responses } = await node.sendWithState(calls, signal);
    const { chain } = state;
    const parsed = parseTransaction(node, hash, responses[0], responses[1]);
    if (parsed === 'inconsistent') continue;
    if (parsed !== 'not-found') {
      const minedBlock = await fetchMinedBlock(node, parsed, signal);
      shareTransaction(node, hash, { state, found: { ...parsed, minedIn: minedBlock } });
      const value = toTransactionSummary(node, chain, hash, parsed.wire, parsed.receipt, minedBlock);
      return {
        value,
        freshness: minedBlock === null ? getLiveFreshness(node, state) : getFreshness(node, state, minedBlock.number),
      };
    }
    const result = node.getResult('eth_getBlockByHash', responses[2]);
    const header = node.validate('eth_getBlockByHash', () => {
      const blockHeader = parseHeader(result);
      if (blockHeader !== null && blockHeader.hash !== hash)
        throw new InvalidResponseError(`block ${blockHeader.hash} came instead of ${hash}`);
      return blockHeader;
    });
    if (header === null) return { value: { kind: 'nothing', chain }, freshness: getLiveFreshness(node, state) };
    const value = node.validate('eth_getBlockByHash', () => toBlockSummary(chain, header));
    return { value, freshness: getFreshness(node, state, header.number) };
  }
  throw createMismatchedReceiptFault(node);
};

function toTransactionSummary(
  node: EvmNode,
  chain: Chain,
  hash: Hex,
  wire: WireObject,
  receipt: WireObject | null,
  minedBlock: MinedBlock | null,
): TransactionSummary {
  return node.validate('eth_getTransactionByHash', () => {
    const input = getCallData(wire);
    const logs = receipt === null ? null : readArray(receipt, 'logs');
    const status = parseQuantity(receipt?.['status']);
    return {
      kind: 'transaction',
      chain,
      hash,
      // Before Byzantium receipts had no status; a transaction in a block is taken as successful.
      status: receipt === null ? 'pending' : status === 0n ? 'failed' : 'success',
      from: requireAddress(wire, 'from'),
      to: optionalAddress(wire, 'to'),
      created:
        receipt === null || status === 0n || optionalAddress(wire, 'to') !== null
          ? null
          : optionalCreatedContract(receipt),
      value: readBigInt(wire, 'value'),
      selector: getByteLength(input) >= 4 ? (input.slice(0, 10) as Hex) : null,
      inputSize: getByteLength(input),
      input: getByteLength(input) > MAX_INPUT_BYTES ? null : (input as Hex),
      nonce: readBigInt(wire, 'nonce'),
      gasUsed: parseQuantity(receipt?.['gasUsed']),
      gasLimit: readBigInt(wire, 'gas'),
      gasPrice: parseQuantity(receipt?.['effectiveGasPrice']) ?? parseQuantity(wire['gasPrice']),
      fee: getReceiptFee(wire, receipt, chain.id),
      blockNumber: minedBlock?.number ?? null,
      blockHash: minedBlock?.hash ?? null,
      time: minedBlock?.time ?? null,
      transactionIndex: minedBlock === null ? null : requireNumber(wire, 'transactionIndex'),
      logs: logs?.length ?? null,
      topics: getEventTopics(logs ?? []),
      transfers: getTransfers(logs ?? []),
    };
  });
}

function getEventTopics(logs: readonly unknown[]): Hex[] {
  const topics: Hex[] = [];
  for (const log of logs) {
    const logTopics = (log as { readonly topics?: unknown } | null)?.topics;
    const topic0: unknown = Array.isArray(logTopics) ? logTopics[0] : undefined;
    if (typeof topic0 === 'string' && /^0x[0-9a-f]{64}$/i.test(topic0)) topics.push(topic0 as Hex);
    if (topics.length === MAX_SUMMARY_TOPICS) break;
  }
  return topics;
}

function getTransfers(logs: readonly unknown[]): TokenTransfer[] {
  const transfers: TokenTransfer[] = [];
  for (const log of logs) {
    transfers.push(...parseTokenTransfers((log ?? {}) as UncheckedLog));
    if (transfers.length >= MAX_SUMMARY_TRANSFERS) break;
  }
  return transfers.slice(0, MAX_SUMMARY_TRANSFERS);
}
