// Whole lines of standard input: of one that is too long only its ends are preserved, to find the request that it is.
import { Transform, type TransformCallback } from 'node:stream';

/** Arguments have a million characters at most, which may all be escaped; the SDK closes the connection at 10 MiB. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;
/** Bytes at the start and at the end in which an id is looked for. */
const MAX_ID_DISTANCE = 300;

const FIRST_ID = /^\s*\{(?:\s*"\w+"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*(\d{1,15}|"[^"\\]*")\s*[,}]/;
const LAST_ID = /"id"\s*:\s*(\d{1,15}|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

function findId(start: string, end: string): number | string | null {
  const [, id] = FIRST_ID.exec(start) ?? LAST_ID.exec(end) ?? [];
  return id === undefined ? null : JSON.parse(id);
}

export class LineLimit extends Transform {
  readonly #onLongLine: (id: number | string | null) => void;
  /** The present line; of a long one the first chunk only. */
  #chunks: Buffer[] = [];
  #length = 0;
  /** Of a line that is too long. */
  #end = Buffer.alloc(0);

  /** @param onLongLine Gets the id of a request that is too long, `null` where it was not found. */
  constructor(onLongLine: (id: number | string | null) => void) {
    super();
    this.#onLongLine = onLongLine;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      this.#add(chunk.subarray(from, end + 1));
      this.#endLine();
      from = end + 1;
    }
    if (from < chunk.length) this.#add(chunk.subarray(from));
    callback();
  }

  #add(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#length <= MAX_LINE_BYTES) return void this.#chunks.push(bytes);
    this.#end = Buffer.concat([this.#end, bytes.subarray(-MAX_ID_DISTANCE)]).subarray(-MAX_ID_DISTANCE);
    this.#chunks.length = 1;
  }

  #endLine(): void {
    const chunks = this.#chunks;
    const isLong = this.#length > MAX_LINE_BYTES;
    const end = this.#end.toString();
    this.#chunks = [];
    this.#length = 0;
    this.#end = Buffer.alloc(0);
    if (isLong) this.#onLongLine(findId(chunks[0]?.toString('utf8', 0, MAX_ID_DISTANCE) ?? '', end));
    else this.push(Buffer.concat(chunks));
  }
}
