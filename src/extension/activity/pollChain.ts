// One round of requests for everything that is watched on a chain: what is new since the block that was read last.
import type { Chain } from '../../api/chains.ts';
import type { ChainStatus } from '../../api/lookups.ts';
import type { Hex } from '../../base/hex.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import type { Client } from '../../client/client.ts';
import type { AbiRegistry } from '../../decode/abiRegistry.ts';
import { toAmountUnit } from '../../protocol/amountUnits.ts';
import {
  type Activity,
  type ActivityLog,
  addReads,
  type BlockPosition,
  resetChain,
  type WatchRead,
} from '../../view/activity/activityLog.ts';
import {
  type ActivityTextContext,
  describeActivity,
  type TransactionRecords,
} from '../../view/activity/activityText.ts';
import { getWatchKey, type Watch } from '../../view/activity/watch.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

export interface PollPorts {
  readonly client: Pick<Client, 'walletTransactions' | 'walletErc20Transfers' | 'walletNftTransfers' | 'contractLogs'>;
  readonly lookup: WorkerClient['lookup'];
  loadRegistry(): Promise<AbiRegistry>;
  createTextContext(selector: string, chain: Chain, registry: AbiRegistry): ActivityTextContext;
}

/** Of each list, in one round: a page, the newest first. */
const MAX_RECORDS = 100;
/** Watches that are read at once. */
const CONCURRENCY = 4;

type WithHash = { readonly transactionHash: Hex | null };

interface Located {
  readonly hash: Hex;
  readonly blockNumber: number;
  readonly transactionIndex: number;
  readonly time: number | null;
}

type BlockFields = {
  readonly blockNumber: number | bigint | null;
  readonly blockTimestamp: Date | null;
  readonly transactionIndex?: number | bigint | null;
};

const locate = (hash: Hex, { blockNumber, blockTimestamp, transactionIndex }: BlockFields): Located => ({
  hash,
  blockNumber: Number(blockNumber),
  transactionIndex: Number(transactionIndex ?? 0),
  time: blockTimestamp?.getTime() ?? null,
});

/** `null` while the index does not reach the head: reading then would miss transfers. */
async function readWatch(
  { address, topic0 }: Watch,
  chain: Chain,
  { selector, isLocal }: Pick<ChainStatus, 'selector' | 'isLocal'>,
  blocks: { readonly fromBlock: number; readonly toBlock: number },
  { client, lookup, loadRegistry, createTextContext }: PollPorts,
  signal: AbortSignal,
): Promise<readonly Activity[] | null> {
  const list = { address, chain: selector, limit: MAX_RECORDS, ...blocks };
  const options = { signal };
  const readLogs = async () => {
    if (topic0 === null) {
      const { codeSize } = await lookup('addressSummary', { chain: selector, address }, signal);
      if (codeSize === 0) return [];
    }
    return (await client.contractLogs({ ...list, ...(topic0 !== null && { topic0 }) }, options)).result;
  };
  const isWhole = topic0 === null;
  // A public chain has an index of each wallet, whose history would be read first: its transactions and logs need none.
  const hasIndex = isWhole && isLocal === true;
  const nftTransfers = hasIndex ? await client.walletNftTransfers(list, options) : null;
  // Both kinds of transfers are of the same index.
  if (nftTransfers?.indexComplete === false) return null;
  const [transactions, erc20Transfers, logs] = await Promise.all([
    isWhole ? client.walletTransactions(list, options) : null,
    hasIndex ? client.walletErc20Transfers(list, options) : null,
    readLogs(),
  ]);
  const found = new Map<Hex, Located>();
  const note = <R extends BlockFields>(hash: Hex | null, record: R) => {
    if (hash !== null && !found.has(hash)) found.set(hash, locate(hash, record));
  };
  for (const record of transactions?.result ?? []) note(record.hash, record);
  for (const record of [...(erc20Transfers?.result ?? []), ...(nftTransfers?.result ?? []), ...logs])
    note(record.transactionHash, record);
  if (found.size === 0) return [];
  // Amounts of a token that does not answer stay raw numbers.
  const unit =
    logs.length === 0 ? null : await lookup('tokenUnit', { chain: selector, address }, signal).catch(() => null);
  const base = createTextContext(selector, chain, await loadRegistry());
  const getUnit = (token: string) => (unit !== null && token === address ? toAmountUnit(unit) : null);
  const context = { ...base, format: { ...base.format, getUnit } };
  const isOf = (hash: Hex) => (record: WithHash) => record.transactionHash === hash;
  return [...found.values()]
    .sort((a, b) => b.blockNumber - a.blockNumber || b.transactionIndex - a.transactionIndex)
    .flatMap(({ hash, blockNumber, time }) => {
      const records: TransactionRecords = {
        transaction: transactions?.result.find(record => record.hash === hash) ?? null,
        erc20Transfers: erc20Transfers?.result.filter(isOf(hash)) ?? [],
        nftTransfers: nftTransfers?.result.filter(isOf(hash)) ?? [],
        logs: logs.filter(isOf(hash)),
      };
      const text = describeActivity(records, context);
      return text === null ? [] : [{ ...text, chain: selector, hash, blockNumber, time }];
    });
}

