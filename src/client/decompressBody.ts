// Removes the encodings of a body, piece by piece and within limits.
import { pipeline, Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { HexLensError } from '../base/errors.ts';
import {
  createBudgetFault,
  createRatioFault,
  createResponseTooLargeFault,
  createUnreadableBodyFault,
} from './networkFault.ts';
import type { ResponseBody } from './responseBody.ts';
import type { ResponseShare } from './responseBudget.ts';

/** Logs and blocks of nodes are compressed 5 to 50 times. */
const MAX_COMPRESSION_RATIO = 100;
/** Small responses may be compressed more: an empty block has a bloom filter of zeros. */
const MIN_RATIO_BYTES = 8 * 1024 * 1024;

const OPTIONS = { chunkSize: 64 * 1024 };
const DECOMPRESSORS: Readonly<Record<string, (compressed: Buffer) => Transform>> = {
  gzip: () => zlib.createGunzip(OPTIONS),
  'x-gzip': () => zlib.createGunzip(OPTIONS),
  br: () => zlib.createBrotliDecompress(OPTIONS),
  // RFC 9110 means zlib's format; some servers send a raw stream, whose first byte is different.
  deflate: compressed =>
    ((compressed[0] ?? 0) & 15) === 8 ? zlib.createInflate(OPTIONS) : zlib.createInflateRaw(OPTIONS),
};

export const ACCEPT_ENCODING = 'gzip, deflate, br';

export function parseEncodings(header: string | undefined): readonly string[] {
  const encodings = (header ?? '').split(',').map(encoding => encoding.trim().toLowerCase());
  return encodings.filter(encoding => encoding !== '' && encoding !== 'identity');
}

/** Nothing for a body without bytes, which may still have an encoding. */
async function* removeEncoding(
  compressed: AsyncGenerator<Buffer>,
  create: (first: Buffer) => Transform,
): AsyncGenerator<Buffer> {
  const { value: first, done } = await compressed.next();
  if (done) return;
  const decompressor = create(first);
  decompressor.write(first);
  yield* pipeline(Readable.from(compressed), decompressor, () => {}); // errors come from the iteration too
}

async function* toChunks(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) if (chunk.length > 0) yield chunk;
}

/** Adds at most `maxBytes` to the body, and as much as the share gets, so that small responses cannot fill the memory. */
export async function decompressBody(
  url: URL,
  compressed: readonly Buffer[],
  encodings: readonly string[],
  body: ResponseBody,
  maxBytes: number,
  share: ResponseShare,
): Promise<void> {
  if (encodings.length > 2) throw createUnreadableBodyFault(url, `${encodings.length} encodings`);
  let decompressed = toChunks(compressed);
  for (const encoding of encodings.toReversed()) {
    const create = Object.hasOwn(DECOMPRESSORS, encoding) ? DECOMPRESSORS[encoding] : undefined;
    if (create === undefined) throw createUnreadableBodyFault(url, 'an unknown encoding');
    decompressed = removeEncoding(decompressed, create);
  }
  const compressedBytes = compressed.reduce((sum, { length }) => sum + length, 0);
  const maxByRatio = Math.max(MIN_RATIO_BYTES, compressedBytes * MAX_COMPRESSION_RATIO);
  let size = 0;
  let fault: HexLensError | null = null;
  try {
    for await (const chunk of decompressed) {
      size += chunk.length;
      if (size > maxBytes) fault = createResponseTooLargeFault(url, maxBytes);
      else if (size > maxByRatio) fault = createRatioFault(url, MAX_COMPRESSION_RATIO);
      else if (!share.take(chunk.length)) fault = createBudgetFault(url, share.maxBytes);
      if (fault !== null) break; // which destroys the streams
      const isNeeded = await body.add(chunk)?.catch(error => {
        fault = error as HexLensError; // it rejects with nothing else
        return false;
      });
      if (isNeeded === false) break;
    }
  } catch {
    throw createUnreadableBodyFault(url, encodings.join(', '));
  }
  if (fault !== null) throw fault;
}
