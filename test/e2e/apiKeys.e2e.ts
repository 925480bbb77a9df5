// Keys of node URLs: Set API Key replaces the key of a placeholder and moves a literal key out of the settings, Clear API Key removes it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type Editor, pictured } from './harness.ts';
import { choose, row } from './quickPick.ts';
import { openSample, type Sample } from './sampleEditor.ts';
import { acceptInput, closeInput, notificationText, quickInput, runCommand } from './userActions.ts';
import { actUntil, readUntil } from './waits.ts';

const LITERAL_KEY = 'c4a9e2d77b1f48d0b6a3e5f90c1d2e3f';
const NEW_KEY = 'n3wk3yn3wk3yn3wk3yn3wk3y';

describe('keys in URLs of nodes', () => {
  let sample: Sample;
  let editor: Editor;
  let page: Page;
  let node: Server;
  const paths = new Set<string | undefined>();

  before(async () => {
    sample = await openSample(async ({ chain }) => {
      node = createServer(async (request, response) => {
        paths.add(request.url);
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(chain.url, { method: 'POST', headers, body: Buffer.concat(chunks) });
        response.end(await answer.text());
      });
      node.listen(0, '127.0.0.1');
      await once(node, 'listening');
      const { port } = node.address() as AddressInfo;
      return {
        workspaceSettings: {
          'hexlens.nodes': {
            '0x7a69': `http://127.0.0.1:${port}/v3/\${secret:mine}`,
            sepolia: `https://sepolia.node.example/v3/${LITERAL_KEY}`,
          },
        },
      };
    });
    ({ editor } = sample);
    ({ page } = editor);
  });
  after(async () => {
    await sample?.close();
    node?.closeAllConnections();
    node?.close();
  });

  it('replaces the key of a placeholder, which the node then gets', () =>
    pictured(editor, 'set-url-key', async () => {
      await runCommand(page, 'HexLens: Set API Key', true);
      await page.getByRole('option', { name: /secret:mine/ }).click();
      await page.locator('.quick-input-widget:visible input[type="password"]').fill(NEW_KEY);
      await acceptInput(page);
      assert.ok(!(await notificationText(page, /API key for 127\.0\.0\.1:\d+ is set/)).includes(NEW_KEY));
      await readUntil(
        async () => [...paths],
        all => all.includes(`/v3/${NEW_KEY}`),
        'a request with the key',
      );
      assert.ok(
        [...paths].every(path => path === `/v3/${NEW_KEY}`),
        'requests without the key were sent',
      );
    }));

  it('moves a literal key from the settings to the secret storage', () =>
    pictured(editor, 'move-url-key', async () => {
      await runCommand(page, 'HexLens: Set API Key', true);
      await page.getByRole('option', { name: 'Move the key of sepolia.node.example' }).click();
      await quickInput(page).waitFor({ state: 'hidden' });
      // What the list offers is read from the settings: the key there is a placeholder as soon as they are written.
      await actUntil(
        async () => {
          await page.keyboard.press('Escape');
          await runCommand(page, 'HexLens: Set API Key', true);
        },
        timeout => page.getByRole('option', { name: /sepolia\.node\.example.*\$\{secret:node\}/ }).waitFor({ timeout }),
      );
      assert.equal(await page.getByRole('option', { name: 'Move the key of sepolia' }).count(), 0);
      await closeInput(page);
    }));

  it('says where a stored key is used, and removes it', () =>
    pictured(editor, 'clear-url-key', async () => {
      await runCommand(page, 'HexLens: Clear API Key', true);
      await row(page, /\$\{secret:mine\}\s*0x7a69: 127\.0\.0\.1:\d+/).waitFor();
      await choose(page, /\$\{secret:node\}\s*sepolia: sepolia\.node\.example/);
      await notificationText(page, /The key \$\{secret:node\} is removed from the secret storage/);
      await runCommand(page, 'HexLens: Clear API Key', true);
      await row(page, 'secret:mine').waitFor();
      assert.equal(await row(page, 'secret:node').count(), 0);
      await closeInput(page);
    }));
});
