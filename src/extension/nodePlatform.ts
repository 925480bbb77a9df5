// The extension host on a machine: VS Code on the desktop, or its server.
import { release } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ExtensionContext } from 'vscode';
import type { Platform } from './platform.ts';

/** A small young generation keeps garbage and bodies of responses from piling up during the first sync of a long chain. */
export const workerOptions = {
  name: 'hexlens-worker',
  resourceLimits: { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 },
};

export function createNodePlatform({
  extensionPath,
  globalStorageUri,
}: Pick<ExtensionContext, 'extensionPath' | 'globalStorageUri'>): Platform {
  const getFile = (name: string) => join(extensionPath, 'dist', name);
  return {
    isBrowser: false,
    dataFolder: globalStorageUri.fsPath,
    startWorker: () => new Worker(getFile('worker.js'), workerOptions),
    startChecksumWorker: () => new Worker(getFile('checksumWorker.js'), { name: 'hexlens-checksums' }),
    describe: () => ({
      system: `${process.platform} ${process.arch} ${release()}`,
      node: process.versions.node,
    }),
  };
}
