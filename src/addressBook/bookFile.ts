// `.hexlens/addresses.json` read: what can be read is, what cannot is named with its place in the text.

import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { getChecksumState } from '../base/checksumAddress.ts';
import type { Hex } from '../base/hex.ts';
import { t } from '../base/localize.ts';
import { type AddressBookState, emptyAddressBook } from './addressBookState.ts';
import { type Entry, haveCommonChain, isAptosEntryAddress } from './entry.ts';
import { normalizeFolder } from './folders.ts';
import { findProperty } from './jsonEdits.ts';
import { type ValidatedEntry, validateEntry } from './validateEntry.ts';

// EIP-55 checksums of a book's addresses: hashed once each, and not while somebody waits for the names.
export interface ChecksumCache {
  /** What is asked for from now on is one more reading: what it does not ask for is forgotten with the next one. */
  startRead(): void;
  /** Whether the address of an EVM entry, as it is written, is known to be wrong. */
  isWrong(written: string): boolean;
  /** Hashes up to so many of those that were asked for and not known. */
  hashPending(most: number): { readonly left: number; readonly wrong: number };
}

/** Prefix and digits apart: `0X` is no address by the checksum's rules. */
const hasWrongChecksum = (digits: string) => getChecksumState(`0x${digits}` as Hex) === 'invalid';

/** `eager`: everything is hashed when it is asked for. */
export function createChecksumCache(eager = false): ChecksumCache {
  let before = new Map<string, boolean>();
  let now = new Map<string, boolean>();
  const waiting = new Set<string>();
  return {
    startRead() {
      before = now;
      now = new Map();
    },
    isWrong(written) {
      const digits = written.trim().slice(2);
      if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return false;
      const known = now.get(digits) ?? before.get(digits) ?? (eager ? hasWrongChecksum(digits) : undefined);
      if (known === undefined) waiting.add(digits);
      else now.set(digits, known);
      return known ?? false;
    },
    hashPending(most) {
      let [done, wrong] = [0, 0];
      for (const digits of waiting) {
        if (done++ === most) break;
        waiting.delete(digits);
        now.set(digits, hasWrongChecksum(digits));
        if (now.get(digits)) wrong++;
      }
      return { left: waiting.size, wrong };
    },
  };
}

// The way most book files are read: plain JSON without a fault needs no place of anything, and a third of the time.
/** Judgements by the JSON of their entry: most of a file is as it was when it is read again. */
export type PlainEntryCache = Map<string, ValidatedEntry>;

/** `null` when anything is to be said of the file: comments, faults, entries twice, another version. */
export function parsePlainBookFile(
  text: string,
  newest: number,
  {
    before,
    now,
    checksums,
  }: { readonly before: PlainEntryCache; readonly now: PlainEntryCache; readonly checksums: ChecksumCache },
): AddressBookState | null {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return null;
  }
  if (root === null || typeof root !== 'object' || Array.isArray(root)) return null;
  const { version = newest, addresses = [], folders = [] } = root as Readonly<Record<string, unknown>>;
  if (version !== newest || !Array.isArray(addresses) || !Array.isArray(folders)) return null;
  if (!folders.every(folder => typeof folder === 'string')) return null;
  const entries: Entry[] = [];
  const known = new Map<string, Entry[]>();
  for (const value of addresses as readonly unknown[]) {
    const key = JSON.stringify(value);
    const judged = before.get(key) ?? validateEntry(value);
    now.set(key, judged);
    const { entry, issues } = judged;
    if (entry === null || issues.length > 0) return null;
    const { address } = value as { readonly address: string };
    if (!isAptosEntryAddress(entry.address) && checksums.isWrong(address)) return null;
    const others = known.get(entry.address);
    if (others?.some(other => haveCommonChain(other.chains, entry.chains))) return null;
    if (others === undefined) known.set(entry.address, [entry]);
    else others.push(entry);
    entries.push(entry);
  }
  return { entries, folders: [...new Set(folders.map(normalizeFolder))].filter(folder => folder !== '') };
}

