// A synthetic chain of any length without a real node: for ranges, limits and finality that no test chain has.
import type { Hex } from '../../src/base/hex.ts';
import type { ScriptedCall, ScriptedReply } from './scriptedRpcNode.ts';

export interface SyntheticOptions {
  readonly head: number;
  readonly chainId?: number;
  readonly client?: string;
  /** Blocks behind the head that are final; default 64. */
  readonly finalDepth?: number;
  /** Seconds per block; default 12. */
  readonly interval?: number;
  /** Timestamp of a block, where the interval is not steady. */
  readonly timeOf?: (block: number) => number;
  /** Number of logs in a block; default none. */
  readonly logsIn?: (block: number) => number;
  /** Topics of each log; default one that no event has. */
  readonly topics?: readonly Hex[];
  /** Data of each log; default none. */
  readonly data?: Hex;
  /** Gas that a block used; default none. */
  readonly gasIn?: (block: number) => number;
  /** Goes into every hash: another word, another chain. */
  readonly salt?: string;
  /** Whether logs carry `blockTimestamp`; default true. */
  readonly logTimes?: boolean;
}

export const SYNTHETIC_CONTRACT: Hex = `0x${'c0'.repeat(20)}`;
export const SYNTHETIC_TOPIC: Hex = `0x${'70'.repeat(32)}`;
const GENESIS = 1_600_000_000;

const hex = (value: number): Hex => `0x${value.toString(16)}`;

export interface SyntheticChain {
  head: number;
  salt: string;
  /** The salt goes into the hashes of blocks from this one on; default 0, the whole chain. */
  saltFrom: number;
  hashOf(block: number): Hex;
  timeOf(block: number): number;
  header(block: number): Record<string, unknown> | null;
  logs(from: number, to: number): Record<string, unknown>[];
  /** What an honest node answers; `undefined` for methods that it does not have. */
  answer(call: ScriptedCall): ScriptedReply | undefined;
}

export function createSyntheticChain(options: SyntheticOptions): SyntheticChain {
  const { chainId = 1, client = 'Geth/v1.16.0-test', finalDepth = 64, interval = 12, logTimes = true } = options;
  const timeOf = options.timeOf ?? ((block: number) => GENESIS + block * interval);
  const logsIn = options.logsIn ?? (() => 0);
  const word = (text: string) => {
    let hash = 0x811c9dc5;
    for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
    return hash.toString(16).padStart(8, '0');
  };
  const hashes = new Map<string, Hex>();
  const hash32 = (text: string): Hex => {
    const known = hashes.get(text) ?? makeHash(text);
    hashes.set(text, known);
    return known;
  };
  const makeHash = (text: string): Hex =>
    `0x${Array.from({ length: 8 }, (_, index) => word(`${index}${text}`)).join('')}`;
  const chain: SyntheticChain = {
    head: options.head,
    salt: options.salt ?? '',
    saltFrom: 0,
    hashOf: block => hash32(`${block < chain.saltFrom ? '' : chain.salt}block${block}`),
    timeOf,
    header(block) {
      if (block < 0 || block > chain.head) return null;
      return {
        number: hex(block),
        hash: chain.hashOf(block),
        parentHash: chain.hashOf(block - 1),
        timestamp: hex(timeOf(block)),
        gasUsed: hex(options.gasIn?.(block) ?? 0),
        gasLimit: '0x1c9c380',
        miner: `0x${'00'.repeat(20)}`,
        transactions: [],
      };
    },
    logs(from, to) {
      const logs: Record<string, unknown>[] = [];
      for (let block = from; block <= Math.min(to, chain.head); block++) {
        for (let index = 0; index < logsIn(block); index++) {
          logs.push({
            address: SYNTHETIC_CONTRACT,
            topics: options.topics ?? [SYNTHETIC_TOPIC],
            data: options.data ?? '0x',
            blockNumber: hex(block),
            blockHash: chain.hashOf(block),
            transactionHash: hash32(`${chain.salt}tx${block}`),
            transactionIndex: '0x0',
            logIndex: hex(index),
            removed: false,
            ...(logTimes && { blockTimestamp: hex(timeOf(block)) }),
          });
        }
      }
      return logs;
    },
    answer({ method, params }) {
      if (method === 'eth_chainId') return { result: hex(chainId) };
      if (method === 'web3_clientVersion') return { result: client };
      if (method === 'eth_getBlockByNumber') {
        const tag = String(params[0]);
        const number = tag === 'latest' ? chain.head : tag === 'finalized' ? chain.head - finalDepth : Number(tag);
        return { result: chain.header(number) };
      }
      if (method === 'eth_getBlockByHash') {
        for (let block = 0; block <= chain.head; block++)
          if (chain.hashOf(block) === params[0]) return { result: chain.header(block) };
        return { result: null };
      }
      if (method === 'eth_getLogs') {
        const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
        return { result: chain.logs(Number(fromBlock), Number(toBlock)) };
      }
      return undefined;
    },
  };
  return chain;
}
