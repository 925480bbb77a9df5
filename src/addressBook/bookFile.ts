// Parses `.hexlens/addresses.json`: every readable entry, and an issue with its position for everything else.

import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { getChecksumState } from '../base/checksumAddress.ts';
import { findLastAtMost } from '../base/findLastAtMost.ts';
import type { Hex } from '../base/hex.ts';
import { t } from '../base/localize.ts';
import { type AddressBookState, emptyAddressBook } from './addressBookState.ts';
import { type Entry, isAptosEntryAddress } from './entry.ts';
import { normalizeFolder } from './folders.ts';
import { findProperty } from './jsonEdits.ts';
import { type ValidatedEntry, validateEntry } from './validateEntry.ts';

export const BOOK_FILE_PATH = '.hexlens/addresses.json';
export const BOOK_FILE_VERSION = 1;

/** Characters. Parsing more would block the extension host. */
export const MAX_BOOK_FILE_LENGTH = 4_000_000;
/** Further entries of a file are not read, and the file is not written to. */
export const MAX_BOOK_FILE_ENTRIES = 20_000;
/** Entries that are read before other work of the extension host gets its turn: some milliseconds. */
const ENTRIES_PER_SLICE = 200;

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
  /** The JSON schema reports it too, wherever the file is open in an editor. */
  readonly isInSchema: boolean;
}

export interface BookFile {
  readonly state: AddressBookState;
  /** Index in the file's `addresses` of each entry of `state`: elements that are not entries are skipped. */
  readonly positions: readonly number[];
  readonly issues: readonly BookFileIssue[];
  /** Why HexLens does not write to the file; `null` when it may. */
  readonly readOnlyReason: string | null;
}

/** EIP-55 checksums of the addresses in a file: each is hashed once, and reading does not wait for the hashes. */
type ChecksumCache = ReturnType<typeof createChecksumCache>;

/** The digits alone: `0X…` would not be an address for the checksum. */
const hasWrongChecksum = (digits: string) => getChecksumState(`0x${digits}` as Hex) === 'invalid';

/** `isEager`: hashes at once instead of queueing. */
function createChecksumCache(isEager = false) {
  let previous = new Map<string, boolean>();
  let current = new Map<string, boolean>();
  const pending = new Set<string>();
  return {
    /** Starts the next read: results that it does not use are dropped with the read after it. */
    startRead() {
      previous = current;
      current = new Map();
    },
    /** Whether an EVM address, as it is written, is known to have a wrong checksum; an unknown one is queued. */
    isWrong(written: string): boolean {
      const digits = written.trim().slice(2);
      if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return false;
      const cached = current.get(digits) ?? previous.get(digits) ?? (isEager ? hasWrongChecksum(digits) : undefined);
      if (cached === undefined) pending.add(digits);
      else current.set(digits, cached);
      return cached ?? false;
    },
    hashPending(limit: number) {
      let [done, wrong] = [0, 0];
      for (const digits of pending) {
        if (done++ === limit) break;
        pending.delete(digits);
        current.set(digits, hasWrongChecksum(digits));
        if (current.get(digits)) wrong++;
      }
      return { left: pending.size, wrong };
    },
  };
}

/** Validated entries by their source text: most of a file is unchanged when it is read again. */
type EntryCache = Map<string, ValidatedEntry>;

interface ParseCaches {
  /** Of the previous read. */
  readonly before: EntryCache;
  /** Filled by this read. */
  readonly now: EntryCache;
  readonly checksums: ChecksumCache;
}

/**
 * The fast path that most files take: plain JSON without issues needs no positions, which is a third of the time. `null`
 * when the file has anything to report: comments, errors, duplicates, another version.
 */
function* parseWithoutIssues(
  text: string,
  { before, now, checksums }: ParseCaches,
): Generator<void, AddressBookState | null> {
  if (text.length > MAX_BOOK_FILE_LENGTH) return null;
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return null;
  }
  if (root === null || typeof root !== 'object' || Array.isArray(root)) return null;
  const { version = BOOK_FILE_VERSION, addresses = [], folders = [] } = root as Readonly<Record<string, unknown>>;
  if (version !== BOOK_FILE_VERSION || !Array.isArray(addresses) || !Array.isArray(folders)) return null;
  if (!folders.every(folder => typeof folder === 'string') || addresses.length > MAX_BOOK_FILE_ENTRIES) return null;
  const entries: Entry[] = [];
  const findDuplicate = createDuplicateFinder();
  for (const [at, value] of (addresses as readonly unknown[]).entries()) {
    if (at % ENTRIES_PER_SLICE === ENTRIES_PER_SLICE - 1) yield;
    const key = JSON.stringify(value);
    const validated = before.get(key) ?? validateEntry(value);
    now.set(key, validated);
    const { entry, issues } = validated;
    if (entry === null || issues.length > 0) return null;
    const { address } = value as { readonly address: string };
    if (!isAptosEntryAddress(entry.address) && checksums.isWrong(address)) return null;
    if (findDuplicate(entry, at) !== null) return null;
    entries.push(entry);
  }
  return { entries, folders: normalizeFolders(folders) };
}

