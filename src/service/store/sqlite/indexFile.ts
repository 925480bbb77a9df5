// The file of an index: opened, checked and migrated; what is not usable is moved aside, never read and never deleted at once.
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import { packHex, unpackHex } from '../encoding.ts';
import { getScopeName, type StoreInfo } from '../store.ts';
import { openConnection, type SecondaryIndexes, type SqliteConnection } from './connection.ts';
import { isCorruption } from './faults.ts';

const HEADER = Buffer.from('SQLite format 3\0', 'latin1');

/**
 * Files up to this size are checked whole at every opening, which takes a quarter of a second at most; larger ones only
 * when they were not closed as they should be. Damage that is found later is dealt with then.
 */
const CHECKED_BYTES = 64 * 1024 * 1024;

/** What belongs to a file of SQLite, by the ends of the names. */
const PARTS = ['', '-wal', '-shm'] as const;

/** The file can not be used as it is; the message ends "it was moved aside because …". */
class Unusable extends Error {
  override readonly name = 'Unusable';
}

/** What is in a file: its tables, made by numbered migrations of which the first makes `chain`, and its indexes. */
export interface SqliteSchema {
  readonly migrations: readonly string[];
  readonly secondaryIndexes: SecondaryIndexes;
}

export interface IndexFileDeps {
  readonly schema: SqliteSchema;
  readonly info: StoreInfo;
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * `31337-0123456789abcdef.db`: a chain that begins anew under the same id gets another file. What concerns one address is
 * in a file of its own, `1-d4e56740f876aef8-wallet-0x….db`: it comes and goes as a whole.
 */
export function getIndexFileName({ chainId, genesisHash, scope: subject }: StoreInfo): string {
  const about = subject === undefined ? '' : `-${getScopeName(subject)}`;
  return `${chainId}-${genesisHash.slice(2, 18).toLowerCase()}${about}.db`;
}

/** Opens the file, or a new one when there is none or it is not usable. Throws what SQLite and the file system throw. */
export function openIndexFile(path: string, deps: IndexFileDeps): SqliteConnection {
  makeFolder(dirname(path));
  try {
    return openChecked(path, deps);
  } catch (error) {
    if (!(error instanceof Unusable) && !isCorruption(error)) throw error;
    quarantineIndexFile(path, error instanceof Unusable ? error.message : 'it is damaged', deps);
    return openChecked(path, deps);
  }
}

/** With those it lies in. Node's own way of it never ends where nothing can be made, as in /proc. */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

export function openMemoryIndex({ info, schema }: IndexFileDeps): SqliteConnection {
  const connection = openConnection(':memory:', schema.secondaryIndexes);
  migrate(connection, info, schema, false);
  return connection;
}

function openChecked(path: string, { info, schema }: IndexFileDeps): SqliteConnection {
  // The last process that closes a file takes its log away.
  const whole = existsSync(path) && (checkHeader(path) <= CHECKED_BYTES || existsSync(`${path}-wal`));
  const connection = openConnection(path, schema.secondaryIndexes);
  try {
    migrate(connection, info, schema, whole);
    connection.useShortBusyTimeout();
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** The size of the file. */
function checkHeader(path: string): number {
  const stats = statSync(path);
  if (!stats.isFile()) throw new Unusable('it is not a file');
  const bytes = Buffer.alloc(HEADER.length);
  const file = openSync(path, 'r');
  try {
    // An empty file is what a process leaves that was killed while it began: as good as none.
    const length = readSync(file, bytes, 0, HEADER.length, 0);
    if (length > 0 && !bytes.equals(HEADER)) throw new Unusable('it is damaged');
    return stats.size;
  } finally {
    closeSync(file);
  }
}

/** Checks what is there, `whole` or in passing, and brings it to the newest version, in one transaction: two windows may open a file at once. */
function migrate(connection: SqliteConnection, info: StoreInfo, { migrations }: SqliteSchema, whole: boolean): void {
  const version = versionOf(connection);
  if (version > migrations.length) throw new Unusable('a newer version of HexLens wrote it');
  if (whole && connection.get<{ quick_check: string }>('PRAGMA quick_check(1)')?.quick_check !== 'ok')
    throw new Unusable('it is damaged');
  if (version < migrations.length)
    connection.writeTransaction(() => {
      const found = versionOf(connection);
      if (found === 0 && connection.get('SELECT 1 FROM sqlite_schema LIMIT 1') !== undefined)
        throw new Unusable('it is not an index of HexLens');
      for (const sql of migrations.slice(found)) connection.exec(sql);
      connection.exec(`PRAGMA user_version = ${migrations.length}`);
      if (found === 0)
        connection.run('INSERT INTO chain VALUES (1, ?, ?)', info.chainId, packHex(info.genesisHash, 32));
    });
  const chain = connection.get<{ chain_id: number; genesis: Uint8Array }>('SELECT chain_id, genesis FROM chain');
  if (chain?.chain_id !== info.chainId || unpackHex(chain.genesis) !== info.genesisHash.toLowerCase())
    throw new Unusable('it is of another chain');
  if (info.scope === undefined) return;
  const subject = getScopeName(info.scope);
  if (connection.get('SELECT 1 FROM coverage') === undefined)
    connection.run('INSERT INTO coverage VALUES (1, ?, NULL) ON CONFLICT DO NOTHING', subject);
  if (connection.get<{ subject: string }>('SELECT subject FROM coverage')?.subject !== subject)
    throw new Unusable('it is about another address');
}

function versionOf(connection: SqliteConnection): number {
  return connection.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
}

/** Tells one file from another that came to its name. */
export function getFileIdentity(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/** Keeps one unusable file at most, the last: somebody may want to look at it, but disks fill. */
export function quarantineIndexFile(
  path: string,
  why: string,
  { log, clock }: Pick<IndexFileDeps, 'log' | 'clock'>,
): void {
  const folder = dirname(path);
  const mark = `${basename(path)}.damaged-`;
  for (const name of readdirSync(folder))
    if (name.startsWith(mark)) rmSync(join(folder, name), { recursive: true, force: true });
  const aside = `${path}.damaged-${clock.now()}`;
  for (const part of PARTS) if (existsSync(path + part)) renameSync(path + part, aside + part);
  log.warn(`The index ${path} was moved to ${basename(aside)} and is built anew, because ${why}.`);
}