export const BOOK_FILE_PATH = '.hexlens/addresses.json';
export const BOOK_FILE_VERSION = 1;

/** Characters; more than twenty thousand entries. Reading more would keep the editor waiting. */
export const MAX_BOOK_FILE_LENGTH = 8_000_000;

const MAX_SYNTAX_ISSUES = 20;
const MAX_ISSUES = 200;
/** An entry is an object of texts and lists of texts. */
const MAX_ENTRY_DEPTH = 3;

export interface BookFileIssue {
  /** UTF-16 offset and length in the text. */
  readonly offset: number;
  readonly length: number;
  readonly message: string;
  readonly severity: 'error' | 'warning';
  /** The JSON schema says it too, wherever the file is open in an editor. */
  readonly isInSchema: boolean;
}

export interface BookFile {
  readonly state: AddressBookState;
  /** Position in the file's list, of each entry of the shelf: what is no entry is passed over. */
  readonly positions: readonly number[];
  readonly issues: readonly BookFileIssue[];
  /** Why nothing may be written to it; `null` when it may. */
  readonly readOnlyReason: string | null;
}

/** Places where git left both sides of a merge, from the first mark to the last. */
function conflicts(text: string): readonly { readonly offset: number; readonly length: number }[] {
  const found = [];
  const marks = /^<{7} [^\r\n]*$/gm;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const end = /^>{7} [^\r\n]*$/m.exec(text.slice(mark.index));
    const length = end === null ? mark[0].length : end.index + end[0].length;
    found.push({ offset: mark.index, length });
    marks.lastIndex = mark.index + length;
  }
  return found;
}

const words: Readonly<Record<string, () => string>> = {
  InvalidSymbol: () => t('This does not belong here.'),
  InvalidNumberFormat: () => t('This is no number.'),
  PropertyNameExpected: () => t('A property name in double quotes is missing here.'),
  ValueExpected: () => t('A value is missing here.'),
  ColonExpected: () => t('A colon is missing here.'),
  CommaExpected: () => t('A comma is missing here.'),
  CloseBraceExpected: () => t('A closing } is missing here.'),
  CloseBracketExpected: () => t('A closing ] is missing here.'),
  EndOfFileExpected: () => t('The file should end here.'),
  UnexpectedEndOfComment: () => t('This comment does not end.'),
  UnexpectedEndOfString: () => t('This text does not end.'),
  InvalidUnicode: () => t('This escape sequence is wrong.'),
  InvalidEscapeCharacter: () => t('This escape sequence is wrong.'),
  InvalidCharacter: () => t('This character must be escaped.'),
};

function syntaxIssues(errors: readonly ParseError[], marked: ReturnType<typeof conflicts>): readonly BookFileIssue[] {
  if (marked.length > 0)
    return marked.slice(0, MAX_SYNTAX_ISSUES).map(place => ({
      ...place,
      message: t('Both sides of a merge stand here: keep one of them. Until then HexLens does not write to this file.'),
      severity: 'error',
      schema: false,
    }));
  return errors.slice(0, MAX_SYNTAX_ISSUES).map(({ error, offset, length }) => ({
    offset,
    length,
    message: (words[printParseErrorCode(error)] ?? (() => t('This is no JSON.')))(),
    severity: 'error',
    schema: true,
  }));
}

/** The value of a node, for judging. Objects have no prototype: a file may well say `__proto__`. */
function plainValue(node: Node | undefined, depth = 0): unknown {
  if (node === undefined || depth > MAX_ENTRY_DEPTH) return undefined;
  if (node.type === 'array') return (node.children ?? []).map(child => plainValue(child, depth + 1));
  if (node.type !== 'object') return node.value;
  const object = Object.create(null) as Record<string, unknown>;
  for (const { children } of node.children ?? [])
    object[String(children?.[0]?.value)] = plainValue(children?.[1], depth + 1);
  return object;
}

const failed = (message: string, length = 0, schema = false): BookFile => ({
  state: emptyAddressBook,
  positions: [],
  issues: [{ offset: 0, length, message, severity: 'error', isInSchema: schema }],
  readOnlyReason: message,
});

