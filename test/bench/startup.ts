// Size, load and activation of the extension's own bundle, measured inside the real VS Code host.
import type { StartupMeasures } from '../editor/suite/startup.suite.ts';
import { type BenchResult, median } from './benchResult.ts';
import { measureInExtensionHost } from './extensionHostSuite.ts';

export async function runStartupBench(): Promise<BenchResult> {
  const measures = measureInExtensionHost<StartupMeasures>('start-up', 'startup.json');
  return {
    title: 'Start-up (in the real VS Code host)',
    rows: [
      { what: 'dist/extension.js', value: measures.bytes / 1000, unit: 'kB', target: { most: 60 } },
      {
        what: 'load (read, compile, run), median of 11',
        value: median(measures.loads),
        unit: 'ms',
        target: { most: 5 },
      },
      { what: 'activate', value: measures.activate, unit: 'ms', target: { most: 10 } },
    ],
  };
}
