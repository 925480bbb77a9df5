// Sign-in messages verified by a remote host.
import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { getExtension, getTestChain, openWorkspaceFile } from './extensionHost.ts';
import { closeAll, getProblems, signer, verifySignIn, waitForNoProblems, waitForProblems } from './siweActions.ts';

interface HostResponse {
  readonly status: number;
  readonly body: unknown;
}

/** Runs `run` with a remote host that sends this response; returns the received requests. */
async function withHost(reply: HostResponse, run: () => Promise<void>): Promise<readonly unknown[]> {
  const received: unknown[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    received.push({ url: request.url, body: JSON.parse(text) });
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const settings = {
    source: 'remote',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  const write = async (value: Partial<typeof settings>) => {
    const section = vscode.workspace.getConfiguration('hexlens.auth');
    for (const key of ['baseUrl', 'source'] as const)
      await section.update(key, value[key], vscode.ConfigurationTarget.Global);
  };
  await write(settings);
  try {
    await run();
  } finally {
    await write({});
    server.close();
    server.closeAllConnections();
  }
  return received;
}

describe('sign-in messages and a remote host', () => {
  let good: string;

  before(async function () {
    if (getTestChain() === undefined) this.skip();
    await getExtension().activate();
    good = (await openWorkspaceFile('sign-in.txt')).getText();
  });
  afterEach(closeAll);

  it('verifies with the remote host of the settings', async () => {
    await openWorkspaceFile('sign-in.txt');
    const [message = '', signature = ''] = good.trim().split('\n\nSignature: ');
    const id = 'fromTheRemoteHost';
    const received = await withHost({ status: 201, body: { id, address: signer, chainId: '31337' } }, async () => {
      const identity = await verifySignIn();
      assert.deepEqual([identity?.['id'], identity?.['chainId']], [id, 31337]);
    });
    assert.deepEqual(received, [{ url: '/challenge/verify/evm', body: { message, signature } }]);
  });

  it('shows a rejection of the remote host at the field it concerns', async () => {
    const document = await openWorkspaceFile('sign-in.txt');
    await withHost({ status: 400, body: { statusCode: 400, message: 'Nonce was used' } }, async () => {
      assert.equal(await verifySignIn(), undefined);
    });
    const [problem] = await waitForProblems(document);
    assert.equal(document.getText(problem?.range), 'k5Yw2PqT8mZr');
    assert.match(problem?.message ?? '', /Nonce was used/);
  });

  it('shows no diagnostic when the host fails or requires a key', async () => {
    const document = await openWorkspaceFile('sign-in.txt');
    await waitForNoProblems(document); // of the test before
    for (const status of [401, 500])
      await withHost({ status, body: { message: 'no' } }, async () => {
        assert.equal(await verifySignIn(), undefined);
      });
    assert.deepEqual(getProblems(document), []);
  });
});
