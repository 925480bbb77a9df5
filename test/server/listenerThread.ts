// A listener in a thread, whose heap holds nothing else. Posts its URL, and on each message the bytes that young collections left.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import { silentLog } from '../../src/base/log.ts';
import { listen } from '../../src/server/httpListener.ts';
import { OutgoingResponse } from '../../src/server/outgoingResponse.ts';

setFlagsFromString('--expose-gc');
const collect: (options: { readonly type: 'minor' }) => void = runInNewContext('gc');

const app = { handle: async () => ({ response: new OutgoingResponse(200, {}, ''), headers: [] }) };
const { url } = await listen(app, { port: 0 }, silentLog);
parentPort?.on('message', () => {
  // What survives two of these is collected by a full one only.
  for (let round = 0; round < 2; round++) collect({ type: 'minor' });
  parentPort?.postMessage(process.memoryUsage().heapUsed);
});
parentPort?.postMessage(url);
