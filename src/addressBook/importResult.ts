// Result of an import: entries, and rejected records with the reason.

import { type ParseError, parse } from 'jsonc-parser';
import { parseWrittenChain } from '../api/chainNames.ts';
import { getChecksumState } from '../base/checksumAddress.ts';
import type { Hex } from '../base/hex.ts';
import { isObject } from '../base/isObject.ts';
import { t } from '../base/localize.ts';
import { type Entry, splitChainAddress } from './entry.ts';
import { validateEntry } from './validateEntry.ts';

export interface RejectedRecord {
  /** Line, field or file. */
  readonly location: string;
  readonly message: string;
}

export interface ImportResult {
  readonly entries: readonly Entry[];
  readonly rejected: readonly RejectedRecord[];
  /** Columns and fields that the file has and an entry has not; absent when there are none. */
  readonly ignored?: readonly string[];
}

export interface ImportRecord {
  readonly location: string;
  readonly record: unknown;
}

/** More records are not read. */
const MAX_IMPORT = 50_000;

/** Rootstock's checksums depend on the chain (EIP-1191). */
const OWN_CHECKSUM_CHAINS: readonly unknown[] = ['0x1e', '0x1f'];

const WRONG_CHECKSUM = () =>
  t('The EIP-55 checksum of address is wrong: a digit or its case was changed. Compare it with its source.');

/** A record whose address may name its chain (`gno:0x…`), with the chain in `chains`; a message when it cannot be right. */
function readChainAddress(record: unknown): { readonly record: unknown } | { readonly problem: string } {
  const written = isObject(record) ? record['address'] : undefined;
  const split = typeof written === 'string' ? splitChainAddress(written) : null;
  if (!isObject(record) || typeof written !== 'string' || split === null) return { record };
  const listed = Array.isArray(record['chains']) ? record['chains'] : [];
  const chains = listed.map(chain => parseWrittenChain(String(chain)) ?? chain);
  const named = split.chain === null ? null : parseWrittenChain(split.chain);
  if (split.chain !== null && named === null)
    return { problem: t('The address names a chain that is not known: {0}.', split.chain) };
  if (named !== null && chains.length > 0 && !chains.includes(named))
    return { problem: t('The address is of the chain {0}, its entry of {1}.', named, chains.join(', ')) };
  const digits = /0x([0-9a-f]{40})(?![0-9a-f])/i.exec(written)?.[1];
  const hasOwnChecksum = [named, ...chains].some(chain => OWN_CHECKSUM_CHAINS.includes(chain));
  // Saved, it would get a right checksum, which hides the mistake.
  if (digits !== undefined && !hasOwnChecksum && getChecksumState(`0x${digits}` as Hex) === 'invalid')
    return { problem: WRONG_CHECKSUM() };
  if (split.chain === null) return { record };
  return { record: { ...record, address: split.address, ...(named !== null && { chains: [named] }) } };
}

/** Validates records one by one. Corrected fields are not reported: the preview shows the result. */
export function importRecords(records: readonly ImportRecord[], ignored: Iterable<string> = []): ImportResult {
  const entries: Entry[] = [];
  const rejected: RejectedRecord[] = [];
  const unread = new Set(ignored);
  for (const { location, record } of records.slice(0, MAX_IMPORT)) {
    const read = readChainAddress(record);
    if ('problem' in read) {
      rejected.push({ location, message: read.problem });
      continue;
    }
    const { entry, issues } = validateEntry(read.record);
    if (entry !== null) {
      entries.push(entry);
      if (entry.kind === 'aptos') continue;
      for (const chain of entry.chains) if (parseWrittenChain(chain) === null) unread.add(t('the chain {0}', chain));
    } else rejected.push({ location, message: issues.find(({ isFatal }) => isFatal)?.message ?? '' });
  }
  if (records.length > MAX_IMPORT)
    rejected.push({ location: '', message: t('Only the first {0} entries were read.', MAX_IMPORT) });
  return createImportResult(entries, rejected, unread);
}

function createImportResult(
  entries: readonly Entry[],
  rejected: readonly RejectedRecord[],
  ignored: Iterable<string>,
): ImportResult {
  const names = [...new Set(ignored)];
  return { entries, rejected, ...(names.length > 0 && { ignored: names }) };
}

/** The entries without those whose address has a wrong checksum in the text of the file. */
export function rejectWrongChecksums({ entries, rejected }: ImportResult, text: string): ImportResult {
  const wrong = new Map<string, number>();
  for (const { 0: address, index } of text.matchAll(/0x[0-9a-f]{40}(?![0-9a-f])/gi))
    if (getChecksumState(`0x${address.slice(2)}` as Hex) === 'invalid') wrong.set(address.toLowerCase(), index);
  const getLine = (offset: number) => text.slice(0, offset).split('\n').length;
  return {
    entries: entries.filter(({ address }) => !wrong.has(address)),
    rejected: [
      ...rejected,
      ...[...wrong.values()].map(at => ({ location: t('line {0}', getLine(at)), message: WRONG_CHECKSUM() })),
    ],
  };
}

/** A chain id as tools write it (number or decimal text); `null` if it is none. */
export function parseChainId(id: unknown): number | null {
  const number = typeof id === 'string' && /^\s*\d{1,15}\s*$/.test(id) ? Number(id) : id;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null;
}

/** The selector for a chain id as tools write it; empty if it is not an id. */
export function getChainsForId(id: unknown): readonly string[] {
  const number = parseChainId(id);
  const chain = number === null ? null : parseWrittenChain(String(number));
  return chain === null ? [] : [chain];
}

/** `null` when the text is not JSON, or nested too deep. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, '')) as unknown;
  } catch {
    return null;
  }
}

/** As VS Code writes its settings: with comments and commas at the end. `null` as for `parseJson`. */
export function parseJsonWithComments(text: string): unknown {
  const errors: ParseError[] = [];
  try {
    const value: unknown = parse(text.replace(/^\ufeff/, ''), errors, { allowTrailingComma: true });
    return errors.length > 0 ? null : value;
  } catch {
    return null;
  }
}

export const joinImportResults = (parts: readonly ImportResult[]): ImportResult =>
  createImportResult(
    parts.flatMap(({ entries }) => entries),
    parts.flatMap(({ rejected }) => rejected),
    parts.flatMap(({ ignored = [] }) => ignored),
  );
