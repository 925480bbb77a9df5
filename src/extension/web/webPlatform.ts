// The extension host in a browser, a web worker.
import type { ExtensionContext } from 'vscode';
import { startBrowserWorker } from '../../worker/browserWorker.ts';
import type { Platform } from '../platform.ts';
import { setExtensionFolder } from './loadBundle.ts';

export function createWebPlatform({ extensionUri }: Pick<ExtensionContext, 'extensionUri'>): Platform {
  setExtensionFolder(extensionUri);
  return {
    isBrowser: true,
    dataFolder: null,
    startWorker: startBrowserWorker,
    startChecksumWorker: null,
    describe: () => ({ system: navigator.userAgent, node: 'none (browser)' }),
  };
}
