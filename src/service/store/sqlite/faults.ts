// Errors of SQLite and the file system as faults with a fix, and which of them mean corruption or a busy file.
import { HexLensError, toFault } from '../../../base/errors.ts';

/** Primary result codes: sqlite.org/rescode.html. */
const RESULT_CODES = {
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
function getResultCode(error: unknown): number | null {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  // The upper bytes are the extended part: SQLITE_IOERR_WRITE is 10 + 3 * 256.
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode & 0xff : null;
}

/** The file is no database, or not all of one: only a new file helps. */
export function isCorruption(error: unknown): boolean {
  const code = getResultCode(error);
  return code === RESULT_CODES.CORRUPT || code === RESULT_CODES.NOTADB;
}

/** Another process, or another thread of this one, is writing. */
export function isBusy(error: unknown): boolean {
  const code = getResultCode(error);
  return code === RESULT_CODES.BUSY || code === RESULT_CODES.LOCKED;
}

type Problem = 'full' | 'readonly' | 'unopened' | 'busy' | 'input-output' | 'corrupt';

const PROBLEM_BY_RESULT_CODE: Readonly<Record<number, Problem>> = {
  [RESULT_CODES.BUSY]: 'busy',
  [RESULT_CODES.LOCKED]: 'busy',
  [RESULT_CODES.READONLY]: 'readonly',
  [RESULT_CODES.IOERR]: 'input-output',
  [RESULT_CODES.CORRUPT]: 'corrupt',
  [RESULT_CODES.FULL]: 'full',
  [RESULT_CODES.CANTOPEN]: 'unopened',
  [RESULT_CODES.NOTADB]: 'corrupt',
};

const PROBLEM_BY_ERRNO: Readonly<Record<string, Problem>> = {
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

const TEXTS: Readonly<Record<Problem, { readonly message: string; readonly fix: (folder: string) => string }>> = {
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
  corrupt: {
    message: 'The index of the chain is corrupt.',
    fix: () => 'Try again: it will be rebuilt.',
  },
};

/** Any error of a store as a HexLensError. `folder` is the one of its file; `null` in memory. */
export function toSqliteFault(error: unknown, folder: string | null): HexLensError {
  const { code } = (error ?? {}) as { code?: unknown };
  const problem =
    PROBLEM_BY_RESULT_CODE[getResultCode(error) ?? -1] ?? PROBLEM_BY_ERRNO[typeof code === 'string' ? code : ''];
  if (problem === undefined || error instanceof HexLensError) return toFault(error);
  const { message, fix } = TEXTS[problem];
  return new HexLensError('internal', message, {
    details: error instanceof Error ? error.message : String(error),
    fix: fix(folder ?? 'memory'),
    cause: error,
  });
}
