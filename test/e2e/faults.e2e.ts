// Keys in files and an unreachable node.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { checksumAddress } from '../../src/base/checksumAddress.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { pictured } from './harness.ts';
import { openSample, type Sample } from './sampleEditor.ts';
import { hoverText, leaveHover, openFile, statusBarText } from './userActions.ts';

describe('faults', () => {
  let sample: Sample;
  let node: Anvil | undefined;

  before(async () => {
    sample = await openSample({ theme: 'light' });
  });

  after(async () => {
    await sample?.close();
    await node?.stop();
  });

  it('recognizes a public development key and does not look it up', () =>
    pictured(sample.editor, 'hover-development-key', async () => {
      const { page } = sample.editor;
      await openFile(page, '.env');
      const text = await hoverText(page, sample.workspace.literals.devPrivateKey, /it is public/);
      assert.doesNotMatch(text, /Transaction|Not found/);
    }));

  it('copies from a hover', () =>
    pictured(sample.editor, 'hover-copy', async () => {
      const { page } = sample.editor;
      const { chain } = sample;
      await openFile(page, 'scripts/check.ts');
      await hoverText(page, chain.transactions.mintApe, /Copy sender/);
      await page.locator('.monaco-hover:visible a', { hasText: 'Copy sender' }).first().click();
      await statusBarText(page, /Copied/);
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      assert.equal(copied, checksumAddress(chain.accounts.deployer));
      // A hover that was clicked into stays until Escape.
      await page.keyboard.press('Escape');
      await leaveHover(page);
    }));

  it('shows that the node is unreachable and what to do', () =>
    pictured(sample.editor, 'hover-no-node', async () => {
      const { page } = sample.editor;
      await sample.stopChain();
      const text = await hoverText(page, sample.chain.accounts.fees, /nothing is listening/i);
      assert.match(text, /anvil/);
      assert.match(text, /Change nodes/);
    }));

  it('shows the unreachable node in the status bar', () =>
    pictured(sample.editor, 'status-bar-no-node', async () => {
      await statusBarText(sample.editor.page, /^\s*local\s*$/);
    }));

  it('says that it still waits for a node that hangs, and cancels the request', async () => {
    const { page } = sample.editor;
    const sockets = new Set<Socket>();
    const hanging = createServer(socket => {
      sockets.add(socket);
      socket.on('error', () => {}); // the node was given up
    });
    const { port } = new URL(sample.chain.url);
    hanging.listen(Number(port), '127.0.0.1');
    await once(hanging, 'listening');
    try {
      await pictured(sample.editor, 'hover-slow-node', async () => {
        const text = await hoverText(page, sample.chain.accounts.fees, /Still waiting for the node of local/);
        assert.match(text, /Address/);
      });
      await page.locator('.monaco-hover:visible a', { hasText: 'Cancel' }).first().click();
      await page.locator('.monaco-hover:visible').waitFor({ state: 'detached' });
    } finally {
      hanging.close();
      for (const socket of sockets) socket.destroy();
    }
  });

  it('shows the head in the status bar when the node is back', () =>
    pictured(sample.editor, 'status-bar-node-back', async () => {
      node = await startAnvil({ port: Number(new URL(sample.chain.url).port) });
      await statusBarText(sample.editor.page, /^\s*local 0\s*$/);
      await node.mine();
      await statusBarText(sample.editor.page, /^\s*local 1\s*$/);
    }));
});