export interface PolledChain {
  /** Adds what was read to the log, which may have changed meanwhile. */
  apply(log: ActivityLog): ActivityLog;
  /** Otherwise the index of the chain is behind: the same head must be polled again. */
  readonly isComplete: boolean;
}

/** Reads what is new since the log. Rejects with the faults of the node. */
export async function pollChain(
  log: Pick<ActivityLog, 'positions' | 'genesis'>,
  watches: readonly Watch[],
  status: ChainStatus,
  ports: PollPorts,
  signal: AbortSignal,
): Promise<PolledChain> {
  const { selector, chain, head, headHash, genesisHash } = status;
  if (chain === null || head === null) return { apply: current => current, isComplete: true };
  const hashes = new Map<number, Promise<string | null>>();
  const fetchHash = (number: number): Promise<string | null> => {
    if (number === head && headHash !== undefined) return Promise.resolve(headHash);
    const fetched =
      hashes.get(number) ??
      ports
        .lookup('blockSummary', { chain: selector, block: number }, signal)
        .then(block => (block.kind === 'block' ? block.hash : null));
    hashes.set(number, fetched);
    return fetched;
  };
  const to = { number: head, hash: (await fetchHash(head)) ?? '' };
  const known = log.genesis[selector];
  const isReset = genesisHash !== undefined && known !== undefined && known !== genesisHash;

  /** The newest block that was read and still is part of the chain; `null` for a new watch. */
  const findStart = async (key: string): Promise<BlockPosition | null> => {
    const positions = log.positions[selector]?.[key] ?? [];
    const first = positions.at(-1);
    if (first === undefined) return null;
    if (isReset) return { number: 0, hash: genesisHash };
    for (const position of positions)
      if (position.number <= head && (await fetchHash(position.number)) === position.hash) return position;
    // Undone to below the block where watching began: how far is not known, so only what is certainly new counts.
    const number = Math.min(head, first.number - 1);
    return { number, hash: (await fetchHash(Math.max(0, number))) ?? '' };
  };

  const reads = await mapConcurrently(watches, CONCURRENCY, async (watch): Promise<WatchRead | null> => {
    const key = getWatchKey(watch);
    const from = await findStart(key);
    const isUnread = from !== null && from.number < head;
    const blocks = { fromBlock: (from?.number ?? head) + 1, toBlock: head };
    const activities = isUnread ? await readWatch(watch, chain, status, blocks, ports, signal) : [];
    return activities === null ? null : { key, from, to, activities };
  });
  const complete = reads.filter(read => read !== null);
  return {
    apply: current => {
      const before = isReset ? resetChain(current, selector) : current;
      const genesis = genesisHash === undefined ? before.genesis : { ...before.genesis, [selector]: genesisHash };
      return addReads({ ...before, genesis }, selector, complete);
    },
    isComplete: complete.length === reads.length,
  };
}
