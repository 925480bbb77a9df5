// The least that a first sync has to do, in a plain loop: the same logs, blocks, rows and owners in the same tables, without traces.
import { DatabaseSync } from 'node:sqlite';
import { type Hex, toQuantity } from '../../src/base/hex.ts';
import type { HttpPort } from '../../src/base/httpPort.ts';
import { INDEXED_TOPICS } from '../../src/service/indexer/logFilters.ts';
import { packInteger } from '../../src/service/store/encoding.ts';
import { migrations, secondaryIndexes } from '../../src/service/store/sqlite/schema.ts';
import { topics } from '../support/chain/contractAbis.ts';

interface RawLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: Hex;
  readonly logIndex: Hex;
  readonly transactionHash: Hex;
  readonly transactionIndex: Hex;
}
interface RawBlock {
  readonly number: Hex;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestamp: Hex;
  readonly transactions: readonly {
    readonly hash: Hex;
    readonly value: Hex;
    readonly from: Hex;
    readonly to: Hex | null;
  }[];
}

/** Blocks per call and concurrent calls: measured best for Anvil. */
const WINDOW = 10;
const CONCURRENT_WINDOWS = 4;
const ROWS_PER_WRITE = 100_000;

const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex');

/** Validates nothing: no parent hash, no bloom filter, no response. Returns the number of NFT transfers. */
export async function syncBare(http: HttpPort, url: string, file: string): Promise<number> {
  const call = async <T>(method: string, params: readonly unknown[]): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await http.send({ method: 'POST', url, body, logLabel: method });
    return (JSON.parse(response.body) as { result: T }).result;
  };
  const head = Number(await call<Hex>('eth_blockNumber', []));
  const database = new DatabaseSync(file);
  database.exec('PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
  database.exec('PRAGMA cache_size = -32768;');
  for (const step of migrations) database.exec(step);
  const insertBlock = database.prepare('INSERT INTO block VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const insertTransaction = database.prepare('INSERT INTO mined_transaction VALUES (?, ?, ?, ?, ?, ?, 0, ?)');
  const insertTransfer = database.prepare('INSERT INTO transfer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const insertErc20Transfer = database.prepare('INSERT INTO erc20_transfer VALUES (?, ?, ?, ?, ?, ?, ?)');
  const insertAddress = database.prepare('INSERT INTO address (bytes) VALUES (?) RETURNING id');
  const setOwner = database.prepare(
    `INSERT INTO owner VALUES (?, ?, 0, ?, ?, 1, ?, ?)
     ON CONFLICT DO UPDATE SET holder = excluded.holder, changed = excluded.changed`,
  );
  const readShare = database.prepare('SELECT amount FROM owner WHERE token = ? AND token_id = ? AND slot = ?');
  const setShare = database.prepare(
    `INSERT INTO owner VALUES (?, ?, ?, 2, ?, ?, ?, NULL)
     ON CONFLICT DO UPDATE SET amount = excluded.amount, changed = excluded.changed`,
  );
  const addresses = new Map<string, number>([['0'.repeat(40), 1]]);
  const intern = (digits: string): number => {
    let id = addresses.get(digits);
    if (id === undefined) {
      id = Number(insertAddress.get(Buffer.from(digits, 'hex'))?.['id']);
      addresses.set(digits, id);
    }
    return id;
  };

  let [transactions, transfers, erc20Transfers, unwritten] = [0, 0, 0, 0];
  const move = (token: number, tokenId: bigint | Uint8Array, holder: number, change: bigint) => {
    if (holder === 1) return;
    const before = BigInt((readShare.get(token, tokenId, holder)?.['amount'] as number | undefined) ?? 0);
    const after = before + change > 0n ? before + change : 0n;
    setShare.run(token, tokenId, holder, holder, packInteger(after), transfers);
  };
  const insertRows = (block: RawBlock, logs: readonly RawLog[]) => {
    const number = Number(block.number);
    insertBlock.run(
      number,
      bytes(block.hash),
      bytes(block.parentHash),
      Number(block.timestamp),
      transfers + 1,
      erc20Transfers + 1,
      1,
      transactions + 1,
    );
    const transactionIds = new Map<Hex, number>();
    for (const [index, { hash, from, to, value }] of block.transactions.entries()) {
      const recipient = to === null ? null : intern(to.slice(2));
      const sender = intern(from.slice(2));
      insertTransaction.run(++transactions, number, index, bytes(hash), sender, recipient, packInteger(BigInt(value)));
      transactionIds.set(hash, transactions);
    }
    for (const log of logs) {
      const [topic, first = '', second = '', third = ''] = log.topics;
      const token = intern(log.address.slice(2));
      const position = [transactionIds.get(log.transactionHash) ?? 0, Number(log.logIndex)] as const;
      if (topic === topics.transfer && log.topics.length === 4) {
        const id = packInteger(BigInt(third));
        const [from, to] = [intern(first.slice(26)), intern(second.slice(26))];
        insertTransfer.run(++transfers, ...position, 0, token, id, 1, from, to, 1n, null);
        setOwner.run(token, id, 1, to, transfers, from === 1 ? number : null);
      } else if (topic === topics.transferSingle) {
        const id = packInteger(BigInt(log.data.slice(0, 66)));
        const amount = BigInt(`0x${log.data.slice(66, 130)}`);
        const [operator, from, to] = [intern(first.slice(26)), intern(second.slice(26)), intern(third.slice(26))];
        insertTransfer.run(++transfers, ...position, 0, token, id, 2, from, to, packInteger(amount), operator);
        move(token, id, from, -amount);
        move(token, id, to, amount);
      } else if (topic === topics.transfer) {
        const [from, to] = [intern(first.slice(26)), intern(second.slice(26))];
        const amount = packInteger(BigInt(log.data));
        insertErc20Transfer.run(++erc20Transfers, ...position, token, from, to, amount);
      }
    }
    unwritten += logs.length;
  };

  const readWindow = async (from: number, to: number) => {
    const range = { fromBlock: toQuantity(from), toBlock: toQuantity(to), topics: [INDEXED_TOPICS] };
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => toQuantity(from + index));
    const [logs, ...blocks] = await Promise.all([
      call<RawLog[]>('eth_getLogs', [range]),
      ...numbers.map(number => call<RawBlock>('eth_getBlockByNumber', [number, true])),
    ]);
    return { logs, blocks };
  };
  const pending: ReturnType<typeof readWindow>[] = [];
  let next = 0;
  database.exec('BEGIN');
  for (;;) {
    for (; pending.length < CONCURRENT_WINDOWS && next <= head; next += WINDOW)
      pending.push(readWindow(next, Math.min(head, next + WINDOW - 1)));
    const oldest = pending.shift();
    if (oldest === undefined) break;
    const { logs, blocks } = await oldest;
    const byBlock = Map.groupBy(logs, log => log.blockNumber);
    for (const block of blocks) insertRows(block, byBlock.get(block.number) ?? []);
    if (unwritten < ROWS_PER_WRITE) continue;
    unwritten = 0;
    database.exec('COMMIT; BEGIN');
  }
  database.exec('COMMIT');
  for (const [name, on] of Object.entries(secondaryIndexes)) database.exec(`CREATE INDEX ${name} ON ${on}`);
  database.close();
  return transfers;
}
