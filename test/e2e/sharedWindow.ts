// The entry of a process that runs several end-to-end files in one window, one after another.
import { after, afterEach } from 'node:test';
import { pathToFileURL } from 'node:url';
import { SHARED_FILES_VARIABLE, shareSample } from './sampleEditor.ts';

async function runInOneWindow(files: readonly string[]): Promise<void> {
  const sample = shareSample();
  // What a window shows after a failed test is not known: the next file gets another one.
  afterEach(context => sample.report('passed' in context && context.passed));
  after(() => sample.close());
  for (const file of files) await import(pathToFileURL(file).href);
}

await runInOneWindow(JSON.parse(process.env[SHARED_FILES_VARIABLE] ?? '[]') as readonly string[]);
