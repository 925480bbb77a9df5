// The entry of a process that runs several end-to-end files, one after another: see run.ts.
import { pathToFileURL } from 'node:url';
import { closeSamples } from './sampleEditor.ts';

async function runFiles(files: readonly string[]): Promise<void> {
  closeSamples();
  for (const file of files) await import(pathToFileURL(file).href);
}

// A list of paths.
await runFiles(JSON.parse(process.env['HEXLENS_E2E_FILES'] ?? '[]') as readonly string[]);
