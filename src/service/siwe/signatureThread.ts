// Entry of a worker thread that recovers public keys, those of one message after the other.
import { parentPort } from 'node:worker_threads';
import { silentLog } from '../../base/log.ts';
import { JOB_BYTES, KEY_BYTES, SIGNATURE_BYTES } from './keyRecovery.ts';
import type { SignatureEngine } from './signatureEngine.ts';
import { createSignatureEngineLoader } from './signatureEngineLoader.ts';

function recoverKeys(engine: SignatureEngine, jobs: Uint8Array): Uint8Array {
  const count = jobs.length / JOB_BYTES;
  const keys = new Uint8Array(count * KEY_BYTES);
  for (let index = 0; index < count; index++) {
    const job = jobs.subarray(index * JOB_BYTES, (index + 1) * JOB_BYTES);
    const key = engine.recoverPublicKey(job.subarray(0, SIGNATURE_BYTES), job.subarray(SIGNATURE_BYTES));
    if (key !== null) keys.set(key, index * KEY_BYTES);
  }
  return keys;
}

// An engine that cannot be loaded ends the thread: its jobs are done on the main thread.
createSignatureEngineLoader({ log: silentLog })
  .load()
  .then(engine => {
    parentPort?.on('message', (jobs: Uint8Array) => parentPort?.postMessage(recoverKeys(engine, jobs)));
    parentPort?.postMessage(null); // ready
  });
