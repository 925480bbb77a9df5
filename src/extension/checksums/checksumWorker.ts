// Entry of the worker thread that checks large documents, so that hashing does not block the extension host.
import { parentPort } from 'node:worker_threads';
import { locateChecksumProblems } from '../../detect/findChecksumProblems.ts';
import type { ChecksumRequest, ChecksumResponse } from './checksumFinder.ts';

const port = parentPort;
if (port === null) throw new Error('This file is the entry of a worker thread: start it with new Worker().');

port.on('message', ({ id, text, source, options }: ChecksumRequest) => {
  const response: ChecksumResponse = { id, problems: locateChecksumProblems(text, source, options) };
  port.postMessage(response);
});
