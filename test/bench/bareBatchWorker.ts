// A worker thread that sends each message as one JSON-RPC batch and posts the response: the least that a hover in a thread costs.
import { parentPort, workerData } from 'node:worker_threads';
import { Pool } from 'undici';

const pool = new Pool(String(workerData));
const headers = { 'content-type': 'application/json' };
parentPort?.on('message', async (calls: unknown) => {
  const response = await pool.request({ path: '/', method: 'POST', headers, body: JSON.stringify(calls) });
  parentPort?.postMessage(await response.body.json());
});
