// What SQLite and the file system complain about, as faults that say what to do; and which complaints mean a damaged file.
import { HexLensError, toFault } from '../../../base/errors.ts';

/** Primary result codes: sqlite.org/rescode.html. */
const CODES = {
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  NOTADB: 26,
} as const;

/** The primary result code of an error of `node:sqlite`; `null` of any other. */
function resultCode(error: unknown): number | null {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  // The upper bytes say more than we ask for: SQLITE_IOERR_WRITE is 10 and 3 * 256.
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode & 0xff : null;
}

/** The file holds no index any more, or not a whole one: what helps is to begin anew. */
export function isCorruption(error: unknown): boolean {
  const code = resultCode(error);
  return code === CODES.CORRUPT || code === CODES.NOTADB;
}

/** Another process, or another thread of this one, writes just now. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === CODES.BUSY || code === CODES.LOCKED;
}

type Complaint = 'full' | 'readonly' | 'unopened' | 'busy' | 'input-output' | 'damaged';

const BY_RESULT: Readonly<Record<number, Complaint>> = {
  [CODES.BUSY]: 'busy',
  [CODES.LOCKED]: 'busy',
  [CODES.READONLY]: 'readonly',
  [CODES.IOERR]: 'input-output',
  [CODES.CORRUPT]: 'damaged',
  [CODES.FULL]: 'full',
  [CODES.CANTOPEN]: 'unopened',
  [CODES.NOTADB]: 'damaged',
};

const BY_ERRNO: Readonly<Record<string, Complaint>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'readonly',
  EACCES: 'readonly',
  EPERM: 'readonly',
  ENOTDIR: 'unopened',
  EEXIST: 'unopened',
  ENOENT: 'unopened',
  EISDIR: 'unopened',
  EIO: 'input-output',
  EFBIG: 'input-output',
};

const WORDS: Readonly<Record<Complaint, { readonly message: string; readonly fix: (folder: string) => string }>> = {
  full: {
    message: 'The index of the chain could not be written: the disk is full.',
    fix: folder => `Free some space on the disk of ${folder}, or delete that folder: it is only a cache.`,
  },
  readonly: {
    message: 'The index of the chain could not be written: its folder is read-only.',
    fix: folder => `Make ${folder} and the files in it writable for you.`,
  },
  unopened: {
    message: 'The index of the chain could not be opened.',
    fix: folder => `Check that ${folder} is a folder and that you may write in it.`,
  },
  busy: {
    message: 'The index of the chain is being written by another window.',
    fix: () => 'Try again in a moment.',
  },
  'input-output': {
    message: 'The index of the chain could not be read or written.',
    fix: folder => `Check that the disk of ${folder} works and has space left.`,
  },
  damaged: {
    message: 'The index of the chain was damaged.',
    fix: () => 'Try again: it is being built anew.',
  },
};

/** Any error of a store as a HexLensError. `folder` is where its file is; `null` in memory. */
export function toSqliteFault(error: unknown, folder: string | null): HexLensError {
  const { code } = (error ?? {}) as { code?: unknown };
  const complaint = BY_RESULT[resultCode(error) ?? -1] ?? BY_ERRNO[typeof code === 'string' ? code : ''];
  if (complaint === undefined || error instanceof HexLensError) return toFault(error);
  const { message, fix } = WORDS[complaint];
  return new HexLensError('internal', message, {
    details: error instanceof Error ? error.message : String(error),
    fix: fix(folder ?? 'memory'),
    cause: error,
  });
}
