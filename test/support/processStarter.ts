// The small process that starts the child processes of a test worker: see `startProcess.ts`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { StartReply, StartRequest } from './startProcess.ts';

const reply = (message: StartReply) => {
  if (process.connected) process.send?.(message);
};

async function open(path: string): Promise<Socket> {
  const socket = connect(path);
  socket.pause(); // what comes is for the child process
  await once(socket, 'connect');
  return socket;
}

async function start({ id, command, args, options, sockets }: StartRequest): Promise<void> {
  const streams = await Promise.all(sockets.map(path => (path === null ? null : open(path))));
  const child = spawn(command, args, { ...options, stdio: streams.map(stream => stream ?? 'ignore') });
  for (const stream of streams) stream?.destroy();
  child.once('error', (error: NodeJS.ErrnoException) => {
    if (child.pid === undefined) reply({ id, error: { message: error.message, code: error.code } });
  });
  child.once('exit', (code, signal) => reply({ id, code, signal }));
  if (child.pid !== undefined) reply({ id, pid: child.pid });
}

process.on('message', request => void start(request as StartRequest));
process.on('disconnect', () => process.exit());
// Sent to the group of the worker, which ends by them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
