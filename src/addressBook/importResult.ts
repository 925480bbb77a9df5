// What an import found: entries, and what could not be read with the reason.

import { parseChainSelector } from '../api/chains.ts';
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

/** More are not read: a book is for people. */
export const MAX_IMPORT = 50_000;

/** Judges records one by one. What is only put right is not reported: the preview shows what comes of it. */
export function importRecords(records: readonly { readonly where: string; readonly record: unknown }[]): ImportResult {
  const entries: Entry[] = [];
  const refused: RejectedRecord[] = [];
  for (const { where, record } of records.slice(0, MAX_IMPORT)) {
    const { entry, issues } = validateEntry(record);
    if (entry !== null) entries.push(entry);
    else refused.push({ location: where, message: issues.find(({ isFatal: fatal }) => fatal)?.message ?? '' });
  }
  if (records.length > MAX_IMPORT)
    refused.push({ location: '', message: t('Only the first {0} entries were read.', MAX_IMPORT) });
  return { entries, rejected: refused };
}

/** Ids of the dev chains of Anvil, Hardhat and Ganache: `local` is whatever the local node serves. */
const DEV_CHAINS = [31_337, 1_337];

/** Selector of a chain id as tools write it (number or decimal text); none for what is no id. */
export function getChainsForId(id: unknown): readonly string[] {
  const number = typeof id === 'string' && /^\s*\d{1,15}\s*$/.test(id) ? Number(id) : id;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number <= 0) return [];
  if (DEV_CHAINS.includes(number)) return ['local'];
  const chain = parseChainSelector(`0x${number.toString(16)}`);
  return chain === null ? [] : [chain];
}

export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** A JSON text of a tool; `null` when it is none, or nested too deep. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, '')) as unknown;
  } catch {
    return null;
  }
}

export const joinImportResults = (parts: readonly ImportResult[]): ImportResult => ({
  entries: parts.flatMap(({ entries }) => entries),
  rejected: parts.flatMap(({ rejected: refused }) => refused),
});
