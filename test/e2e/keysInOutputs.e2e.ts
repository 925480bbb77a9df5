// Keys in the URL of a node appear in no output, although the node repeats them: inspector, exports, status bar, progress.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { FrameLocator, Page } from 'playwright-core';
import { type Editor, pictured } from './harness.ts';
import { openPage } from './pageKeys.ts';
import { openSample, type Sample } from './sampleEditor.ts';
import { type SlowChain, startSlowChain } from './slowChain.ts';
import { acceptInput, chooseFile, notificationText, runCommand, statusBarText } from './userActions.ts';
import { readUntil } from './waits.ts';

const HEIGHT = 400;
const keys = {
  user: 'us3rk3yus3rk3yus3rk3y',
  password: 'passw0rdk3ypassw0rdk3y',
  path: 'c4a9e2d77b1f48d0b6a3e5f90c1d2e3f',
  stored: 'st0r3dk3yst0r3dk3yst0r3d',
  query: 'qu3ryk3yqu3ryk3yqu3ryk3y',
};

interface Reply {
  readonly id: unknown;
}

describe('keys in the URL of a node that repeats it', () => {
  let slow: SlowChain;
  let gateway: Server;
  let sample: Sample;
  let editor: Editor;
  let page: Page;
  let frame: FrameLocator;
  /** Whether the gateway refuses a call. */
  let isRefused = (_method: string): boolean => false;
  let paths: readonly (string | undefined)[] = [];

  before(async () => {
    slow = await startSlowChain(HEIGHT);
    gateway = createServer(async (request, response) => {
      paths = [...paths, request.url];
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      // The path alone: whole URLs are removed from errors anyway.
      const url = `${request.url}`;
      const change = ({ id, method }: Reply & { readonly method: string }, reply: Reply | undefined) => {
        if (method === 'web3_clientVersion') return { jsonrpc: '2.0', id, result: `Geth/v1.16.5 ${url}` };
        if (!isRefused(method)) return reply;
        return { jsonrpc: '2.0', id, error: { code: -32000, message: `cannot serve ${url}` } };
      };
      const headers = { 'content-type': 'application/json' };
      const asked = JSON.parse(body.toString());
      // The node is stopped before the gateway.
      const forwarded = await fetch(slow.node.url, { method: 'POST', headers, body }).catch(() => null);
      if (forwarded === null) return void response.destroy();
      const answer = await forwarded.json();
      const changed = Array.isArray(asked)
        ? asked.map(call =>
            change(
              call,
              (answer as Reply[]).find(({ id }) => id === call.id),
            ),
          )
        : change(asked, answer as Reply);
      response.writeHead(200, headers).end(JSON.stringify(changed));
    });
    gateway.listen(0, '127.0.0.1');
    await once(gateway, 'listening');
    const { port } = gateway.address() as AddressInfo;
    const path = `v3/${keys.path}/\${secret:stored}?apikey=${keys.query}`;
    sample = await openSample({
      openFile: null,
      workspaceSettings: {
        'hexlens.nodes': {
          // A user and a password are refused in settings: the message must not show them.
          sepolia: `https://${keys.user}:${keys.password}@node.example/`,
          eth: `http://127.0.0.1:${port}/${path}`,
        },
      },
      viewport: { width: 1280, height: 800 },
    });
    ({ editor } = sample);
    ({ page } = editor);
    frame = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  });
  after(async () => {
    await sample?.close();
    gateway?.closeAllConnections();
    gateway?.close();
    await slow?.stop();
  });

  const assertNoKeys = (text: string, output: string) => {
    for (const [name, key] of Object.entries(keys)) assert.ok(!text.includes(key), `the ${name} key is in ${output}`);
  };
  /** All of the window and of the page: texts, titles and labels. */
  const assertNoKeysOnScreen = async (output: string) => {
    assertNoKeys(await page.content(), `${output}: the window`);
    if ((await page.locator('iframe.webview.ready').count()) > 0)
      assertNoKeys(await frame.locator('html').evaluate(({ outerHTML }) => outerHTML), `${output}: the page`);
  };
  const toast = () => page.locator('.notifications-toasts .notification-list-item').filter({ hasText: 'Indexing 0x' });
  const note = (text: RegExp) => frame.locator('.note').filter({ hasText: text });

  it('reach the node and are not in the status bar', () =>
    pictured(editor, 'keys-status-bar', async () => {
      await runCommand(page, 'HexLens: Set API Key', true);
      await page.getByRole('option', { name: /secret:stored/ }).click();
      await page.locator('.quick-input-widget:visible input[type="password"]').fill(keys.stored);
      await acceptInput(page);
      await statusBarText(page, /Ethereum 400/);
      assert.deepEqual([...new Set(paths)], [`/v3/${keys.path}/${keys.stored}?apikey=${keys.query}`]);
      await assertNoKeysOnScreen('status bar');
    }));

  it('are not in progress', () =>
    pictured(editor, 'keys-progress', async () => {
      slow.allow(40);
      await openPage(page, 'artOnEth');
      await note(/still being built/).waitFor();
      slow.allow(120);
      await toast()
        .filter({ hasText: /\d+ of \d+ blocks/ })
        .waitFor();
      await assertNoKeysOnScreen('progress');
    }));

  for (const format of ['CSV', 'JSON'])
    it(`are not in an export as ${format}`, () =>
      pictured(editor, `keys-export-${format}`, async () => {
        const file = join(sample.workspace.folder, `transfers.${format.toLowerCase()}`);
        await frame.getByRole('button', { name: 'Export' }).click();
        await frame.getByRole('menuitem', { name: `Export as ${format}` }).click();
        await chooseFile(page, file);
        assertNoKeys(await notificationText(page, /Exported/), 'the notification');
        // The notification may be that of the export before.
        const text = await readUntil(
          () => readFile(file, 'utf8').catch(() => ''),
          found => found.endsWith(format === 'JSON' ? ']\n' : '\r\n'),
          'the exported file',
        );
        assert.match(text, /0x[0-9a-f]{40}/i);
        assertNoKeys(text, file);
      }));

  it('are not in pages with an error of the node', () =>
    pictured(editor, 'keys-page', async () => {
      isRefused = method => method !== 'eth_chainId' && method !== 'eth_blockNumber';
      const box = frame.getByRole('textbox', { name: 'Look up' });
      await box.fill(slow.chain.transactions.transferCoin);
      await box.press('Enter');
      await frame
        .getByRole('alert')
        .filter({ hasText: /cannot serve \/v3\/\(key\)/ })
        .first()
        .waitFor();
      await assertNoKeysOnScreen('a page');
    }));
});
