// Entry of the thread that looks for wrong checksums in large documents: hashing thousands of addresses never blocks the editor.
import { parentPort } from 'node:worker_threads';
import { locateChecksumProblems } from '../../detect/findChecksumProblems.ts';
import type { ChecksumRequest, ChecksumResponse } from './checksumFinder.ts';

const port = parentPort;
if (port === null) throw new Error('This file is the entry of a worker thread: start it with new Worker().');

port.on('message', ({ id, text, source, options }: ChecksumRequest) => {
  const answer: ChecksumResponse = { id, findings: locateChecksumProblems(text, source, options) };
  port.postMessage(answer);
});
