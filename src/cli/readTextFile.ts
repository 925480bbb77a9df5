// A small text file that the user names. Devices, and pipes that do not end, are refused instead of read forever.
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';

const CHUNK_BYTES = 64 * 1024;
/** A pipe as of `--key-file <(pass show key)` may take a moment. */
const MAX_PIPE_MS = 1_000;
const PIPE_PAUSE_MS = 5;

/** The message continues a sentence: "The file x …". */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
}

function assertReadable(stats: Stats): void {
  if (stats.isDirectory()) throw new UnreadableFileError('can not be read (EISDIR)');
  if (!stats.isFile() && !stats.isFIFO()) throw new UnreadableFileError('is a device, not a file');
}

/** The next bytes of the file; `null` while a pipe has none. */
function readChunk(file: number, chunk: Buffer): number | null {
  try {
    return readSync(file, chunk, 0, chunk.length, null);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null;
    throw error;
  }
}

function readAll(file: number, maxBytes: number): string {
  assertReadable(fstatSync(file));
  const deadline = performance.now() + MAX_PIPE_MS;
  const chunks: Buffer[] = [];
  for (let size = 0; ; ) {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    const length = readChunk(file, chunk);
    if (length === 0) return Buffer.concat(chunks).toString('utf8');
    if (length === null) {
      if (performance.now() > deadline) throw new UnreadableFileError('is a pipe that does not end');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PIPE_PAUSE_MS);
      continue;
    }
    size += length;
    if (size > maxBytes) throw new UnreadableFileError(`is larger than ${maxBytes / 1024} KiB`);
    chunks.push(chunk.subarray(0, length));
  }
}

/** Throws `UnreadableFileError` when there is no such file, or none of at most `maxBytes`. */
export function readTextFile(path: string, maxBytes: number): string {
  try {
    // Without a writer, a pipe would let `open` wait for one.
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      return readAll(file, maxBytes);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new UnreadableFileError(`can not be read (${code})`);
  }
}
