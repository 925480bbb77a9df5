// What the inspector asks beside the operations: pictures as data, and why a transaction failed.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAbiRegistry } from '../../src/decode/abiRegistry.ts';
import { decodeErrorResult } from '../../src/decode/decodeAbi.ts';
import { detectImageType } from '../../src/service/lookups/mediaPreview.ts';
import { MAX_IMAGE_BYTES } from '../../src/service/metadata/metadataLimits.ts';
import { type FilledChain, startService } from '../support/filledChain.ts';
import { forwardTo, startScriptedRpcNode } from '../support/scriptedRpcNode.ts';
import { useFilledChain } from '../support/useFilledChain.ts';

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

const world = useFilledChain({ allowsLoopbackMetadata: true });
let server: Server;
let base: string;
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    if (path === '/moved') {
      response.writeHead(302, { location: '/picture.png' }).end();
      return;
    }
    if (path === '/gone') {
      response.writeHead(404).end();
      return;
    }
    // Every one of them claims to be a PNG.
    response.writeHead(200, { 'content-type': 'image/png' });
    response.end(path === '/large' ? Buffer.concat([PNG, Buffer.alloc(MAX_IMAGE_BYTES)]) : path === '/svg' ? SVG : PNG);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
});

const preview = async (uri: string, service = world.service) =>
  (await service.lookup('mediaPreview', { chain: 'local', uri })).value;

describe('mediaPreview', () => {
  it('gives a picture byte for byte, also after a redirect, and asks for it once', async () => {
    const picture = { type: 'image/png', base64: PNG.toString('base64') };
    expect(await preview(`${base}/picture.png`)).toEqual({ kind: 'media', image: picture, problem: null });
    expect(await preview(`${base}/moved`)).toEqual({ kind: 'media', image: picture, problem: null });
    await preview(`${base}/picture.png`);
    expect(asked.filter(path => path === '/picture.png')).toHaveLength(2);
  });

  it('trusts the bytes, not the server: SVG never comes through', async () => {
    expect(await preview(`${base}/svg`)).toEqual({ kind: 'media', image: null, problem: 'unsupported' });
  });

  it('keeps to its size', async () => {
    expect(await preview(`${base}/large`)).toMatchObject({ image: null, problem: 'too-large' });
  });

  it.each([
    ['/gone', 'missing'],
    ['javascript:alert(1)', 'missing'],
    ['file:///etc/passwd', 'missing'],
    ['data:image/png;base64,AAAA', 'missing'],
  ])('says why %s gives nothing', async (uri, problem) => {
    expect(await preview(uri.startsWith('/') ? `${base}${uri}` : uri)).toMatchObject({ image: null, problem });
  });

  it('contacts no host that is not configured, even when a node is', async () => {
    const careful = startService({ local: world.anvil.url }, { loopbackOnly: true, allowsLoopbackMetadata: true });
    try {
      for (const uri of [
        'https://pictures.example/1.png',
        'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
      ])
        expect(await preview(uri, careful)).toMatchObject({ image: null, problem: 'refused' });
    } finally {
      await careful.stop();
    }
  });

  it('knows pictures by their first bytes', () => {
    const bytes = (text: string) => Buffer.from(text, 'latin1');
    expect(detectImageType(PNG)).toBe('image/png');
    expect(detectImageType(bytes('\xff\xd8\xff\xe0'))).toBe('image/jpeg');
    expect(detectImageType(bytes('GIF89a'))).toBe('image/gif');
    expect(detectImageType(bytes('RIFF\0\0\0\0WEBPVP8 '))).toBe('image/webp');
    expect(detectImageType(bytes('\0\0\0\x1cftypavif'))).toBe('image/avif');
    for (const other of ['', '<svg', 'RIFF\0\0\0\0WAVE', '\0\0\0\x1cftypmp42', '\xff\xd8', '%PDF-1.7'])
      expect(detectImageType(bytes(other)), other).toBeNull();
  });
});

describe('nodeTransaction', () => {
  it('has every field that the node has of a transaction and its receipt', async () => {
    const hash = world.chain.transactions.failedReason;
    const { transaction, receipt } = (await world.service.lookup('nodeTransaction', { chain: 'local', hash })).value;
    expect(transaction).toMatchObject({ hash, type: expect.any(String), r: expect.any(String), s: expect.any(String) });
    expect(receipt).toMatchObject({ transactionHash: hash, status: '0x0', effectiveGasPrice: expect.any(String) });
    const unknown = { chain: 'local', hash: `0x${'ab'.repeat(32)}` } as const;
    expect((await world.service.lookup('nodeTransaction', unknown)).value).toMatchObject({ transaction: null });
  });
});

describe('revertReason', () => {
  const reason = async (name: keyof FilledChain['chain']['transactions'], service = world.service) =>
    (await service.lookup('revertReason', { chain: 'local', hash: world.chain.transactions[name] })).value;
  const words = (output: string | null) =>
    decodeErrorResult(createAbiRegistry(), output ?? '0x').map(({ item, values }) => [item.name, values[0]?.value]);

  it('gives what the failed call returned', async () => {
    const found = await reason('failedReason');
    expect(found).toMatchObject({ failed: true, exact: true });
    expect(words(found.output)).toEqual([['Error', expect.any(String)]]);
    expect(words((await reason('failedPanic')).output)).toEqual([['Panic', '18']]);
    expect((await reason('failed')).output?.length).toBe(2 + 8 + 128);
  });

  it('gives the node’s words where nothing was returned', async () => {
    expect(await reason('failedOutOfGas')).toMatchObject({
      failed: true,
      output: null,
      error: expect.stringMatching(/gas/i) as unknown,
    });
  });

  it('calls again where the node does not trace, and says so', async () => {
    const forward = forwardTo(world.anvil.url);
    const node = await startScriptedRpcNode({
      answer: call =>
        call.method.startsWith('debug_') ? { error: { code: -32601, message: 'method not found' } } : forward(call),
    });
    const service = startService({ local: node.url });
    try {
      const [again, traced] = [await reason('failedReason', service), await reason('failedReason')];
      expect(again).toMatchObject({ failed: true, exact: false, output: traced.output });
    } finally {
      await service.stop();
      await node.stop();
    }
  });

  it('says nothing of what did not fail', async () => {
    expect(await reason('transferCoin')).toMatchObject({ failed: false, output: null });
  });
});
