// How long the service takes to say that it is healthy, and how much memory it takes, while a node answers without end.
import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { type ServeProcess, startServe } from '../service/cliProcess.ts';
import { createSyntheticChain } from '../support/syntheticChain.ts';
import type { BenchResult, BenchRow } from './benchResult.ts';

const MB = 1_000_000;
const CONCURRENT_REQUESTS = 32;
const MAX_HEALTH_MS = 200;
const MAX_MEMORY_MB = 600;
const MAX_REQUEST_MS = 60_000;
const PATH = `/api/v2/wallets/balances?chain=eth&wallet_addresses=0x${'ab'.repeat(20)}`;

/** Results that the node answers. */
const results: Readonly<Record<string, () => Buffer>> = {
  brackets: () => Buffer.alloc(20 * MB, '['),
  braces: () => Buffer.from('{"a":'.repeat(4 * MB)),
  objects: () => Buffer.from(`[${'{},'.repeat(7 * MB)}{}]`),
  numbers: () => Buffer.from(`[${'1,'.repeat(20 * MB)}1]`),
  keys: () => Buffer.from(`{${Array.from({ length: 2 * MB }, (_, at) => `"k${at}":1`)}}`),
  'text of 20 MB': () => Buffer.from(`"${'a'.repeat(20 * MB)}"`),
  'text of 60 MB': () => Buffer.from(`"${'a'.repeat(60 * MB)}"`),
  'text of 70 MB': () => Buffer.from(`"${'a'.repeat(70 * MB)}"`),
  escapes: () => Buffer.from(`"${'\\u0041'.repeat(3 * MB)}"`),
  digits: () => Buffer.from(`"0x${'f'.repeat(4 * MB)}"`),
  'a long number': () => Buffer.from('9'.repeat(8 * MB)),
  'invalid JSON': () => Buffer.from(`[${'1,'.repeat(2 * MB)}x]`),
  'many texts': () => Buffer.from(`[${'"ab",'.repeat(4 * MB)}""]`),
};
/** Whole bodies, with their encoding. */
const bodies: Readonly<Record<string, readonly [encoding: string, create: () => Buffer]>> = {
  gzip: ['gzip', () => gzipSync(Buffer.alloc(200 * MB, '{},'))],
  'gzip twice': ['gzip, gzip', () => gzipSync(gzipSync(Buffer.alloc(200 * MB, '{},')))],
  deflate: ['deflate', () => deflateSync(Buffer.alloc(100 * MB, '[],'))],
  brotli: [
    'br',
    () => brotliCompressSync(Buffer.alloc(50 * MB, '1,'), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  ],
  'gzip of digits': [
    'gzip',
    () =>
      gzipSync(
        `{"id":1,"result":"${Array.from({ length: 300_000 }, (_, at) => ((at * 2_654_435_761) % 2 ** 32).toString(16)).join('')}"}`,
      ),
  ],
  'an error': ['identity', () => Buffer.from(`{"id":1,"error":{"code":-32000,"message":"${'e'.repeat(20 * MB)}"}}`)],
  'data of an error': [
    'identity',
    () => Buffer.from(`{"id":1,"error":{"code":3,"message":"execution reverted","data":"0x${'ab'.repeat(10 * MB)}"}}`),
  ],
  blanks: ['identity', () => Buffer.alloc(60 * MB, ' ')],
  'null bytes': ['identity', () => Buffer.alloc(20 * MB)],
};

/** Blanks without end, as fast as they are read. */
function writeWithoutEnd(response: ServerResponse): void {
  const blanks = Buffer.alloc(65_536, ' ');
  const write = () => {
    while (!response.destroyed && response.write(blanks));
    if (!response.destroyed) response.once('drain', write);
  };
  write();
}

/** A blank every 5 ms. */
function writeSlowly(response: ServerResponse): void {
  const timer = setInterval(() => (response.destroyed ? clearInterval(timer) : response.write(' ')), 5);
}

type Respond = (response: ServerResponse, id: number) => void;
const modes: readonly (readonly [name: string, create: () => Respond])[] = [
  ...Object.entries(bodies).map(([name, [encoding, create]]) => {
    const createResponder = (): Respond => {
      const body = create();
      return response => response.writeHead(200, { 'content-encoding': encoding }).end(body);
    };
    return [name, createResponder] as const;
  }),
  ...Object.entries(results).map(([name, create]) => {
    const createResponder = (): Respond => {
      const result = create();
      return (response, id) => {
        response.write(`{"id":${id},"result":`);
        response.write(result);
        response.end('}');
      };
    };
    return [name, createResponder] as const;
  }),
  ['without end', () => writeWithoutEnd],
  ['one blank after the other', () => writeSlowly],
];

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: unknown[];
}

