// The extension host in a browser, a web worker.
import { startBrowserWorker } from '../../worker/browserWorker.ts';
import type { Platform } from '../platform.ts';

export const webPlatform: Platform = {
  isBrowser: true,
  dataFolder: null,
  startWorker: startBrowserWorker,
  startChecksumWorker: null,
  describe: () => ({ system: navigator.userAgent, node: 'none (browser)' }),
};
