// Size, load and activation time of the extension's bundle in VS Code's extension host.
import type { StartupMeasures } from '../editor/suite/startup.suite.ts';
import { type BenchResult, median } from './benchResult.ts';
import { measureInExtensionHost } from './extensionHostSuite.ts';

export async function runStartupBench(): Promise<BenchResult> {
  const measures = measureInExtensionHost<StartupMeasures>('start-up', 'startup.json');
  const [first = Number.NaN, ...others] = measures.activate;
  return {
    title: 'Start-up (in the real extension host)',
    rows: [
      { what: 'dist/extension.js', value: measures.bytes / 1000, unit: 'kB', target: { max: 60 } },
      {
        what: 'load (read, compile, run), median of 11',
        value: median(measures.loads),
        unit: 'ms',
        target: { max: 5 },
      },
      { what: 'activate, until it returns', value: first, unit: 'ms', target: { max: 6 } },
      { what: '... the longest of the turns after it', value: Math.max(...others), unit: 'ms', target: { max: 6 } },
      { what: '... all turns together', value: others.reduce((sum, turn) => sum + turn, first), unit: 'ms' },
    ],
  };
}
