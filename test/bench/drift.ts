// What docs/performance.md records of benchmarks, and how much worse than that a run is.
import type { BenchResult, BenchRow } from './benchResult.ts';

export interface RecordedRow {
  readonly bench: string;
  readonly what: string;
  readonly value: number;
}

export interface Drift extends RecordedRow {
  readonly now: number;
  /** 0.1: a tenth worse; negative: better. */
  readonly drift: number;
}

/** Beyond this a run is worse than recorded. */
export const MAX_DRIFT = 0.1;

/** From rows of tables: command, what it measures, value with unit, when and where. */
export const parseRecordedRows = (page: string): readonly RecordedRow[] =>
  [...page.matchAll(/^\| `npm run bench (\w+)` \| (.+?) \| ([\d.,]+) ?[^|]*\|/gm)].map(
    ([, bench = '', what = '', value = '']) => ({ bench, what, value: Number(value.replaceAll(',', '')) }),
  );

/** The target of a row says which direction is worse. Throws for recorded rows that the run does not have just once with a target. */
export function findDrifts(recorded: readonly RecordedRow[], { rows }: BenchResult): readonly Drift[] {
  return recorded.map(row => {
    const [found, ...others] = rows.filter(({ what }) => what === row.what);
    if (found?.target === undefined || others.length > 0)
      throw new Error(`"${row.what}" of docs/performance.md is not one row of ${row.bench} with a target.`);
    return { ...row, now: found.value, drift: getDrift(found, row.value) };
  });
}

const getDrift = ({ value, target }: BenchRow, before: number): number =>
  target?.min === undefined ? value / before - 1 : before / value - 1;
