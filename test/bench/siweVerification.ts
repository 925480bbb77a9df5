// Verification of Sign-In with Ethereum against viem and siwe: whole, cold in a new process, and over HTTP.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { SiweMessage } from 'siwe';
import { Pool } from 'undici';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { createSignatureEngineLoader } from '../../src/service/siwe/signatureEngineLoader.ts';
import { createSiweVerifier } from '../../src/service/siwe/siweVerifier.ts';
import { startServe } from '../service/cliProcess.ts';
import { type BenchResult, type BenchRow, measureInTurn, median } from './benchResult.ts';
import { verifyWithViem } from './siwePeer.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const BATCH = 30;
const RUNS = 21;
const COLD_RUNS = 11;
const HTTP_ROUNDS = 11;
const CONCURRENT_REQUESTS = 8;

interface Signed {
  readonly message: string;
  readonly signature: Hex;
}

async function signedMessages(count: number): Promise<readonly Signed[]> {
  const account = privateKeyToAccount(generatePrivateKey());
  const issued = Date.now() - 1_000;
  const signed: Signed[] = [];
  for (let i = 0; i < count; i++) {
    const message = [
      'example.com wants you to sign in with your Ethereum account:',
      account.address,
      '',
      'I accept the Terms of Service: https://example.com/tos',
      '',
      'URI: https://example.com/login',
      'Version: 1',
      'Chain ID: 1',
      `Nonce: Px7Nh1RPzlCLw${i.toString().padStart(6, '0')}`,
      `Issued At: ${new Date(issued).toISOString()}`,
      `Expiration Time: ${new Date(issued + 3_600_000).toISOString()}`,
    ].join('\n');
    signed.push({ message, signature: await account.signMessage({ message }) });
  }
  return signed;
}

const nodes = {
  selectors: [],
  find() {
    throw new Error('An externally owned account needs no node.');
  },
  close() {},
  probe() {
    throw new Error('An externally owned account needs no node.');
  },
};

/** Parse, check times, hash, recover, consume the nonce, create the record; the peers do parts of that. */
async function measureWhole(messages: readonly Signed[]): Promise<BenchRow[]> {
  const engines = createSignatureEngineLoader({ log: silentLog });
  const ours = async () => {
    // A new verifier for each run: a nonce is valid once.
    const { verify } = createSiweVerifier({ nodes, clock: systemClock, log: silentLog, engines });
    for (const { message, signature } of messages) await verify(message, signature);
  };
  const viem = async () => {
    for (const { message, signature } of messages)
      if ((await verifyWithViem(message, signature)) === null) throw new Error('viem rejected a valid message.');
  };
  const siwe = async () => {
    for (const { message, signature } of messages) {
      const { success } = await new SiweMessage(message).verify({ signature });
      if (!success) throw new Error('siwe rejected a valid message.');
    }
  };
  for (const work of [ours, ours, ours, ours, viem, siwe]) await work();
  const withViem = await measureInTurn(RUNS, ours, viem);
  const withSiwe = await measureInTurn(RUNS, ours, siwe);
  return [
    { what: 'whole verification', value: withViem.ours / BATCH, unit: 'ms' },
    { what: 'viem: parse, validate, verify', value: withViem.theirs / BATCH, unit: 'ms' },
    { what: 'viem against ours', value: 1 / withViem.ratio, unit: 'x', target: { min: 16 } },
    { what: 'siwe 3 with ethers', value: withSiwe.theirs / BATCH, unit: 'ms' },
    { what: 'siwe against ours', value: 1 / withSiwe.ratio, unit: 'x', target: { min: 28 } },
  ];
}

/** A bundle like those of the worker. */
async function bundle(name: string, contents: string): Promise<string> {
  const outfile = join(root, `out/bench/${name}.cjs`);
  mkdirSync(join(root, 'out/bench'), { recursive: true });
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile,
    external: ['*/jsSignatureEngine.ts'], // the fallback is a bundle of its own
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    mainFields: ['module', 'main'],
    logLevel: 'silent',
  });
  return outfile;
}

