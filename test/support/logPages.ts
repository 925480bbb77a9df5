// All pages of `contractLogs`, for tests that compare them with the chain.
import { expect } from 'vitest';
import type { Input, Output } from '../../src/api/operations/operations.ts';
import type { ServiceUnderTest } from './filledChain.ts';

export type LogsPage = Output<'contractLogs'>;
export type Log = LogsPage['result'][number];

/** All pages, one after the other; fails when a cursor comes twice. */
export async function pages(
  service: ServiceUnderTest,
  input: Input<'contractLogs'>,
  between?: (page: number) => Promise<void>,
) {
  const all: LogsPage[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const page: LogsPage = await service.get('contractLogs', { ...input, cursor });
    all.push(page);
    cursor = page.cursor ?? undefined;
    if (cursor !== undefined) {
      expect(seen.has(cursor), 'a cursor came twice').toBe(false);
      seen.add(cursor);
      await between?.(all.length);
    }
  } while (cursor !== undefined);
  return all;
}
export const records = (list: readonly LogsPage[]): Log[] => list.flatMap(page => page.result);
