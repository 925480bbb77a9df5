// Hovers with a real mouse over literals of the sample workspace, and while its node is down.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { checksumAddress } from '../../src/base/checksumAddress.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import type { TestChain } from '../support/chain/testChain.ts';
import { type Editor, pictured } from './harness.ts';
import { changeTheme, openSample, type Sample } from './sampleEditor.ts';
import {
  acceptInput,
  hoverText,
  leaveHover,
  notificationText,
  openFile,
  quickInput,
  runCommand,
  statusBarText,
} from './userActions.ts';

/** What the hovers are expected to say; the words are those of src/view/hover. */
const expected = {
  contract: /Contract[\s\S]*Balance[\s\S]*ETH/,
  account: /Account[\s\S]*Balance[\s\S]*ETH/,
  transaction: /Transaction[\s\S]*Success/,
  failedTransaction: /Transaction[\s\S]*Failed/,
  wrongChecksum: /checksum (of this address )?is wrong/i,
  topic: /Transfer/,
} as const;

const key = 'not-a-real-key-0123456789';

describe('hovers', () => {
  let sample: Sample;
  let editor: Editor;
  let chain: TestChain;
  /** The node that replaces the sample's. */
  let node: Anvil | undefined;

  before(async () => {
    sample = await openSample();
    ({ editor, chain } = sample);
  });

  after(() => sample?.close());

  it('shows the head of the chain in the status bar', () =>
    pictured(editor, 'status-bar', async () => {
      await statusBarText(editor.page, new RegExp(`Local dev chain\\D*${chain.head.number}`));
    }));

  it('shows a contract', () =>
    pictured(editor, 'hover-contract', async () => {
      const text = await hoverText(editor.page, chain.contracts.coin, expected.contract);
      assert.match(text, /ERC-20/);
    }));

  it('shows the balance of an account', () =>
    pictured(editor, 'hover-account', async () => {
      await hoverText(editor.page, chain.accounts.fees, expected.account);
    }));

  it('shows a transaction', () =>
    pictured(editor, 'hover-transaction', async () => {
      await hoverText(editor.page, chain.transactions.mintApe, expected.transaction);
    }));

  it('names a well-known event topic', () =>
    pictured(editor, 'hover-topic', async () => {
      await hoverText(editor.page, chain.topics.transfer, expected.topic);
    }));

  it('warns of a wrong checksum', () =>
    pictured(editor, 'hover-wrong-checksum', async () => {
      await openFile(editor.page, 'README.md');
      await hoverText(editor.page, sample.workspace.literals.wrongChecksum, expected.wrongChecksum);
    }));

  it('shows a failed transaction', () =>
    pictured(editor, 'hover-failed-transaction', async () => {
      await hoverText(editor.page, chain.transactions.failed, expected.failedTransaction);
    }));

  it('recognizes a public development key and does not look it up', () =>
    pictured(editor, 'hover-development-key', async () => {
      const { page } = editor;
      await openFile(page, '.env');
      const text = await hoverText(page, sample.workspace.literals.devPrivateKey, /It is public/);
      assert.doesNotMatch(text, /Transaction|Not found/);
    }));

  it('copies from a hover', () =>
    pictured(editor, 'hover-copy', async () => {
      const { page } = editor;
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

  describe('while the node is down, in the light theme', () => {
    // What was shown before would be shown again: these steps point at a contract that was not.
    before(() => changeTheme(sample, 'light'));
    after(() => node?.stop());

    it('shows that the node is unreachable and what to do', () =>
      pictured(editor, 'hover-no-node', async () => {
        const { page } = editor;
        await sample.stopChain();
        // On its way the pointer may show the hover of the contract below, which was read before.
        await hoverText(page, chain.contracts.apes, /nothing is listening[\s\S]*anvil[\s\S]*Change nodes/i);
      }));

    it('shows the unreachable node in the status bar', () =>
      pictured(editor, 'status-bar-no-node', async () => {
        await statusBarText(editor.page, /^\s*Local dev chain\s*$/);
      }));

    it('says that it still waits for a node that hangs, and cancels the request', async () => {
      const { page } = editor;
      const sockets = new Set<Socket>();
      const hanging = createServer(socket => {
        sockets.add(socket);
        socket.on('error', () => {}); // the node was given up
      });
      const { port } = new URL(chain.url);
      hanging.listen(Number(port), '127.0.0.1');
      await once(hanging, 'listening');
      try {
        await pictured(editor, 'hover-slow-node', async () => {
          const text = await hoverText(page, chain.contracts.apes, /The node of Local dev chain takes long to respond/);
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
      pictured(editor, 'status-bar-node-back', async () => {
        node = await startAnvil({ port: Number(new URL(chain.url).port) });
        await statusBarText(editor.page, /^\s*Local dev chain 0\s*$/);
        await node.mine();
        await statusBarText(editor.page, /^\s*Local dev chain 1\s*$/);
      }));
  });

  it('prompts for an API key and stores it', () =>
    pictured(editor, 'set-api-key', async () => {
      const { page } = editor;
      await runCommand(page, 'HexLens: Set API Key', true);
      await quickInput(page).waitFor();
      // The public Aptos networks are known hosts; the key is for another one.
      await page.getByRole('option', { name: 'Another host…' }).click();
      await page.locator('.quick-input-widget:visible').filter({ hasText: 'Which host' }).waitFor();
      await quickInput(page).fill('https://api.example.com');
      await editor.screenshot('set-api-key-host');
      await acceptInput(page);
      await page.locator('.quick-input-widget:visible input[type="password"]').fill(key);
      await editor.screenshot('set-api-key-key');
      await acceptInput(page);
      assert.ok(!(await notificationText(page, /API key/)).includes(key));
    }));

  it('sent requests only to the editor server', () => {
    assert.deepEqual(editor.foreignRequests, []);
  });
});
