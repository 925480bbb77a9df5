// Cost of the extension in every window: bundle size, load time and activation time.
import * as assert from 'node:assert/strict';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getExtension } from './extensionHost.ts';

/** Read by the benchmark, in milliseconds and bytes. */
export interface StartupMeasures {
  readonly bytes: number;
  readonly loads: readonly number[];
  /** In each turn of the event loop. */
  readonly activate: readonly number[];
}

describe('start-up', () => {
  it('loads and activates, and reports the times', async () => {
    const extension = getExtension();
    await extension.activate();
    const { dist, source } = {
      dist: join(extension.extensionPath, 'dist'),
      source: join(extension.extensionPath, 'dist', 'extension.js'),
    };
    const activate = performance.getEntriesByName('hexlens/activate').map(({ duration }) => duration);
    assert.ok(activate.length > 1, 'activation is not marked');
    // Different copies, because the engine would reuse the compiled code of the first load; beside the bundles that they load.
    const copies = Array.from({ length: 11 }, (_, run) => join(dist, `startup-${process.pid}-${run}.js`));
    try {
      const loads = copies.map((copy, run) => {
        writeFileSync(copy, `${readFileSync(source, 'utf8')}\n// ${run}`);
        const started = performance.now();
        const loaded = require(copy) as { activate?: unknown };
        const took = performance.now() - started;
        assert.equal(typeof loaded.activate, 'function');
        return took;
      });
      const report = process.env['HEXLENS_HOST_REPORT'];
      const measures: StartupMeasures = {
        bytes: statSync(source).size,
        loads,
        activate,
      };
      if (report) writeFileSync(join(dirname(report), 'startup.json'), JSON.stringify(measures));
    } finally {
      for (const copy of copies) rmSync(copy, { force: true });
    }
  });
});
