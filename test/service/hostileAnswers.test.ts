// Answers of nodes without end: compressed bombs, deep and dense JSON, many at once. The service responds, in little memory.
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createSyntheticChain } from '../support/syntheticChain.ts';
import { scaleLimit } from '../support/timeLimits.ts';
import { type ServeProcess, startServe } from './cliProcess.ts';

const MB = 1_000_000;
const CONCURRENT_REQUESTS = 32;
const MAX_MEMORY_KB = 600_000;
/** 200 ms on a quiet machine, and 8 s when such an answer is parsed on the serving thread: what else runs beside the tests takes the rest. */
const MAX_HEALTH_MS = scaleLimit(4_000);
const PATH = `/api/v2/wallets/balances?chain=eth&wallet_addresses=0x${'ab'.repeat(20)}`;

interface Answer {
  readonly name: string;
  readonly encoding?: string;
  /** The whole body with an encoding, else the result in it. */
  create(): Buffer | Promise<Buffer>;
  readonly fault: RegExp;
}

let bomb: Promise<Buffer> | undefined;

/** 200 MB of JSON within the limits of values and texts, in gzip; its end is not there. Made once, and in pieces, since that is costly. */
function createBomb(): Promise<Buffer> {
  const piece = Buffer.alloc(2 * MB, `,"${'a'.repeat(97)}"`);
  const start = Buffer.from(piece);
  start[0] = '['.charCodeAt(0);
  bomb ??= buffer(Readable.from([start, ...Array<Buffer>(99).fill(piece)]).pipe(createGzip()));
  return bomb;
}

/** A text in JSON. */
function createText(bytes: number): Buffer {
  const text = Buffer.alloc(bytes + 2, 'a');
  text[0] = text[bytes + 1] = '"'.charCodeAt(0);
  return text;
}

const answers: readonly Answer[] = [
  {
    name: '200 MB in 200 kB of gzip',
    encoding: 'gzip',
    create: createBomb,
    fault:
      /to eth_getBalance .* too large .*: the response of \S+ (is compressed to less than 1\/100 of its size|and the others that are)/,
  },
  {
    name: '200 MB in two layers of gzip',
    encoding: 'gzip, gzip',
    create: async () => gzipSync(await createBomb()),
    fault: /compressed to less than 1\/100 of its size|the others that are being read are larger than 64 MiB together/,
  },
  {
    name: '20 million brackets',
    create: () => Buffer.alloc(20 * MB, '['),
    fault: /to eth_getBalance .* too large .*: it is nested more than 2500 levels deep/,
  },
  {
    name: '7 million objects',
    create: () => Buffer.from(`[${'{},'.repeat(7 * MB)}{}]`),
    fault: /to eth_getBalance .* too large .*: it has more than \d+ values/,
  },
  {
    name: '70 MB',
    create: () => createText(70 * MB),
    fault:
      /too large .*: (the response of \S+ (is larger than 64 MiB|and the others that are being read are larger)|a text in it has)/,
  },
  {
    name: 'an object of 2 million keys',
    create: () => Buffer.from(`{${Array.from({ length: 2 * MB }, (_, n) => `"k${n}":1`)}}`),
    fault: /An object in it has more than 100000 keys|the others that are being read are larger than 64 MiB together/i,
  },
  {
    name: '60 MB in one text',
    create: () => createText(60 * MB),
    fault: /A text in it has more than \d+ characters|the others that are being read are larger than 64 MiB together/i,
  },
  {
    name: '60 MB of blanks',
    encoding: 'identity',
    create: () => Buffer.alloc(60 * MB, ' '),
    fault: /answered with nothing|the others that are being read are larger than 64 MiB together/,
  },
  {
    name: '20 MB of text',
    create: () => createText(20 * MB),
    fault: /A text in it has more than \d+ characters|the others that are being read are larger than 64 MiB together/i,
  },
  {
    name: 'a quantity of 4 million digits',
    create: () => Buffer.from(`"0x${'f'.repeat(4 * MB)}"`),
    fault: /eth_getBalance that cannot be true|the others that are being read are larger than 64 MiB together/,
  },
];

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** A node of a small chain whose balances are the answer. */
async function startHostileNode({ encoding, create }: Answer): Promise<string> {
  const chain = createSyntheticChain({ head: 100 });
  const body = await create();
  const node: Server = createServer(async (request, response) => {
    let sent = '';
    for await (const chunk of request) sent += chunk;
    const parsed = JSON.parse(sent) as unknown;
    const calls = [parsed].flat() as { readonly id: number; readonly method: string; readonly params: unknown[] }[];
    const toReply = ({ id, ...call }: (typeof calls)[number]) => ({ id, ...(chain.answer(call) ?? { result: null }) });
    const isTarget = calls.some(({ method }) => method === 'eth_getBalance');
    response.writeHead(200, isTarget && encoding !== undefined ? { 'content-encoding': encoding } : {});
    if (!isTarget)
      return void response.end(JSON.stringify(Array.isArray(parsed) ? calls.map(toReply) : toReply(calls[0] as never)));
    if (encoding !== undefined) return void response.end(body);
    response.write(`{"id":${calls[0]?.id},"result":`);
    response.write(body);
    return void response.end('}');
  });
  await new Promise<void>(resolve => node.listen(0, '127.0.0.1', resolve));
  stops.push(async () => {
    node.closeAllConnections();
    node.close();
  });
  return `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
}

async function readPeakKb({ child }: ServeProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]);
}

describe.each(answers)('$name', answer => {
  it('is named with node, method and limit, while the service responds in less than 600 MB', async () => {
    const server = await startServe(['--port', '0', '--key', 'k', '--node', `eth=${await startHostileNode(answer)}`]);
    stops.push(server.stop);
    const get = async (path: string) => {
      const reply = await fetch(`${server.ready.url}${path}`, { headers: { 'x-api-key': 'k' } });
      return { status: reply.status, text: await reply.text() };
    };
    let isDone = false;
    const watchHealth = async () => {
      let slowestMs = 0;
      while (!isDone) {
        const startedAt = performance.now();
        expect((await get('/health')).status).toBe(200);
        slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      }
      return slowestMs;
    };
    const watching = watchHealth();
    const replies = await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, () => get(PATH)));
    isDone = true;
    expect(await watching).toBeLessThan(MAX_HEALTH_MS);
    for (const { status, text } of replies) {
      expect([413, 502]).toContain(status);
      expect(text).toContain('The node of Ethereum (127.0.0.1:');
      expect(text).toMatch(answer.fault);
    }
    expect(await readPeakKb(server)).toBeLessThan(MAX_MEMORY_KB);
  });
});