/** A node of a small chain that responds to a request for a balance by `respond`. */
async function startNode(respond: Respond): Promise<Server> {
  const chain = createSyntheticChain({ head: 100 });
  const toReply = ({ id, ...call }: Call) => ({ id, ...(chain.answer(call) ?? { result: null }) });
  const node = createServer(async (request, response) => {
    let sent = '';
    for await (const chunk of request) sent += chunk;
    const parsed = JSON.parse(sent) as Call | Call[];
    const calls = [parsed].flat();
    if (calls.some(({ method }) => method === 'eth_getBalance')) return respond(response, calls[0]?.id ?? 0);
    response.end(JSON.stringify(Array.isArray(parsed) ? calls.map(toReply) : toReply(parsed)));
  });
  node.on('connection', socket => socket.on('error', () => {}));
  await new Promise<void>(resolve => node.listen(0, '127.0.0.1', resolve));
  return node;
}

async function readPeakMb({ child }: ServeProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1_000;
}

async function measure(name: string, respond: Respond): Promise<readonly BenchRow[]> {
  const node = await startNode(respond);
  const server = await startServe([
    ...['--port', '0', '--key', 'k'],
    ...['--node', `eth=http://127.0.0.1:${(node.address() as AddressInfo).port}`],
  ]);
  const get = async (path: string) => {
    const signal = AbortSignal.timeout(MAX_REQUEST_MS);
    const reply = await fetch(`${server.ready.url}${path}`, { headers: { 'x-api-key': 'k' }, signal }).catch(
      () => null,
    );
    await reply?.text();
  };
  try {
    // What is compiled and connected first is not measured.
    await get('/health');
    await get('/api/v2/block/1?chain=eth');
    let [isDone, slowestMs] = [false, 0];
    const watchHealth = async () => {
      while (!isDone) {
        const startedAt = performance.now();
        await get('/health');
        slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      }
    };
    const watching = watchHealth();
    await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, () => get(PATH)));
    isDone = true;
    await watching;
    const peakMb = await readPeakMb(server);
    console.log(`${name}: /health ${slowestMs.toFixed(0)} ms, ${peakMb.toFixed(0)} MB`);
    return [
      { what: `/health, slowest: ${name}`, value: slowestMs, unit: 'ms', target: { max: MAX_HEALTH_MS } },
      { what: `memory, peak: ${name}`, value: peakMb, unit: 'MB', target: { max: MAX_MEMORY_MB } },
    ];
  } finally {
    await server.stop();
    node.closeAllConnections();
    node.close();
  }
}

/** The times are of a quiet machine: each answer is read by 32 requests at once beside the node that writes it. */
export async function runHostileBench(): Promise<BenchResult> {
  const rows: BenchRow[] = [];
  for (const [name, create] of modes) rows.push(...(await measure(name, create())));
  const slowestMs = Math.max(...rows.filter(({ unit }) => unit === 'ms').map(({ value }) => value));
  const peakMb = Math.max(...rows.filter(({ unit }) => unit === 'MB').map(({ value }) => value));
  return {
    title: 'A node that answers without end',
    rows: [
      ...rows,
      { what: '/health, slowest of all', value: slowestMs, unit: 'ms', target: { max: MAX_HEALTH_MS } },
      { what: 'memory, peak of all', value: peakMb, unit: 'MB', target: { max: MAX_MEMORY_MB } },
    ],
  };
}
