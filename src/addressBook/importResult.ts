// What an import found: entries, and what could not be read with the reason.

import { parseChain } from '../api/chains.ts';
import { t } from '../base/localize.ts';
import type { Entry } from './entry.ts';
import { judgeEntry } from './validateEntry.ts';

export interface Refused {
  /** Line, field or file. */
  readonly where: string;
  readonly message: string;
}

export interface Imported {
  readonly entries: readonly Entry[];
  readonly refused: readonly Refused[];
}

/** More are not read: a book is for people. */
export const MAX_IMPORT = 50_000;

/** Judges records one by one. What is only put right is not reported: the preview shows what comes of it. */
export function importRecords(records: readonly { readonly where: string; readonly record: unknown }[]): Imported {
  const entries: Entry[] = [];
  const refused: Refused[] = [];
  for (const { where, record } of records.slice(0, MAX_IMPORT)) {
    const { entry, issues } = judgeEntry(record);
    if (entry !== null) entries.push(entry);
    else refused.push({ where, message: issues.find(({ fatal }) => fatal)?.message ?? '' });
  }
  if (records.length > MAX_IMPORT)
    refused.push({ where: '', message: t('Only the first {0} entries were read.', MAX_IMPORT) });
  return { entries, refused };
}

/** Ids of the dev chains of Anvil, Hardhat and Ganache: `local` is whatever the local node serves. */
const DEV_CHAINS = [31_337, 1_337];

/** Selector of a chain id as tools write it (number or decimal text); none for what is no id. */
export function chainsOfId(id: unknown): readonly string[] {
  const number = typeof id === 'string' && /^\s*\d{1,15}\s*$/.test(id) ? Number(id) : id;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number <= 0) return [];
  if (DEV_CHAINS.includes(number)) return ['local'];
  const chain = parseChain(`0x${number.toString(16)}`);
  return chain === null ? [] : [chain];
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** A JSON text of a tool; `null` when it is none, or nested too deep. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, '')) as unknown;
  } catch {
    return null;
  }
}

export const joinImported = (parts: readonly Imported[]): Imported => ({
  entries: parts.flatMap(({ entries }) => entries),
  refused: parts.flatMap(({ refused }) => refused),
});
