// The parameter values that operations were last run with, by kind of value.
import type { Memento } from 'vscode';

const KEY = 'hexlens.lastUsed';
const MAX_VALUES = 8;

export interface LastUsedValues {
  /** Newest first. */
  get(kind: string): readonly string[];
  save(kind: string, values: readonly string[]): Promise<void>;
}

const isStringArray = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(entry => typeof entry === 'string');

export function createLastUsedValues(workspaceState: Memento): LastUsedValues {
  const readAll = (): Readonly<Record<string, unknown>> => {
    const stored = workspaceState.get<unknown>(KEY);
    return stored !== null && typeof stored === 'object' ? (stored as Readonly<Record<string, unknown>>) : {};
  };
  const get = (kind: string): readonly string[] => {
    const stored = readAll()[kind];
    return isStringArray(stored) ? stored : [];
  };
  return {
    get,
    async save(kind, values) {
      const newest = [...new Set([...values, ...get(kind)])].slice(0, MAX_VALUES);
      await workspaceState.update(KEY, { ...readAll(), [kind]: newest });
    },
  };
}