/**
 * Finds the first of the entries seen before that has the same address and a common chain. Looks up each chain instead of
 * comparing with every entry: a hostile file may list one address thousands of times.
 */
function createDuplicateFinder(): (entry: Entry, position: number) => number | null {
  /** By address and chain; the key `address ` is of entries for all chains, the key `address` of any entry. */
  const positions = new Map<string, number>();
  return ({ address, chains }, position) => {
    const keys = chains.length === 0 ? [address] : [`${address} `, ...chains.map(chain => `${address} ${chain}`)];
    const seen = keys.flatMap(key => positions.get(key) ?? []);
    if (seen.length > 0) return seen.reduce((first, next) => Math.min(first, next));
    for (const key of [address, ...(chains.length === 0 ? [`${address} `] : keys.slice(1))])
      if (!positions.has(key)) positions.set(key, position);
    return null;
  };
}

const normalizeFolders = (folders: readonly string[]): readonly string[] =>
  [...new Set(folders.slice(0, MAX_BOOK_FILE_ENTRIES).map(normalizeFolder))].filter(folder => folder !== '');

interface TextRange {
  readonly offset: number;
  readonly length: number;
}

/** The first merge conflicts that git left in the text, from the first marker to the last. One pass. */
function findMergeConflicts(text: string): readonly TextRange[] {
  const conflicts: TextRange[] = [];
  let open: TextRange | null = null;
  for (const { 0: marker, index: offset } of text.matchAll(/^(?:<{7}|>{7}) [^\r\n]*$/gm)) {
    if (conflicts.length === MAX_SYNTAX_ISSUES) break;
    const length = marker.length;
    if (marker.startsWith('<')) open ??= { offset, length };
    else if (open !== null) {
      conflicts.push({ offset: open.offset, length: offset + length - open.offset });
      open = null;
    }
  }
  return open === null ? conflicts : [...conflicts, open];
}

