// Subsquid's processor from npm over the same chain, with rows, owners and indexes in SQLite as the bare loop stores them.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { topics } from '../support/chain/contractAbis.ts';
import { installPeer } from './installPeer.ts';

const PACKAGE = '@subsquid/evm-processor';
const VERSION = '1.27.3';
const RUN_MS = 180_000;

/** Installs it once and returns its folder. Rejects when npm can not install it. */
export const installSubsquid = () => installPeer('subsquid', { [PACKAGE]: VERSION });

export interface SubsquidRun {
  /** From `installSubsquid`. */
  readonly folder: string;
  readonly url: string;
  /** The last block; not the head, since Subsquid waits for one more. */
  readonly to: number;
  /** The database to create. */
  readonly file: string;
  /** Whether to read the values of transactions too, for which it needs whole blocks. */
  readonly values: boolean;
}

/** Returns the milliseconds and the number of NFT transfers of a first sync. */
export async function syncSubsquid({ folder, ...run }: SubsquidRun): Promise<{ ms: number; transfers: number }> {
  const program = join(folder, 'sync.cjs');
  await writeFile(program, PROGRAM);
  const options = JSON.stringify({ ...run, transfer: topics.transfer, single: topics.transferSingle });
  const { stdout } = await promisify(execFile)(process.execPath, [program, options], {
    cwd: folder,
    timeout: RUN_MS,
    env: { PATH: process.env['PATH'] },
  });
  const line = stdout.split('\n').find(text => text.startsWith('{"ms"'));
  if (line === undefined) throw new Error('Subsquid ended without a result.');
  return JSON.parse(line) as { ms: number; transfers: number };
}

/** Without ERC-20 mints: it stores less than the others. */
const PROGRAM = `
const { EvmBatchProcessor } = require('${PACKAGE}');
const { DatabaseSync } = require('node:sqlite');
const { url, to, file, values, transfer, single } = JSON.parse(process.argv[2]);
const db = new DatabaseSync(file);
db.exec('PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768;');
db.exec('CREATE TABLE transfer (id INTEGER PRIMARY KEY, block INTEGER, log INTEGER, tx TEXT, token TEXT, token_id TEXT, sender TEXT, recipient TEXT, amount TEXT, value TEXT)');
db.exec('CREATE TABLE owner (token TEXT, token_id TEXT, holder TEXT, amount TEXT, PRIMARY KEY (token, token_id, holder)) WITHOUT ROWID');
const insert = db.prepare('INSERT INTO transfer VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
const drop = db.prepare('DELETE FROM owner WHERE token = ? AND token_id = ? AND holder = ?');
const set = db.prepare('INSERT INTO owner VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET amount = excluded.amount');
const read = db.prepare('SELECT amount FROM owner WHERE token = ? AND token_id = ? AND holder = ?');
const ZERO_ADDRESS = '0x' + '0'.repeat(40);
const address = topic => '0x' + topic.slice(26);
let transfers = 0;
const start = performance.now();
const processor = new EvmBatchProcessor()
  .setRpcEndpoint({ url, rateLimit: 100000, capacity: 10, maxBatchCallSize: 100 })
  .setFinalityConfirmation(1)
  .setBlockRange({ from: 0, to })
  .addLog({ topic0: [transfer, single], transaction: values })
  .setFields({ log: { topics: true, data: true, transactionHash: true }, ...(values && { transaction: { hash: true, value: true } }) });
const database = {
  supportsHotBlocks: false,
  async connect() { return { height: -1, hash: '0x' }; },
  async transact(info, work) {
    db.exec('BEGIN');
    await work({});
    db.exec('COMMIT');
    if (info.nextHead.height < to) return;
    db.exec('CREATE INDEX a ON transfer (sender); CREATE INDEX b ON transfer (recipient); CREATE INDEX c ON transfer (token, token_id); CREATE INDEX d ON owner (holder)');
    console.log(JSON.stringify({ ms: performance.now() - start, transfers }));
  },
};
processor.run(database, async ctx => {
  for (const block of ctx.blocks) for (const log of block.logs) {
    const [topic, first, second, third] = log.topics;
    const is721 = topic === transfer && log.topics.length === 4;
    if (!is721 && topic !== single) continue;
    transfers++;
    const id = BigInt(is721 ? third : log.data.slice(0, 66)).toString();
    const amount = is721 ? 1n : BigInt('0x' + log.data.slice(66, 130));
    const [from, to] = is721 ? [address(first), address(second)] : [address(second), address(third)];
    const value = log.transaction === undefined ? null : log.transaction.value.toString();
    insert.run(block.header.height, log.logIndex, log.transactionHash, log.address, id, from, to, amount.toString(), value);
    for (const [holder, change] of [[from, -amount], [to, amount]]) {
      if (holder === ZERO_ADDRESS) continue;
      const now = read.get(log.address, id, holder);
      const after = BigInt(now === undefined ? 0 : now.amount) + change;
      if (after > 0n) set.run(log.address, id, holder, after.toString());
      else drop.run(log.address, id, holder);
    }
  }
});
`;
