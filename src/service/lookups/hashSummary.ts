// `hashSummary`: what a 32-byte hash is on a chain: a transaction, a block, or nothing.

import type { Chain } from '../../api/chains.ts';
import { MAX_INPUT_BYTES, type TransactionSummary } from '../../api/lookups.ts';
import { type Hex, parseQuantity } from '../../base/hex.ts';
import { type EvmNode, getFreshness, getLiveFreshness } from '../evm/evmNode.ts';
import { getByteLength } from '../evm/abiWords.ts';
import { getCallData, type MinedBlock } from '../evm/evmRecords.ts';
import {
  createMismatchedReceiptFault,
  createTransactionCalls,
  fetchMinedBlock,
  parseTransaction,
} from '../evm/fetchTransaction.ts';
import { parseHeader } from '../evm/blockHeader.ts';
import { InvalidResponseError, optionalAddress, requireAddress, requireArray, requireBigInt, requireNumber, type WireObject } from '../evm/responseFields.ts';
import { toBlockSummary } from './blockSummary.ts';
import type { Lookup } from './lookup.ts';

const BLOCK = 'eth_getBlockByHash';
const MOST_TOPICS = 8;
const ATTEMPTS = 3;

export const hashSummary: Lookup<'hashSummary'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const hash = input.hash.toLowerCase() as Hex;
  const calls = [...createTransactionCalls(hash), { method: BLOCK, params: [hash, false] }];
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { state, responses: answers } = await node.sendWithState(calls, signal);
    const { chain } = state;
    const read = parseTransaction(node, hash, answers[0], answers[1]);
    if (read === 'torn') continue;
    if (read !== 'nothing') {
      const place = await fetchMinedBlock(node, read, signal);
      const value = summarize(node, chain, hash, read.wire, read.receipt, place);
      return {
        value,
        freshness: place === null ? getLiveFreshness(node, state) : getFreshness(node, state, place.number),
      };
    }
    const result = node.getResult(BLOCK, answers[2]);
    const header = node.validate(BLOCK, () => {
      const found = parseHeader(result);
      if (found !== null && found.hash !== hash)
        throw new InvalidResponseError(`block ${found.hash} came instead of ${hash}`);
      return found;
    });
    if (header === null) return { value: { kind: 'nothing', chain }, freshness: getLiveFreshness(node, state) };
    const value = node.validate(BLOCK, () => toBlockSummary(chain, header));
    return { value, freshness: getFreshness(node, state, header.number) };
  }
  throw createMismatchedReceiptFault(node);
};

function summarize(
  node: EvmNode,
  chain: Chain,
  hash: Hex,
  wire: WireObject,
  receipt: WireObject | null,
  place: MinedBlock | null,
): TransactionSummary {
  return node.validate('eth_getTransactionByHash', () => {
    const input = getCallData(wire);
    const logs = receipt === null ? null : requireArray(receipt, 'logs');
    const status = parseQuantity(receipt?.['status']);
    return {
      kind: 'transaction',
      chain,
      hash,
      // Before Byzantium receipts had no status; what is in a block is taken as done.
      status: receipt === null ? 'pending' : status === 0n ? 'failed' : 'success',
      from: requireAddress(wire, 'from'),
      to: optionalAddress(wire, 'to'),
      created:
        receipt === null || optionalAddress(wire, 'to') !== null ? null : optionalAddress(receipt, 'contractAddress'),
      value: requireBigInt(wire, 'value'),
      selector: getByteLength(input) >= 4 ? (input.slice(0, 10) as Hex) : null,
      inputSize: getByteLength(input),
      input: getByteLength(input) > MAX_INPUT_BYTES ? null : (input as Hex),
      nonce: requireNumber(wire, 'nonce'),
      gasUsed: parseQuantity(receipt?.['gasUsed']),
      gasLimit: requireBigInt(wire, 'gas'),
      gasPrice: parseQuantity(receipt?.['effectiveGasPrice']) ?? parseQuantity(wire['gasPrice']),
      blockNumber: place?.number ?? null,
      blockHash: place?.hash ?? null,
      time: place?.time ?? null,
      transactionIndex: place === null ? null : requireNumber(wire, 'transactionIndex'),
      logs: logs?.length ?? null,
      topics: topicsOf(logs ?? []),
    };
  });
}

function topicsOf(logs: readonly unknown[]): Hex[] {
  const topics: Hex[] = [];
  for (const log of logs) {
    const list = (log as { readonly topics?: unknown } | null)?.topics;
    const first: unknown = Array.isArray(list) ? list[0] : undefined;
    if (typeof first === 'string' && /^0x[0-9a-f]{64}$/i.test(first)) topics.push(first as Hex);
    if (topics.length === MOST_TOPICS) break;
  }
  return topics;
}