/** Milliseconds that `work`, the source of a promise, takes in a new process. */
function timeInNewProcess(work: string): number {
  const script = `const start = performance.now(); (${work}).then(() => console.log(performance.now() - start));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  const time = Number(stdout);
  if (!(time > 0)) throw new Error(`The first verification failed: ${stderr}`);
  return time;
}

/**
 * Loads only the verifier in a new process, and runs its first verification; in turn with the engine alone, which recovers
 * a key: the part that any program has that uses it.
 */
async function measureCold([signed]: readonly Signed[]): Promise<BenchRow[]> {
  const verifier = await bundle(
    'signIn',
    `export { createSiweVerifier } from './src/service/siwe/siweVerifier.ts';
    export { systemClock } from './src/base/clock.ts';
    export { silentLog } from './src/base/log.ts';`,
  );
  const engine = await bundle(
    'signatureEngine',
    `export { createWasmSignatureEngine } from './src/service/siwe/wasmSignatureEngine.ts';`,
  );
  const whole = `(async () => {
    const { createSiweVerifier, systemClock: clock, silentLog: log } = require(${JSON.stringify(verifier)});
    const nodes = { selectors: [], find() { throw new Error('no node'); } };
    await createSiweVerifier({ nodes, clock, log }).verify(...${JSON.stringify([signed?.message, signed?.signature])});
  })()`;
  const bare = `(async () => {
    const { recoverPublicKey } = await require(${JSON.stringify(engine)}).createWasmSignatureEngine();
    const signature = Uint8Array.from(Buffer.from('${signed?.signature.slice(2)}', 'hex'));
    recoverPublicKey(new Uint8Array([signature[64] - 27, ...signature.subarray(0, 64)]), new Uint8Array(32).fill(1));
  })()`;
  const times = Array.from({ length: COLD_RUNS }, () => ({
    whole: timeInNewProcess(whole),
    bare: timeInNewProcess(bare),
  }));
  return [
    { what: 'the verifier as a bundle', value: statSync(verifier).size / 1000, unit: 'kB' },
    {
      what: 'load, init and first verification in a new process',
      value: median(times.map(time => time.whole)),
      unit: 'ms',
    },
    {
      what: '... against its WebAssembly with one recovery',
      value: median(times.map(time => time.whole / time.bare)),
      unit: 'x',
      target: { max: 1.7 },
    },
  ];
}

/** Milliseconds per request, with {@link CONCURRENT_REQUESTS} at a time. */
async function measureRequests(pool: Pool, requests: number, messages: readonly Signed[]): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-api-key': 'k' };
  let next = 0;
  const start = performance.now();
  const send = async () => {
    while (next < requests) {
      const body = JSON.stringify(messages[next++ % messages.length]);
      const response = await pool.request({ path: '/challenge/verify/evm', method: 'POST', headers, body });
      const text = await response.body.text();
      if (response.statusCode !== 201) throw new Error(`Rejected: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, send));
  return (performance.now() - start) / requests;
}

async function measureOverHttp(messages: readonly Signed[]): Promise<BenchRow[]> {
  const peer = spawn(process.execPath, [join(root, 'test/bench/siwePeer.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const served = await startServe(['--port', '0', '--key', 'k', '--repeat-sign-in']);
  try {
    const [line] = await once(peer.stdout, 'data');
    const ours = new Pool(served.ready.url, { connections: CONCURRENT_REQUESTS });
    const theirs = new Pool(String(line).trim(), { connections: CONCURRENT_REQUESTS });
    await measureRequests(ours, 1_500, messages);
    await measureRequests(theirs, 150, messages);
    const rounds: { ours: number; theirs: number }[] = [];
    for (let round = 0; round < HTTP_ROUNDS; round++) {
      const first = round % 2 === 0 ? await measureRequests(ours, 600, messages) : null;
      const peers = await measureRequests(theirs, 60, messages);
      rounds.push({ ours: first ?? (await measureRequests(ours, 600, messages)), theirs: peers });
    }
    await Promise.all([ours.close(), theirs.close()]);
    const ratio = median(rounds.map(({ ours, theirs }) => theirs / ours));
    return [
      { what: 'over HTTP, per request (8 concurrent)', value: median(rounds.map(({ ours }) => ours)), unit: 'ms' },
      { what: 'node:http with viem, per request', value: median(rounds.map(({ theirs }) => theirs)), unit: 'ms' },
      { what: 'requests per second against viem', value: ratio, unit: 'x', target: { min: 7 } },
    ];
  } finally {
    peer.kill();
    await served.stop();
  }
}

export async function runSiweBench(): Promise<BenchResult> {
  const messages = await signedMessages(BATCH);
  return {
    title: 'Sign-in verification',
    rows: [...(await measureWhole(messages)), ...(await measureCold(messages)), ...(await measureOverHttp(messages))],
  };
}
