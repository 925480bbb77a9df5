// Sign-in messages verified by a remote host, and what the editor makes of its answers.
import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { hexlens, openWorkspaceFile, testChain } from './extensionHost.ts';
import { closeAll, marked, marks, signer, verifySignIn } from './siweActions.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Runs `work` with sign-ins verified by a host that answers like this; gives the bodies it was sent. */
async function withHost(answer: Answer, work: () => Promise<void>): Promise<readonly unknown[]> {
  const received: unknown[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    received.push({ url: request.url, body: JSON.parse(text) });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
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
    await work();
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
    if (testChain() === undefined) this.skip();
    await hexlens().activate();
    good = (await openWorkspaceFile('sign-in.txt')).getText();
  });
  afterEach(closeAll);

  it('a remote host verifies where the settings say so', async () => {
    await openWorkspaceFile('sign-in.txt');
    const [message = '', signature = ''] = good.trim().split('\n\nSignature: ');
    const id = 'fromTheRemoteHost';
    const received = await withHost({ status: 201, body: { id, address: signer, chainId: '31337' } }, async () => {
      const identity = await verifySignIn();
      assert.deepEqual([identity?.['id'], identity?.['chainId']], [id, 31337]);
    });
    assert.deepEqual(received, [{ url: '/challenge/verify/evm', body: { message, signature } }]);
  });

  it("a remote host's refusal is marked at the part it is about", async () => {
    const document = await openWorkspaceFile('sign-in.txt');
    await withHost({ status: 400, body: { statusCode: 400, message: 'Nonce was used' } }, async () => {
      assert.equal(await verifySignIn(), undefined);
    });
    const [mark] = await marked(document);
    assert.equal(document.getText(mark?.range), 'k5Yw2PqT8mZr');
    assert.match(mark?.message ?? '', /Nonce was used/);
  });

  it('a host that is broken or wants a key is no fault of the message', async () => {
    const document = await openWorkspaceFile('sign-in.txt');
    for (const status of [401, 500])
      await withHost({ status, body: { message: 'no' } }, async () => {
        assert.equal(await verifySignIn(), undefined);
      });
    assert.deepEqual(marks(document), []);
  });
});
