// Result of an import: entries, and rejected records with the reason.

import { parseWrittenChain } from '../api/chainNames.ts';
import { t } from '../base/localize.ts';
import type { Entry } from './entry.ts';
import { validateEntry } from './validateEntry.ts';

export interface RejectedRecord {
  /** Line, field or file. */
  readonly location: string;
  readonly message: string;
}

export interface ImportResult {
  readonly entries: readonly Entry[];
  readonly rejected: readonly RejectedRecord[];
}

/** More records are not read. */
const MAX_IMPORT = 50_000;

/** Validates records one by one. Corrected fields are not reported: the preview shows the result. */
export function importRecords(
  records: readonly { readonly location: string; readonly record: unknown }[],
): ImportResult {
  const entries: Entry[] = [];
  const rejected: RejectedRecord[] = [];
  for (const { location, record } of records.slice(0, MAX_IMPORT)) {
    const { entry, issues } = validateEntry(record);
    if (entry !== null) entries.push(entry);
    else rejected.push({ location, message: issues.find(({ isFatal }) => isFatal)?.message ?? '' });
  }
  if (records.length > MAX_IMPORT)
    rejected.push({ location: '', message: t('Only the first {0} entries were read.', MAX_IMPORT) });
  return { entries, rejected };
}

/** The selector for a chain id as tools write it (number or decimal text); empty if it is not an id. */
export function getChainsForId(id: unknown): readonly string[] {
  const number = typeof id === 'string' && /^\s*\d{1,15}\s*$/.test(id) ? Number(id) : id;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number <= 0) return [];
  const chain = parseWrittenChain(String(number));
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

export const joinImportResults = (parts: readonly ImportResult[]): ImportResult => ({
  entries: parts.flatMap(({ entries }) => entries),
  rejected: parts.flatMap(({ rejected }) => rejected),
});
