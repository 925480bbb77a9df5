// A worker with a node whose answers to requests for a balance have no end or no sense, in the mode of its worker data.
// A thread of its own: what it writes must not delay the benchmark's own requests.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { createSyntheticChain } from '../support/syntheticChain.ts';

const MB = 1_000_000;

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
/** A valid body, so that its size and compression are what is refused. */
const fill = (size: number, element: string): Buffer =>
  Buffer.concat([Buffer.from('{"id":1,"result":['), Buffer.alloc(size, `${element},`), Buffer.from(`${element}]}`)]);

/** Whole bodies, with their encoding. */
const bodies: Readonly<Record<string, readonly [encoding: string, create: () => Buffer]>> = {
  gzip: ['gzip', () => gzipSync(fill(201 * MB, '{}'))],
  'gzip twice': ['gzip, gzip', () => gzipSync(gzipSync(fill(201 * MB, '{}')))],
  deflate: ['deflate', () => deflateSync(fill(102 * MB, '[]'))],
  brotli: ['br', () => brotliCompressSync(fill(50 * MB, '1'), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
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
const modes: Readonly<Record<string, () => Respond>> = {
  ...mapValues(bodies, ([encoding, create]) => () => {
    const body = create();
    return response => response.writeHead(200, { 'content-encoding': encoding }).end(body);
  }),
  ...mapValues(results, create => () => {
    const result = create();
    return (response, id) => {
      response.write(`{"id":${id},"result":`);
      response.write(result);
      response.end('}');
    };
  }),
  'without end': () => writeWithoutEnd,
  'one blank after the other': () => writeSlowly,
};

function mapValues<T>(values: Readonly<Record<string, T>>, map: (value: T) => () => Respond) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}

export const HOSTILE_MODES: readonly string[] = Object.keys(modes);

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: unknown[];
}

/** A node of a small chain that responds to requests for a balance by `respond`; its port. */
async function startNode(respond: Respond): Promise<number> {
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
  return (node.address() as AddressInfo).port;
}

if (parentPort !== null) {
  const create = modes[String(workerData)];
  if (create === undefined) throw new Error(`There is no mode ${workerData}.`);
  parentPort.postMessage(await startNode(create()));
}