const syntaxErrorTexts: Readonly<Record<string, () => string>> = {
  InvalidSymbol: () => t('This does not belong here.'),
  InvalidNumberFormat: () => t('This is not a number.'),
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

function toSyntaxIssues(errors: readonly ParseError[], conflicts: readonly TextRange[]): readonly BookFileIssue[] {
  if (conflicts.length > 0)
    return conflicts.slice(0, MAX_SYNTAX_ISSUES).map(conflict => ({
      ...conflict,
      message: t(
        'This is an unresolved merge conflict: keep one side. Until then HexLens does not write to this file.',
      ),
      severity: 'error',
      isInSchema: false,
    }));
  return errors.slice(0, MAX_SYNTAX_ISSUES).map(({ error, offset, length }) => ({
    offset,
    length,
    message: (syntaxErrorTexts[printParseErrorCode(error)] ?? (() => t('This is not JSON.')))(),
    severity: 'error',
    isInSchema: true,
  }));
}

/** The value of a node, for validation. Objects have no prototype: a file may contain `__proto__`. */
function toPlainValue(node: Node | undefined, depth = 0): unknown {
  if (node === undefined || depth > MAX_ENTRY_DEPTH) return undefined;
  if (node.type === 'array') return (node.children ?? []).map(child => toPlainValue(child, depth + 1));
  if (node.type !== 'object') return node.value;
  const object = Object.create(null) as Record<string, unknown>;
  for (const { children } of node.children ?? [])
    object[String(children?.[0]?.value)] = toPlainValue(children?.[1], depth + 1);
  return object;
}

/** A file of which nothing could be parsed. */
export const createUnreadableBookFile = (message: string, length = 0, isInSchema = false): BookFile => ({
  state: emptyAddressBook,
  positions: [],
  issues: [{ offset: 0, length, message, severity: 'error', isInSchema }],
  readOnlyReason: message,
});

interface ParseContext extends ParseCaches {
  readonly text: string;
  readonly conflicts: readonly TextRange[];
  readonly issues: BookFileIssue[];
  readonly getLineNumber: (offset: number) => number;
}

function report(
  { issues }: ParseContext,
  node: Node,
  message: string,
  severity: 'error' | 'warning',
  isInSchema: boolean,
): void {
  if (issues.length < MAX_ISSUES)
    issues.push({ offset: node.offset, length: node.length, message, severity, isInSchema });
}

/** Reads the text at most once, however many lines are requested, and only if one is. */
function createLineCounter(text: string): (offset: number) => number {
  const lineEnds: number[] = [];
  let next = 0;
  return offset => {
    for (; next >= 0 && next < offset; next++) {
      next = text.indexOf('\n', next);
      if (next < 0) break;
      lineEnds.push(next);
    }
    return findLastAtMost(lineEnds, offset - 1) + 2;
  };
}

/** The same address twice on one chain: one of the two names would never be shown. */
function reportDuplicate(
  context: ParseContext,
  entry: Entry,
  element: Node,
  first: { readonly entry: Entry; readonly element: Node },
): void {
  if (context.issues.length >= MAX_ISSUES) return;
  const node = findProperty(element, 'address')?.children?.[1] ?? element;
  const line = context.getLineNumber(first.element.offset);
  const message =
    first.entry.name === entry.name
      ? t('This address is listed twice, first in line {0}. Remove one of them.', line)
      : t(
          'This address has two names: line {0} calls it {1}, which is used. Remove one of them, or limit each to its chains.',
          line,
          `"${first.entry.name}"`,
        );
  report(context, node, message, 'warning', false);
}

/** A JSON schema cannot check this. */
function reportChecksum(context: ParseContext, { address }: Entry, element: Node): void {
  const node = findProperty(element, 'address')?.children?.[1];
  if (node === undefined || isAptosEntryAddress(address) || !context.checksums.isWrong(String(node.value))) return;
  const message = t(
    'The EIP-55 checksum of address is wrong: a digit or its case was changed. Compare it with its source.',
  );
  report(context, node, message, 'warning', false);
}

function* readEntries(
  context: ParseContext,
  list: Node,
): Generator<void, Pick<BookFile, 'positions'> & { readonly entries: readonly Entry[] }> {
  const entries: Entry[] = [];
  const positions: number[] = [];
  const elements = (list.children ?? []).slice(0, MAX_BOOK_FILE_ENTRIES);
  const findDuplicate = createDuplicateFinder();
  for (const [position, element] of elements.entries()) {
    if (position % ENTRIES_PER_SLICE === ENTRIES_PER_SLICE - 1) yield;
    const isInside = ({ offset, length }: TextRange) => element.offset >= offset && element.offset < offset + length;
    // A commit hash in a conflict marker.
    if (element.type !== 'object' && context.conflicts.some(isInside)) continue;
    const source = context.text.slice(element.offset, element.offset + element.length);
    const validated = context.before.get(source) ?? validateEntry(toPlainValue(element));
    context.now.set(source, validated);
    const { entry, issues } = validated;
    for (const { field, message, isFatal } of issues) {
      const node = element.type === 'object' ? findProperty(element, field)?.children?.[1] : undefined;
      report(context, node ?? element, message, isFatal ? 'error' : 'warning', field !== 'chains');
    }
    if (entry === null) continue;
    reportChecksum(context, entry, element);
    const first = findDuplicate(entry, entries.length);
    const [firstEntry, firstElement] = first === null ? [] : [entries[first], elements[positions[first] ?? -1]];
    if (firstEntry !== undefined && firstElement !== undefined)
      reportDuplicate(context, entry, element, { entry: firstEntry, element: firstElement });
    entries.push(entry);
    positions.push(position);
  }
  return { entries, positions };
}

function readFolders(context: ParseContext, list: Node | undefined): readonly string[] {
  if (list === undefined) return [];
  if (list.type !== 'array') {
    report(context, list, t('folders must be a list of strings; it is ignored.'), 'warning', true);
    return [];
  }
  const texts = (list.children ?? []).filter(({ type }) => type === 'string').map(({ value }) => String(value));
  return normalizeFolders(texts);
}

/** Why HexLens does not write to a file of this version; `null` when it may. */
function getVersionProblem(version: Node | undefined): string | null {
  if (version === undefined || version.value === BOOK_FILE_VERSION) return null;
  return typeof version.value === 'number' && version.value > BOOK_FILE_VERSION
    ? t('The file was written by a newer version of HexLens: update HexLens to change it.')
    : t('Unknown version of the file: use {0}.', BOOK_FILE_VERSION);
}

export type ParseBookFile = (text: string) => BookFile;

/** Parses versions of one file; entries that have not changed since the last version are not validated again. */
export function createBookFileParser({ isEager = false } = {}) {
  const checksums = createChecksumCache(isEager);
  let [plainEntries, nodeEntries]: [EntryCache, EntryCache] = [new Map(), new Map()];
  function* parseSteps(text: string): Generator<void, BookFile> {
    const [plainNow, nodesNow]: [EntryCache, EntryCache] = [new Map(), new Map()];
    checksums.startRead();
    try {
      const state = yield* parseWithoutIssues(text, { before: plainEntries, now: plainNow, checksums });
      const file =
        state === null
          ? yield* parseWithPositions(text, { before: nodeEntries, now: nodesNow, checksums })
          : { state, positions: state.entries.map((_, index) => index), issues: [], readOnlyReason: null };
      [plainEntries, nodeEntries] = [plainNow, nodesNow];
      return file;
    } catch (error) {
      // Too many calls inside each other.
      if (error instanceof RangeError) return createUnreadableBookFile(t('The file is nested too deep to be read.'));
      throw error;
    }
  }
  return {
    parse(text: string): BookFile {
      const steps = parseSteps(text);
      for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
    },
    /** As `parse`, but lets `pause` pass after every few hundred entries. */
    async parseInSlices(text: string, pause: () => Promise<void>): Promise<BookFile> {
      const steps = parseSteps(text);
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) return step.value;
        await pause();
      }
    },
    verifyChecksums(limit: number) {
      const { left, wrong } = checksums.hashPending(limit);
      return { left, again: wrong > 0 };
    },
  };
}

