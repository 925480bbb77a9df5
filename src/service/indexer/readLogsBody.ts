// Reads the body of a response to `eth_getLogs` from its bytes: of each log, only the texts that the index keeps are made.
import type { Hex } from '../../base/hex.ts';
import type { BodyBytes } from '../../base/httpPort.ts';
import { isObject } from '../../base/isObject.ts';
import type { JsonBody } from '../evm/rpcMessage.ts';
import { MAX_LOG_INDEX } from '../store/rows.ts';
import type { ChainLog } from './chainLog.ts';

/** Logs that were validated as they were read. */
export class ReadLogs {
  readonly logs: readonly ChainLog[];

  constructor(logs: readonly ChainLog[]) {
    this.logs = logs;
  }
}

/** Of one response to `eth_getLogs`: some 6,000 logs, which are read in some milliseconds. */
export const MAX_LOGS_BYTES = 4 * 1024 * 1024;
/** Bytes before and after the list of logs. */
const MAX_ENVELOPE_BYTES = 200;
const RESULT_KEY = '"result":';

/**
 * A JSON-RPC response whose `result` is {@link ReadLogs}. `undefined` for all but the form that nodes write: without blanks,
 * escapes and nested values, hex in lower case, every field there, no log removed. Then `JSON.parse` tells what it is.
 */
export function readLogsBody(body: BodyBytes): JsonBody | undefined {
  if (body.length > MAX_LOGS_BYTES) return undefined; // `JSON.parse` of a longer one is done in slices
  const stream = new LogsStream();
  stream.add(body);
  return stream.end();
}

/** Reads the same from a body that arrives in pieces, however long it is: only the logs are in memory. Needs Node.js. */
export class LogsStream {
  readonly #logs: ChainLog[] = [];
  /** What comes before the list, once that has begun. */
  #head: string | null = null;
  /** Bytes that are not read yet: of a log that is not complete, or outside of the list. */
  #rest: Buffer = Buffer.alloc(0);
  #isListEnded = false;
  #hasOtherForm = false;

