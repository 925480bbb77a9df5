// The body of one response while it arrives: held while it is short, else read in pieces or made one text.
import { StringDecoder } from 'node:string_decoder';
import type { BodyReader, HttpRequest, HttpResponse } from '../base/httpPort.ts';
import { MAX_WHOLE_LENGTH } from '../base/parseHostJson.ts';
import { responsePacer } from '../base/sharedPacer.ts';

/** Longer bodies are not given to `parseBytes`. */
const MAX_PARSED_BYTES = 4 * 1024 * 1024;
/** Most responses are complete before they have to wait for others. */
const MIN_PACED_BYTES = 64 * 1024;
const NO_BYTES = Buffer.alloc(0);

export interface BodyOptions {
  readonly parser: HttpRequest['parser'] | undefined;
  readonly parseBytes: HttpRequest['parseBytes'];
  readonly binary: boolean;
  readonly onChunk: HttpRequest['onChunk'] | undefined;
}

export class ResponseBody {
  readonly #options: BodyOptions;
  /** Chunks that the reader does not have. */
  readonly #held: Buffer[] = [];
  #size = 0;
  #reader: BodyReader | null = null;
  /** While the reader gets what is held. */
  #reading: Promise<boolean> | undefined;

  constructor(options: BodyOptions) {
    this.#options = options;
  }

  /**
   * `undefined` when the next chunk may be added at once; else resolves when it may be, to `false` where the rest is not needed.
   * May reject with a HexLensError.
   */
  add(chunk: Buffer): Promise<boolean> | undefined {
    const { parser, parseBytes, binary, onChunk } = this.#options;
    this.#size += chunk.length;
    if (onChunk === undefined) this.#held.push(chunk);
    else onChunk(chunk);
    const maxHeld = parseBytes === undefined ? MAX_WHOLE_LENGTH : MAX_PARSED_BYTES;
    if (parser !== undefined && !binary && onChunk === undefined && this.#size > maxHeld) return this.#read(parser);
    return this.#size > MIN_PACED_BYTES ? responsePacer.pause()?.then(() => true) : undefined;
  }

  async end(): Promise<Pick<HttpResponse, 'body' | 'parsed'>> {
    const { parser, parseBytes, binary } = this.#options;
    if (this.#reader === null && parseBytes !== undefined) {
      const bytes = this.#join();
      const parsed = parseBytes(bytes);
      if (parsed !== undefined) return { body: '', parsed };
    }
    if (parser !== undefined && !binary && (this.#reader !== null || this.#size > MAX_WHOLE_LENGTH)) {
      await this.#read(parser);
      return { body: '', parsed: await this.#reader?.end() };
    }
    if (binary) return { body: this.#join().toString('base64') };
    const body = this.#size > MAX_WHOLE_LENGTH ? await this.#decode() : this.#join().toString();
    return { body, parsed: await parser?.parse(body) };
  }

  #read({ createReader }: NonNullable<BodyOptions['parser']>): Promise<boolean> {
    this.#reader ??= createReader();
    this.#reading ??= this.#readHeld(this.#reader);
    return this.#reading;
  }

  async #readHeld(reader: BodyReader): Promise<boolean> {
    let needsMore = true;
    await null; // `#reading` is this promise before it is none again
    try {
      for (let chunk = this.#held.shift(); chunk !== undefined && needsMore; chunk = this.#held.shift())
        needsMore = await reader.add(chunk);
    } finally {
      this.#reading = undefined;
    }
    return needsMore;
  }

  /** One buffer, which nothing else refers to. */
  #join(): Buffer {
    const chunks = this.#held.splice(0);
    const joined = chunks.length === 1 ? (chunks[0] ?? NO_BYTES) : Buffer.concat(chunks);
    this.#held.push(joined);
    return joined;
  }

  /** Chunks are free as they become text. */
  async #decode(): Promise<string> {
    const decoder = new StringDecoder('utf8');
    const parts: string[] = [];
    for (let chunk = this.#held.shift(); chunk !== undefined; chunk = this.#held.shift()) {
      await responsePacer.pause();
      parts.push(decoder.write(chunk));
    }
    return parts.join('') + decoder.end();
  }
}
