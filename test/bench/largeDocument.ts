// What opening a document of 10 MB with 50,000 addresses, and moving the cursor in it, costs the extension host's thread.
import type { LargeDocumentMeasures } from '../editor/suite/largeDocument.suite.ts';
import { type BenchResult, median } from './benchResult.ts';
import { measureInExtensionHost } from './extensionHostSuite.ts';

const RUNS = 3;

export async function runLargeDocumentBench(): Promise<BenchResult> {
  const runs = Array.from({ length: RUNS }, () =>
    measureInExtensionHost<LargeDocumentMeasures>('large document', 'large-document.json'),
  );
  const [{ bytes, addresses, moves } = { bytes: 0, addresses: 0, moves: 0 }] = runs;
  return {
    title: `A document of ${(bytes / 1e6).toFixed(1)} MB with ${addresses} addresses (our CPU time on the extension host's thread, ${RUNS} windows)`,
    rows: [
      {
        what: 'opening it, until all checks have ended, median',
        value: median(runs.map(({ opening }) => opening)),
        unit: 'ms',
        target: { max: 50 },
      },
      { what: 'opening it, best', value: Math.min(...runs.map(({ opening }) => opening)), unit: 'ms' },
      {
        what: `one of ${moves} moves of the cursor, above the same time without moves, median`,
        value: median(runs.map(({ moving, still }) => Math.max(0, moving - still) / moves)),
        unit: 'ms',
        target: { max: 0.1 },
      },
      {
        what: 'the same time with moves, in total, median',
        value: median(runs.map(({ moving }) => moving)),
        unit: 'ms',
      },
      { what: 'the same without moves, median', value: median(runs.map(({ still }) => still)), unit: 'ms' },
    ],
  };
}