/** What was judged of each entry, by its text: most of a file is as it was when it is read again. */
type EntryCache = Map<string, ValidatedEntry>;

interface Reading {
  readonly text: string;
  readonly merges: ReturnType<typeof conflicts>;
  readonly issues: BookFileIssue[];
  readonly before: EntryCache;
  readonly now: EntryCache;
  readonly checksums: ChecksumCache;
}

function say({ issues }: Reading, node: Node, message: string, severity: 'error' | 'warning', schema: boolean): void {
  if (issues.length < MAX_ISSUES)
    issues.push({ offset: node.offset, length: node.length, message, severity, isInSchema: schema });
}

/** What is said of a file that was not read at all. */
export function createUnreadableBookFile(message: string): BookFile {
  return failed(message);
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** The same address twice on one chain: one of the names would never be seen. */
function sayTwice(reading: Reading, entry: Entry, element: Node, first: { entry: Entry; element: Node }): void {
  const node = findProperty(element, 'address')?.children?.[1] ?? element;
  const line = lineOf(reading.text, first.element.offset);
  const message =
    first.entry.name === entry.name
      ? t('This address is listed twice: line {0} has it too. Take one of them out.', line)
      : t(
          'This address has two names: line {0} calls it {1}, which counts. Take one of them out, or give each its chains.',
          line,
          `"${first.entry.name}"`,
        );
  say(reading, node, message, 'warning', false);
}

/** The checksum is nothing that a schema could know. */
function sayChecksum(reading: Reading, { address }: Entry, element: Node): void {
  const node = findProperty(element, 'address')?.children?.[1];
  if (node === undefined || isAptosEntryAddress(address) || !reading.checksums.isWrong(String(node.value))) return;
  const message = t(
    'The EIP-55 checksum of address is wrong: a digit or its case was changed. Compare it with where it comes from.',
  );
  say(reading, node, message, 'warning', false);
}

function readEntries(
  reading: Reading,
  list: Node,
): Pick<BookFile, 'positions'> & { readonly entries: readonly Entry[] } {
  const entries: Entry[] = [];
  const positions: number[] = [];
  const known = new Map<string, { entry: Entry; element: Node }[]>();
  for (const [position, element] of (list.children ?? []).entries()) {
    const isIn = ({ offset, length }: { offset: number; length: number }) =>
      element.offset >= offset && element.offset < offset + length;
    // Digits of a commit in the marks of a merge.
    if (element.type !== 'object' && reading.merges.some(isIn)) continue;
    const source = reading.text.slice(element.offset, element.offset + element.length);
    const judged = reading.before.get(source) ?? validateEntry(plainValue(element));
    reading.now.set(source, judged);
    const { entry, issues } = judged;
    for (const { field, message, isFatal: fatal } of issues) {
      const node = element.type === 'object' ? findProperty(element, field)?.children?.[1] : undefined;
      say(reading, node ?? element, message, fatal ? 'error' : 'warning', field !== 'chains');
    }
    if (entry === null) continue;
    sayChecksum(reading, entry, element);
    const others = known.get(entry.address) ?? [];
    const first = others.find(other => haveCommonChain(other.entry.chains, entry.chains));
    if (first !== undefined) sayTwice(reading, entry, element, first);
    // One of each is enough to find the next: a hostile file may list one address thousands of times.
    else known.set(entry.address, others);
    if (first === undefined) others.push({ entry, element });
    entries.push(entry);
    positions.push(position);
  }
  return { entries, positions };
}

function readFolders(reading: Reading, list: Node | undefined): readonly string[] {
  if (list === undefined) return [];
  if (list.type !== 'array') {
    say(reading, list, t('folders must be a list of texts; it is passed over.'), 'warning', true);
    return [];
  }
  const texts = (list.children ?? [])
    .filter(({ type }) => type === 'string')
    .map(({ value }) => normalizeFolder(String(value)));
  return [...new Set(texts)].filter(folder => folder !== '');
}

/** Why a file of this version is not written to; `null` when it may be. */
function unknownVersion(version: Node | undefined): string | null {
  if (version === undefined || version.value === BOOK_FILE_VERSION) return null;
  return typeof version.value === 'number' && version.value > BOOK_FILE_VERSION
    ? t('The file was written by a newer version of HexLens: update HexLens to change it.')
    : t('This version of the file is not known: write {0} in its place.', BOOK_FILE_VERSION);
}

export type ParseBookFile = (text: string) => BookFile;

export interface BookFileParser {
  readonly parse: ParseBookFile;
  /**
   * Checks so many checksums of the last text that `read` was given: reading does not wait for thousands of hashes.
   * `again`: one of them is wrong, which `read` will say of the same text.
   */
  verifyChecksums(most: number): { readonly left: number; readonly again: boolean };
}

/** Reads one file again and again; what has not changed since the last time is not judged anew. */
export function createBookFileParser(checksums: ChecksumCache = createChecksumCache()): BookFileParser {
  let judged: EntryCache = new Map();
  let plain: PlainEntryCache = new Map();
  return {
    parse(text) {
      const [now, plainNow]: [EntryCache, PlainEntryCache] = [new Map(), new Map()];
      checksums.startRead();
      const file =
        parseWithoutIssues(text, { before: plain, now: plainNow, checksums }) ??
        parseWithPositions(text, { before: judged, now, checksums });
      judged = now;
      plain = plainNow;
      return file;
    },
    verifyChecksums(most) {
      const { left, wrong } = checksums.hashPending(most);
      return { left, again: wrong > 0 };
    },
  };
}

function parseWithoutIssues(text: string, known: Parameters<typeof parsePlainBookFile>[2]): BookFile | null {
  if (text.length > MAX_BOOK_FILE_LENGTH) return null;
  const shelf = parsePlainBookFile(text, BOOK_FILE_VERSION, known);
  return shelf === null
    ? null
    : { state: shelf, positions: shelf.entries.map((_, index) => index), issues: [], readOnlyReason: null };
}

/** Never throws, whatever the text is. An empty text, or one of comments only, is an empty book. */
export function parseBookFile(text: string): BookFile {
  return createBookFileParser(createChecksumCache(true)).parse(text);
}

function parseWithPositions(text: string, known: Pick<Reading, 'before' | 'now' | 'checksums'>): BookFile {
  if (text.length > MAX_BOOK_FILE_LENGTH)
    return failed(t('The file is too large: {0} million characters are read.', MAX_BOOK_FILE_LENGTH / 1_000_000));
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true });
  } catch (error) {
    if (error instanceof RangeError) return failed(t('The file is nested too deep to be read.'));
    throw error;
  }
  if (root === undefined && errors.length === 0)
    return { state: emptyAddressBook, positions: [], issues: [], readOnlyReason: null };
  const merges = conflicts(text);
  const reading: Reading = { text, merges, issues: [...syntaxIssues(errors, merges)], ...known };
  const broken = errors.length > 0 ? t('The file is damaged: mend what the Problems view names first.') : null;
  if (root?.type !== 'object') {
    if (broken !== null)
      return { state: emptyAddressBook, positions: [], issues: reading.issues, readOnlyReason: broken };
    return failed(t('The file must hold an object with a list named addresses.'), text.length, true);
  }
  const version = findProperty(root, 'version')?.children?.[1];
  const unknown = unknownVersion(version);
  if (unknown !== null && version !== undefined) say(reading, version, unknown, 'warning', false);
  const list = findProperty(root, 'addresses')?.children?.[1];
  const wrong = list !== undefined && list.type !== 'array' ? t('addresses must be a list of entries.') : null;
  if (wrong !== null && list !== undefined) say(reading, list, wrong, 'error', true);
  const { entries, positions } =
    list === undefined || wrong !== null ? { entries: [], positions: [] } : readEntries(reading, list);
  return {
    state: { entries, folders: readFolders(reading, findProperty(root, 'folders')?.children?.[1]) },
    positions,
    issues: reading.issues,
    readOnlyReason: broken ?? wrong ?? unknown,
  };
}