/** Never throws. An empty text, or one of comments only, is an empty address book. */
export function parseBookFile(text: string): BookFile {
  return createBookFileParser({ isEager: true }).parse(text);
}

function* parseWithPositions(text: string, caches: ParseCaches): Generator<void, BookFile> {
  if (text.length > MAX_BOOK_FILE_LENGTH)
    return createUnreadableBookFile(
      t('The file is too large: at most {0} million characters are read.', MAX_BOOK_FILE_LENGTH / 1_000_000),
    );
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true };
  const root = parseTree(text, errors, options);
  if (root === undefined && errors.length === 0)
    return { state: emptyAddressBook, positions: [], issues: [], readOnlyReason: null };
  const conflicts = findMergeConflicts(text);
  const issues = [...toSyntaxIssues(errors, conflicts)];
  const context: ParseContext = { text, conflicts, issues, getLineNumber: createLineCounter(text), ...caches };
  const syntaxProblem = errors.length > 0 ? t('The file is damaged: fix what the Problems view lists first.') : null;
  if (root?.type !== 'object') {
    if (syntaxProblem !== null)
      return { state: emptyAddressBook, positions: [], issues: context.issues, readOnlyReason: syntaxProblem };
    return createUnreadableBookFile(
      t('The file must contain an object with a list named addresses.'),
      text.length,
      true,
    );
  }
  const version = findProperty(root, 'version')?.children?.[1];
  const versionProblem = getVersionProblem(version);
  if (versionProblem !== null && version !== undefined) report(context, version, versionProblem, 'warning', false);
  const list = findProperty(root, 'addresses')?.children?.[1];
  const listProblem = list !== undefined && list.type !== 'array' ? t('addresses must be a list of entries.') : null;
  if (listProblem !== null && list !== undefined) report(context, list, listProblem, 'error', true);
  const { entries, positions } =
    list === undefined || listProblem !== null ? { entries: [], positions: [] } : yield* readEntries(context, list);
  const lengthProblem =
    (list?.children?.length ?? 0) > MAX_BOOK_FILE_ENTRIES
      ? t('The file has too many entries: the first {0} are read.', MAX_BOOK_FILE_ENTRIES)
      : null;
  if (lengthProblem !== null && list !== undefined) {
    const issue = { offset: list.offset, length: 1, message: lengthProblem, severity: 'warning', isInSchema: false };
    context.issues.unshift(issue as BookFileIssue);
  }
  return {
    state: { entries, folders: readFolders(context, findProperty(root, 'folders')?.children?.[1]) },
    positions,
    issues: context.issues,
    readOnlyReason: syntaxProblem ?? listProblem ?? versionProblem ?? lengthProblem,
  };
}
