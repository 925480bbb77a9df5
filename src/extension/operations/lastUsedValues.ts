// The values that operations were last run with, by their kind, so that they are offered again.
import type { Memento } from 'vscode';

const KEY = 'hexlens.lastUsed';
const MOST = 8;

export interface LastUsedValues {
  /** Newest first. */
  get(kind: string): readonly string[];
  save(kind: string, values: readonly string[]): Promise<void>;
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(entry => typeof entry === 'string');

export function createLastUsedValues(memory: Memento): LastUsedValues {
  const all = (): Readonly<Record<string, unknown>> => {
    const kept = memory.get<unknown>(KEY);
    return kept !== null && typeof kept === 'object' ? (kept as Readonly<Record<string, unknown>>) : {};
  };
  const of = (kind: string): readonly string[] => {
    const kept = all()[kind];
    return isTexts(kept) ? kept : [];
  };
  return {
    get: of,
    async save(kind, values) {
      const newest = [...new Set([...values, ...of(kind)])].slice(0, MOST);
      await memory.update(KEY, { ...all(), [kind]: newest });
    },
  };
}
