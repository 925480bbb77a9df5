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

const settings = () => vscode.workspace.getConfiguration('hexlens.auth');
const Global = vscode.ConfigurationTarget.Global;

describe('sign-in messages and a remote host', () => {
  let good: string;
  let reply: HostResponse = { status: 404, body: {} };
  const received: unknown[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    received.push({ url: request.url, body: JSON.parse(text) });
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
  });

  before(async function () {
    if (getTestChain() === undefined) this.skip();
    await getExtension().activate();
    good = (await openWorkspaceFile('sign-in.txt')).getText();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    await settings().update('baseUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`, Global);
    await settings().update('source', 'remote', Global);
  });
  afterEach(closeAll);
  after(async () => {
    for (const key of ['source', 'baseUrl']) await settings().update(key, undefined, Global);
    server.close();
    server.closeAllConnections();
  });

  it('verifies with the remote host of the settings', async () => {
    await openWorkspaceFile('sign-in.txt');
    const [message = '', signature = ''] = good.trim().split('\n\nSignature: ');
    const id = 'fromTheRemoteHost';
    reply = { status: 201, body: { id, address: signer, chainId: '31337' } };
    const identity = await verifySignIn();
    assert.deepEqual([identity?.['id'], identity?.['chainId']], [id, 31337]);
    assert.deepEqual(received, [{ url: '/challenge/verify/evm', body: { message, signature } }]);
  });

  it('shows a rejection of the remote host at the field it concerns', async () => {
    const document = await openWorkspaceFile('sign-in.txt');
    reply = { status: 400, body: { statusCode: 400, message: 'Nonce was used' } };
    assert.equal(await verifySignIn(), undefined);
    const [problem] = await waitForProblems(document);
    assert.equal(document.getText(problem?.range), 'k5Yw2PqT8mZr');
    assert.match(problem?.message ?? '', /Nonce was used/);
  });

  it('shows no diagnostic when the host fails or requires a key', async () => {
    const document = await openWorkspaceFile('sign-in.txt');
    await waitForNoProblems(document); // of the test before
    for (const status of [401, 500]) {
      reply = { status, body: { message: 'no' } };
      const before = received.length;
      assert.equal(await verifySignIn(), undefined);
      assert.ok(received.length > before);
    }
    assert.deepEqual(getProblems(document), []);
  });
});
