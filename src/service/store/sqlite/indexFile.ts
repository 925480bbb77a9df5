// The file of an index: opened, checked and migrated; an unusable one is quarantined, never read.
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
 * Files up to this size are checked in full whenever they are opened, which takes at most 250 ms; larger ones only after
 * a process did not close them. Corruption that is found later is handled by `RecoveringDatabase`.
 */
const MAX_FULL_CHECK_BYTES = 64 * 1024 * 1024;

/** The files of one SQLite database. */
const FILE_SUFFIXES = ['', '-wal', '-shm'] as const;

/** The file can not be used as it is; the message completes "… because". */
class UnusableFileError extends Error {
  override readonly name = 'UnusableFileError';
}

/** Numbered migrations, of which the first creates the table `chain`, and the secondary indexes. */
export interface SqliteSchema {
  readonly migrations: readonly string[];
  /** What they do with the rows of an older file, for the log. */
  readonly migrationEffect: string;
  readonly secondaryIndexes: SecondaryIndexes;
}

export interface IndexFileDeps {
  readonly schema: SqliteSchema;
  readonly info: StoreInfo;
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * `31337-0123456789abcdef.db`: a chain that was reset under the same id gets another file. The index of one address has
 * a file of its own, `1-d4e56740f876aef8-wallet-0x….db`, so that it can be deleted alone.
 */
export function getIndexFileName({ chainId, genesisHash, scope }: StoreInfo): string {
  const suffix = scope === undefined ? '' : `-${getScopeName(scope)}`;
  return `${chainId}-${genesisHash.slice(2, 18).toLowerCase()}${suffix}.db`;
}

/** Opens the file; creates one when there is none or it is unusable. Throws what SQLite and the file system throw. */
export function openIndexFile(path: string, deps: IndexFileDeps): SqliteConnection {
  createFolder(dirname(path));
  try {
    return openChecked(path, deps);
  } catch (error) {
    if (!(error instanceof UnusableFileError) && !isCorruption(error)) throw error;
    quarantineIndexFile(path, error instanceof UnusableFileError ? error.message : 'it is corrupt', deps);
    return openChecked(path, deps);
  }
}

/** With its parents, for this user alone: names of files have addresses of wallets. `mkdirSync` with `recursive` never returns where nothing can be created, as in /proc. */
export function createFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) createFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

export function openMemoryIndex(deps: IndexFileDeps): SqliteConnection {
  const connection = openConnection(':memory:', deps.schema.secondaryIndexes);
  migrate(connection, deps, false);
  return connection;
}

function openChecked(path: string, deps: IndexFileDeps): SqliteConnection {
  // The last process that closes a file deletes its -wal file.
  const fullCheck = existsSync(path) && (checkHeader(path) <= MAX_FULL_CHECK_BYTES || existsSync(`${path}-wal`));
  const connection = openConnection(path, deps.schema.secondaryIndexes);
  try {
    migrate(connection, deps, fullCheck);
    connection.useShortBusyTimeout();
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Returns the size of the file in bytes. */
function checkHeader(path: string): number {
  const stats = statSync(path);
  if (!stats.isFile()) throw new UnusableFileError('it is not a file');
  const bytes = Buffer.alloc(HEADER.length);
  const file = openSync(path, 'r');
  try {
    // A process that was killed while it created the file may leave an empty one: it is used as a new one.
    const length = readSync(file, bytes, 0, HEADER.length, 0);
    if (length > 0 && !bytes.equals(HEADER)) throw new UnusableFileError('it is corrupt');
    return stats.size;
  } finally {
    closeSync(file);
  }
}

/** Checks the file and migrates it to the newest version in one transaction: two windows may open it at once. */
function migrate(connection: SqliteConnection, { info, schema, log }: IndexFileDeps, fullCheck: boolean): void {
  const { migrations } = schema;
  const version = readVersion(connection);
  if (version > migrations.length) throw new UnusableFileError('a newer version of HexLens wrote it');
  if (fullCheck && connection.get<{ quick_check: string }>('PRAGMA quick_check(1)')?.quick_check !== 'ok')
    throw new UnusableFileError('it is corrupt');
  if (version < migrations.length)
    connection.writeTransaction(() => {
      const foundVersion = readVersion(connection);
      if (foundVersion === 0 && connection.get('SELECT 1 FROM sqlite_schema LIMIT 1') !== undefined)
        throw new UnusableFileError('it is not an index of HexLens');
      if (foundVersion > 0)
        log.info(`The index of ${info.chainId} has version ${foundVersion}: ${schema.migrationEffect}.`);
      for (const sql of migrations.slice(foundVersion)) connection.exec(sql);
      connection.exec(`PRAGMA user_version = ${migrations.length}`);
      if (foundVersion === 0)
        connection.run('INSERT INTO chain VALUES (1, ?, ?)', info.chainId, packHex(info.genesisHash, 32));
    });
  const chain = connection.get<{ chain_id: number; genesis: Uint8Array }>('SELECT chain_id, genesis FROM chain');
  if (chain?.chain_id !== info.chainId || unpackHex(chain.genesis) !== info.genesisHash.toLowerCase())
    throw new UnusableFileError('it is of another chain');
  if (info.scope === undefined) return;
  const scopeName = getScopeName(info.scope);
  if (connection.get('SELECT 1 FROM coverage') === undefined)
    connection.run('INSERT INTO coverage VALUES (1, ?, NULL) ON CONFLICT DO NOTHING', scopeName);
  if (connection.get<{ subject: string }>('SELECT subject FROM coverage')?.subject !== scopeName)
    throw new UnusableFileError('it is about another address');
}

function readVersion(connection: SqliteConnection): number {
  return connection.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
}

/** Distinguishes a file from another one that replaced it under the same name. */
export function getFileIdentity(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/** Moves the file to `….damaged-<time>`. Deletes an earlier one: one is enough for analysis, and disks fill. */
export function quarantineIndexFile(
  path: string,
  reason: string,
  { log, clock }: Pick<IndexFileDeps, 'log' | 'clock'>,
): void {
  const folder = dirname(path);
  const prefix = `${basename(path)}.damaged-`;
  for (const name of readdirSync(folder))
    if (name.startsWith(prefix)) rmSync(join(folder, name), { recursive: true, force: true });
  const quarantined = `${path}.damaged-${clock.now()}`;
  for (const suffix of FILE_SUFFIXES) if (existsSync(path + suffix)) renameSync(path + suffix, quarantined + suffix);
  log.warn(`The index ${path} was moved to ${basename(quarantined)} and will be rebuilt, because ${reason}.`);
}
