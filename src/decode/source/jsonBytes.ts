// Reads parts of a large JSON text without parsing the rest: build infos have up to some hundred megabytes.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const COMMA = 0x2c;

const isClosing = (byte: number | undefined): boolean => byte === 0x7d || byte === 0x5d;
const isOpening = (byte: number | undefined): boolean => byte === OPEN_BRACE || byte === OPEN_BRACKET;
const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** A value inside of a JSON text. Of one that is not valid, reading throws a SyntaxError or finds what comes before the error. */
export class JsonBytes {
  readonly #bytes: Uint8Array;
  readonly #start: number;
  readonly #end: number;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
  }

  #skipSpace(at: number): number {
    let i = at;
    while (i < this.#end && isSpace(this.#bytes[i])) i++;
    return i;
  }

  /** Behind the string that begins at `at`. */
  #skipString(at: number): number {
    for (
      let quote = this.#bytes.indexOf(QUOTE, at + 1);
      quote >= 0 && quote < this.#end;
      quote = this.#bytes.indexOf(QUOTE, quote + 1)
    ) {
      let backslashes = 0;
      while (this.#bytes[quote - 1 - backslashes] === BACKSLASH) backslashes++;
      if (backslashes % 2 === 0) return quote + 1;
    }
    return this.#end;
  }

  /** Behind the value that begins at `at`. */
  #skipValue(at: number): number {
    let depth = 0;
    for (let i = at; i < this.#end; ) {
      const byte = this.#bytes[i];
      if (byte === QUOTE) i = this.#skipString(i);
      else if (depth === 0 && (byte === COMMA || isClosing(byte))) return i;
      else {
        if (isOpening(byte)) depth++;
        else if (isClosing(byte)) depth--;
        i++;
      }
      if (depth === 0 && (byte === QUOTE || isClosing(byte))) return i;
    }
    return this.#end;
  }

  /** Names and values of an object, in their order. */
  *members(): Generator<readonly [name: string, value: JsonBytes]> {
    let at = this.#skipSpace(this.#start);
    if (this.#bytes[at] !== OPEN_BRACE) return;
    at = this.#skipSpace(at + 1);
    while (at < this.#end && this.#bytes[at] === QUOTE) {
      const nameEnd = this.#skipString(at);
      const name = new JsonBytes(this.#bytes, at, nameEnd).parse();
      const valueStart = this.#skipSpace(this.#skipSpace(nameEnd) + 1);
      const valueEnd = this.#skipValue(valueStart);
      yield [String(name), new JsonBytes(this.#bytes, valueStart, valueEnd)];
      at = this.#skipSpace(valueEnd);
      if (this.#bytes[at] !== COMMA) return;
      at = this.#skipSpace(at + 1);
    }
  }

  /** The value at a path of names; `null` where there is none. */
  get(...path: readonly string[]): JsonBytes | null {
    const [name, ...rest] = path;
    if (name === undefined) return this;
    for (const [key, value] of this.members()) if (key === name) return value.get(...rest);
    return null;
  }

  /** @throws SyntaxError where the value is no valid JSON. */
  parse(): unknown {
    return JSON.parse(new TextDecoder().decode(this.#bytes.subarray(this.#start, this.#end)));
  }
}
