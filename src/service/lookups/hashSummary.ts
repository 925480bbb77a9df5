// `hashSummary`: what a 32-byte hash is on a chain: a transaction, a block, or nothing.

import type { Chain } from '../../api/chains.ts';
import { MOST_INPUT, type TransactionSummary } from '../../api/lookups.ts';
import { type Hex, quantity } from '../../base/hex.ts';
import { type EvmNode, freshnessOf, freshnessOfNow } from '../evm/evmNode.ts';
import { inputOf, type Place, sizeOf } from '../evm/evmRecords.ts';
import { placeOfTransaction, readTransaction, tornTransaction, transactionCalls } from '../evm/fetchTransaction.ts';
import {
  addressIn,
  addressOrNullIn,
  amountIn,
  headerIn,
  Implausible,
  listIn,
  numberIn,
  type WireObject,
} from '../evm/responseFields.ts';
import { summaryOfHeader } from './blockSummary.ts';
import type { Lookup } from './lookup.ts';

const BLOCK = 'eth_getBlockByHash';
const MOST_TOPICS = 8;
const ATTEMPTS = 3;

export const hashSummary: Lookup<'hashSummary'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const hash = input.hash.toLowerCase() as Hex;
  const calls = [...transactionCalls(hash), { method: BLOCK, params: [hash, false] }];
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { state, answers } = await node.ask(calls, signal);
    const { chain } = state;
    const read = readTransaction(node, hash, answers[0], answers[1]);
    if (read === 'torn') continue;
    if (read !== 'nothing') {
      const place = await placeOfTransaction(node, read, signal);
      const value = summarize(node, chain, hash, read.wire, read.receipt, place);
      return {
        value,
        freshness: place === null ? freshnessOfNow(node, state) : freshnessOf(node, state, place.number),
      };
    }
    const result = node.result(BLOCK, answers[2]);
    const header = node.believe(BLOCK, () => {
      const found = headerIn(result);
      if (found !== null && found.hash !== hash) throw new Implausible(`block ${found.hash} came instead of ${hash}`);
      return found;
    });
    if (header === null) return { value: { kind: 'nothing', chain }, freshness: freshnessOfNow(node, state) };
    const value = node.believe(BLOCK, () => summaryOfHeader(chain, header));
    return { value, freshness: freshnessOf(node, state, header.number) };
  }
  throw tornTransaction(node);
};

function summarize(
  node: EvmNode,
  chain: Chain,
  hash: Hex,
  wire: WireObject,
  receipt: WireObject | null,
  place: Place | null,
): TransactionSummary {
  return node.believe('eth_getTransactionByHash', () => {
    const input = inputOf(wire);
    const logs = receipt === null ? null : listIn(receipt, 'logs');
    const status = quantity(receipt?.['status']);
    return {
      kind: 'transaction',
      chain,
      hash,
      // Before Byzantium receipts had no status; what is in a block is taken as done.
      status: receipt === null ? 'pending' : status === 0n ? 'failed' : 'success',
      from: addressIn(wire, 'from'),
      to: addressOrNullIn(wire, 'to'),
      created:
        receipt === null || addressOrNullIn(wire, 'to') !== null ? null : addressOrNullIn(receipt, 'contractAddress'),
      value: amountIn(wire, 'value'),
      selector: sizeOf(input) >= 4 ? (input.slice(0, 10) as Hex) : null,
      inputSize: sizeOf(input),
      input: sizeOf(input) > MOST_INPUT ? null : (input as Hex),
      nonce: numberIn(wire, 'nonce'),
      gasUsed: quantity(receipt?.['gasUsed']),
      gasLimit: amountIn(wire, 'gas'),
      gasPrice: quantity(receipt?.['effectiveGasPrice']) ?? quantity(wire['gasPrice']),
      blockNumber: place?.number ?? null,
      blockHash: place?.hash ?? null,
      time: place?.time ?? null,
      transactionIndex: place === null ? null : numberIn(wire, 'transactionIndex'),
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