  add(chunk: Uint8Array): void {
    if (this.#hasOtherForm) return;
    try {
      const bytes = this.#rest.length === 0 ? toBuffer(chunk) : this.#joinRest(toBuffer(chunk));
      this.#rest = Buffer.from(bytes.subarray(this.#read(bytes))); // a copy: the chunk is free then
    } catch (error) {
      if (error !== OTHER_FORM) throw error;
      this.#hasOtherForm = true;
    }
  }

  /** As {@link readLogsBody}. */
  end(): { readonly value: { readonly result: ReadLogs } } | undefined {
    if (this.#hasOtherForm || this.#head === null || !this.#isListEnded) return undefined;
    try {
      const envelope = parseEnvelope(this.#head, this.#rest.toString('latin1'));
      return envelope === null ? undefined : { value: { ...envelope, result: new ReadLogs(this.#logs) } };
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  /** Reads the log of which a part was left; returns what follows. Only the bytes of that log are copied. */
  #joinRest(chunk: Buffer): Buffer {
    const end = chunk.indexOf(CLOSE_OBJECT) + 1 || chunk.length;
    const joined = Buffer.concat([this.#rest, chunk.subarray(0, end)]);
    const read = this.#read(joined);
    const left = chunk.subarray(end);
    return read === joined.length ? left : Buffer.concat([joined.subarray(read), left]);
  }

  /** Reads the logs that are complete; returns where the rest begins. Throws `OTHER_FORM`. */
  #read(bytes: Buffer): number {
    let start = 0;
    if (this.#head === null) {
      const opening = bytes.indexOf(OPEN_LIST);
      if ((opening < 0 ? bytes.length : opening) > MAX_ENVELOPE_BYTES) throw OTHER_FORM;
      if (opening < 0) return 0;
      this.#head = bytes.toString('latin1', 0, opening);
      start = opening + 1;
    }
    const end = bytes.lastIndexOf(CLOSE_OBJECT) + 1; // no log has objects in it
    if (this.#isListEnded || end <= start) return start;
    const reader = new LogReader(bytes, start);
    this.#isListEnded = reader.readLogs(this.#logs, end);
    return reader.end;
  }
}

const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The object around the list; `null` unless the list is the value of its key `result`, and of no other one. */
function parseEnvelope(head: string, tail: string): object | null {
  if (!head.endsWith(RESULT_KEY) || head.lastIndexOf('{') !== 0 || tail.length > MAX_ENVELOPE_BYTES) return null;
  const others = head.slice(0, -RESULT_KEY.length) + tail;
  if (others.includes('result') || !/^[\s!-[\]-~]*$/.test(others)) return null; // an escape could spell the key
  const envelope: unknown = JSON.parse(`${head}null${tail}`);
  return isObject(envelope) ? envelope : null;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** By the code of a character: the value of a hex digit in lower case; else 255. */
const DIGITS = new Uint8Array(256).fill(255);
for (let digit = 0; digit < 16; digit++) DIGITS[digit.toString(16).charCodeAt(0)] = digit;

/** By the code of a character: 1 where a text of JSON has it as it is. */
const IS_PLAIN = new Uint8Array(256).fill(1, 0x20, 0x7f);
IS_PLAIN[QUOTE] = 0;
IS_PLAIN[BACKSLASH] = 0;

const isHexPrefix = (bytes: Uint8Array, at: number): boolean => bytes[at] === 0x30 && bytes[at + 1] === 0x78;

function findEndOfDigits(bytes: Uint8Array, start: number): number {
  let end = start;
  while ((DIGITS[bytes[end] ?? 0] ?? 255) < 16) end++;
  return end;
}

const OTHER_FORM = new Error('The response has another form.');

const ADDRESS_LENGTH = 42;
const HASH_LENGTH = 66;
const MAX_TOPICS = 4;
/** More may not fit a safe integer. */
const MAX_QUANTITY_DIGITS = 13;

/** The fields of a log that are read. */
const FIELDS = [
  'address',
  'topics',
  'data',
  'blockHash',
  'blockNumber',
  'transactionHash',
  'transactionIndex',
  'logIndex',
  'removed',
] as const;
const toBytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const KEYS = FIELDS.map(field => toBytes(`"${field}":`));
/** A bit for each field but `removed`, which some nodes leave out. */
const REQUIRED_FIELDS = 0xff;
const FALSE = toBytes('false');

type MutableLog = { -readonly [Key in keyof ChainLog]: ChainLog[Key] };

const EMPTY_LOG: ChainLog = {
  blockNumber: 0,
  blockHash: '0x',
  transactionHash: '0x',
  transactionIndex: 0,
  place: 0,
  address: '0x',
  topics: [],
  data: '0x',
};

class LogReader {
  readonly #bytes: BodyBytes;
  readonly #view: DataView;
  #at: number;
  /** The field that comes next if its order is that of the log before. */
  #nextField = 0;
  /** Of the present log, which gets a copy: a list that grows has room for 17. */
  readonly #topics: Hex[] = [];
  readonly #fieldAfter = FIELDS.map((_, field) => (field + 1) % FIELDS.length);

  /** @param at In the list of logs. */
  constructor(bytes: BodyBytes, at: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = at;
  }

  /** After what was read. */
  get end(): number {
    return this.#at;
  }

  /** Adds the logs before `end`, where one ends; true when the list has ended. Throws `OTHER_FORM`. */
  readLogs(logs: ChainLog[], end: number): boolean {
    while (this.#at < end) {
      if (this.#skip(CLOSE_LIST)) return true;
      if (logs.length > 0) this.#expect(COMMA);
      logs.push(this.#readLog());
    }
    return false;
  }

  #readLog(): ChainLog {
    const log: MutableLog = { ...EMPTY_LOG };
    let found = 0;
    let before = -1;
    this.#expect(OPEN_OBJECT);
    do {
      const field = this.#readKey();
      if (field < 0) {
        this.#skipValue();
        continue;
      }
      if (before >= 0) this.#fieldAfter[before] = field;
      before = field;
      this.#nextField = this.#fieldAfter[field] ?? 0;
      found |= 1 << field;
      this.#readField(field, log);
    } while (this.#skip(COMMA));
    this.#expect(CLOSE_OBJECT);
    if ((found & REQUIRED_FIELDS) !== REQUIRED_FIELDS || log.place > MAX_LOG_INDEX) throw OTHER_FORM;
    return log;
  }

  #readField(field: number, log: MutableLog): void {
    switch (FIELDS[field]) {
      case 'address':
        log.address = this.#readHex(ADDRESS_LENGTH);
        return;
      case 'topics':
        log.topics = this.#readTopics();
        return;
      case 'data':
        log.data = this.#readData();
        return;
      case 'blockHash':
        log.blockHash = this.#readHex(HASH_LENGTH);
        return;
      case 'blockNumber':
        log.blockNumber = this.#readQuantity();
        return;
      case 'transactionHash':
        log.transactionHash = this.#readHex(HASH_LENGTH);
        return;
      case 'transactionIndex':
        log.transactionIndex = this.#readQuantity();
        return;
      case 'logIndex':
        log.place = this.#readQuantity();
        return;
      default:
        this.#skipText(FALSE); // a removed log
    }
  }

  /** Index of the key in `FIELDS`; -1: another one. */
  #readKey(): number {
    if (this.#startsWith(KEYS[this.#nextField])) return this.#skipKey(this.#nextField);
    for (let field = 0; field < KEYS.length; field++) if (this.#startsWith(KEYS[field])) return this.#skipKey(field);
    this.#skipString();
    this.#expect(COLON);
    return -1;
  }

  #skipKey(field: number): number {
    this.#at += KEYS[field]?.length ?? 0;
    return field;
  }

  #readTopics(): readonly Hex[] {
    let count = 0;
    this.#expect(OPEN_LIST);
    if (this.#skip(CLOSE_LIST)) return [];
    do this.#topics[count++] = this.#readHex(HASH_LENGTH);
    while (count < MAX_TOPICS && this.#skip(COMMA));
    this.#expect(CLOSE_LIST);
    return this.#topics.slice(0, count);
  }

  #readHex(length: number): Hex {
    const bytes = this.#bytes;
    const start = this.#at + 1;
    if (bytes[start - 1] !== QUOTE || bytes[start + length] !== QUOTE) throw OTHER_FORM;
    this.#at = start + length + 1;
    return texts.get(bytes, this.#view, start, length);
  }

  #readData(): Hex {
    const bytes = this.#bytes;
    const start = this.#at + 1;
    if (bytes[start - 1] !== QUOTE || !isHexPrefix(bytes, start)) throw OTHER_FORM;
    const end = findEndOfDigits(bytes, start + 2);
    this.#at = end;
    this.#expect(QUOTE);
    return end === start + 2 ? '0x' : (bytes.toString('latin1', start, end) as Hex);
  }

  #readQuantity(): number {
    const bytes = this.#bytes;
    const start = this.#at + 3;
    if (bytes[this.#at] !== QUOTE || !isHexPrefix(bytes, start - 2)) throw OTHER_FORM;
    const end = findEndOfDigits(bytes, start);
    let value = 0;
    for (let at = start; at < end; at++) value = value * 16 + (DIGITS[bytes[at] ?? 0] ?? 0);
    if (end === start || end > start + MAX_QUANTITY_DIGITS) throw OTHER_FORM;
    this.#at = end;
    this.#expect(QUOTE);
    return value;
  }

  /** Of a field that is not read: a text, or one of the words and numbers of JSON. */
  #skipValue(): void {
    const bytes = this.#bytes;
    const start = this.#at;
    if (bytes[start] === QUOTE) {
      this.#skipString();
      return;
    }
    while (IS_PLAIN[bytes[this.#at] ?? 0] === 1 && bytes[this.#at] !== COMMA && bytes[this.#at] !== CLOSE_OBJECT)
      this.#at++;
    if (!/^(?:true|false|null|0|[1-9]\d*)$/.test(bytes.toString('latin1', start, this.#at))) throw OTHER_FORM;
  }

  #skipString(): void {
    const bytes = this.#bytes;
    this.#expect(QUOTE);
    let end = this.#at;
    while (IS_PLAIN[bytes[end] ?? 0] === 1) end++;
    this.#at = end;
    this.#expect(QUOTE);
  }

  #skipText(text: Uint8Array): void {
    if (!this.#startsWith(text)) throw OTHER_FORM;
    this.#at += text.length;
  }

  #startsWith(text: Uint8Array = FALSE): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    for (let index = 0; index < text.length; index++) if (bytes[start + index] !== text[index]) return false;
    return true;
  }

  #expect(code: number): void {
    if (this.#bytes[this.#at++] !== code) throw OTHER_FORM;
  }

  #skip(code: number): boolean {
    if (this.#bytes[this.#at] !== code) return false;
    this.#at++;
    return true;
  }
}

/** Bytes that are read at once, and what is left of an address or a hash. */
const WORD_BYTES = 4;
const REST_BYTES = 2;

/** Addresses and hashes of recent logs, by a hash of their bytes: most repeat, and equal ones become one string. */
class RecentTexts {
  static readonly #SLOTS = 8_192;
  static readonly #SLOT_BYTES = 68;
  readonly #texts: Hex[] = new Array(RecentTexts.#SLOTS).fill('0x');
  readonly #bytes = new DataView(new ArrayBuffer(RecentTexts.#SLOTS * RecentTexts.#SLOT_BYTES));

  /** Throws `OTHER_FORM` unless it is hex in lower case. */
  get(body: BodyBytes, view: DataView, start: number, length: number): Hex {
    const rest = start + length - REST_BYTES;
    let hash = view.getUint16(rest);
    for (let at = start; at < rest; at += WORD_BYTES) hash = Math.imul(hash ^ view.getUint32(at), 0x9e3779b1);
    const slot = (hash ^ (hash >>> 15)) & (RecentTexts.#SLOTS - 1);
    const recent = this.#texts[slot] ?? '0x';
    const slotStart = slot * RecentTexts.#SLOT_BYTES;
    if (recent.length === length && this.#isEqual(slotStart, view, start, length)) return recent;
    if (!isHexPrefix(body, start) || findEndOfDigits(body, start + 2) !== start + length) throw OTHER_FORM;
    const text = body.toString('latin1', start, start + length) as Hex; // checked above
    this.#texts[slot] = text;
    for (let at = 0; at < length - REST_BYTES; at += WORD_BYTES)
      this.#bytes.setUint32(slotStart + at, view.getUint32(start + at));
    this.#bytes.setUint16(slotStart + length - REST_BYTES, view.getUint16(rest));
    return text;
  }

  #isEqual(slotStart: number, view: DataView, start: number, length: number): boolean {
    const bytes = this.#bytes;
    const rest = length - REST_BYTES;
    for (let at = 0; at < rest; at += WORD_BYTES)
      if (bytes.getUint32(slotStart + at) !== view.getUint32(start + at)) return false;
    return bytes.getUint16(slotStart + rest) === view.getUint16(start + rest);
  }
}

const texts = new RecentTexts();
