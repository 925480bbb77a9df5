// CryptoPunks, older than every standard: its events, and who received a punk whose sale log does not say so.
import { type Hex, ZERO_ADDRESS } from '../../base/hex.ts';
import { decodeAddressTopic, decodeUint256At, getByteLength } from '../evm/abiWords.ts';
import type { ChainLog } from './chainLog.ts';
import type { TokenMovement } from './decodeLogs.ts';
import { PUNK_ASSIGN, PUNK_BOUGHT, PUNK_TRANSFER } from './indexedTopics.ts';

/** Contract and sender (both addresses, one behind the other) to the receiver of its last Transfer in this transaction. */
export type PunkReceivers = Map<string, Hex>;

const PUNK_TOPICS: readonly (Hex | undefined)[] = [PUNK_ASSIGN, PUNK_TRANSFER, PUNK_BOUGHT];

export const isPunkLog = (log: ChainLog): boolean => PUNK_TOPICS.includes(log.topics[0]);

export function decodePunk({ address, topics, data }: ChainLog, memory: PunkReceivers): TokenMovement | null {
  const [topic, first, second, third] = topics;
  const punk = { standard: 'CRYPTOPUNKS', amount: 1n, operator: null } as const;
  const tokenId = topic === PUNK_BOUGHT ? (first === undefined ? null : BigInt(first)) : decodeUint256At(data, 0);
  if (tokenId === null || getByteLength(data) !== 32) return null;
  if (topic === PUNK_ASSIGN) {
    const to = decodeAddressTopic(first);
    return to === null || topics.length !== 2 ? null : { ...punk, from: ZERO_ADDRESS, to, tokenId };
  }
  const from = decodeAddressTopic(topic === PUNK_BOUGHT ? second : first);
  const named = decodeAddressTopic(topic === PUNK_BOUGHT ? third : second);
  if (from === null || named === null || topics.length !== (topic === PUNK_BOUGHT ? 4 : 3)) return null;
  // An accepted bid is erased before it is logged, so the log has no buyer: the Transfer before it has.
  const to = topic === PUNK_BOUGHT && named === ZERO_ADDRESS ? (memory.get(`${address}${from}`) ?? null) : named;
  return to === null ? null : { ...punk, from, to, tokenId };
}
