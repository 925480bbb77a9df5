// Ports of servers that are started again at the same one, or need to know theirs before they listen.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections and to servers that ask for any: none of those takes it between two starts. */
const FIRST_PORT = 10_240;
const LAST_PORT = 32_767;

/** Far more than ever: another process rarely takes a port between the moment it was found free and the start. */
const MAX_STARTS = 20;

/** Starts a server at a free port, at another one when it rejects because the port is in use. */
export async function startAtFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await start(await findFreePort());
    } catch (error) {
      const { message, details = '' } = error as Error & { readonly details?: string };
      if (!/in use/i.test(`${message} ${details}`) || count === MAX_STARTS) throw error;
    }
  }
}

/** A port on 127.0.0.1 where nothing listens. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
