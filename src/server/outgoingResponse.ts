// HTTP responses as plain values, so that the application needs no socket.
import type { HeaderList, ResponseHeaders } from './httpHeaders.ts';

/** A response that may be sent many times: what is the same each time is made once. */
export class OutgoingResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: string | Buffer;
  /** The body is a string of ASCII characters only. */
  readonly isAscii: boolean;
  #headerList: HeaderList | null = null;

  constructor(status: number, headers: ResponseHeaders, body: string | Buffer, isAscii = false) {
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.isAscii = isAscii;
  }

  /** With the length of the body. */
  get headerList(): HeaderList {
    this.#headerList ??= [...Object.entries(this.headers).flat(), ...this.#getLengthHeader()];
    return this.#headerList;
  }

  #getLengthHeader(): HeaderList {
    const { status, body, isAscii } = this;
    if (status === 204 || status === 304) return [];
    return ['content-length', String(isAscii ? body.length : Buffer.byteLength(body))];
  }
}
