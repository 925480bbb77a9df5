// Entry of a worker thread that recovers the accounts of signatures.
import { parentPort, workerData } from 'node:worker_threads';
import { silentLog } from '../../base/log.ts';
import { createSignatureEngineLoader } from './signatureEngineLoader.ts';
import { SignatureQueue } from './signatureQueue.ts';

// An engine that cannot be loaded, or fails, ends the thread: the main thread does the work then.
createSignatureEngineLoader({ log: silentLog })
  .load()
  .then(engine => {
    parentPort?.postMessage('ready');
    new SignatureQueue(workerData as SharedArrayBuffer).work(engine, () => parentPort?.postMessage('done'));
  });
