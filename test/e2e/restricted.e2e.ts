// Restricted Mode: settings and artifacts of the workspace are ignored until the user trusts it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type Editor, pictured } from './harness.ts';
import { row, rowTexts } from './quickPick.ts';
import { openNewSample, type Sample } from './sampleEditor.ts';
import { closeInput, hoverText, leaveHover, openFile, runCommand, statusBarText } from './userActions.ts';
import { actUntil } from './waits.ts';

/** keccak-256 of `Bid(address,uint256)`, an event of no well-known contract. */
const TOPIC = '0xe684a55f31b79eca403df938249029212a5925ec6be8012e099b45bc1019e5d2';

const artifact = {
  abi: [
    {
      type: 'event',
      name: 'Bid',
      inputs: [
        { name: 'bidder', type: 'address', indexed: true, internalType: 'address' },
        { name: 'amount', type: 'uint256', indexed: false, internalType: 'uint256' },
      ],
      anonymous: false,
    },
  ],
  bytecode: { object: '0x60' },
};

/** A node that counts its requests and forwards them to the chain. */
async function startCountingNode(
  url: string,
): Promise<{ readonly url: string; requestCount(): number; readonly server: Server }> {
  let count = 0;
  const server = createServer(async (request, response) => {
    count++;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body: Buffer.concat(chunks) });
    response.writeHead(answer.status, headers).end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requestCount: () => count, server };
}

describe('an untrusted workspace', () => {
  let sample: Sample;
  let editor: Editor;
  let page: Page;
  let foreign: Awaited<ReturnType<typeof startCountingNode>>;

  before(async () => {
    sample = await openNewSample(async ({ chain, workspace }) => {
      foreign = await startCountingNode(chain.url);
      const files: Readonly<Record<string, unknown>> = {
        '.vscode/settings.json': {
          'hexlens.nodes': { local: foreign.url, '0x7a69': foreign.url },
          'hexlens.abi.files': ['made/**/*.json'],
        },
        '.hexlens/addresses.json': { addresses: [{ address: chain.accounts.alice, name: 'Team wallet' }] },
        'made/Auction.json': artifact,
      };
      for (const [path, value] of Object.entries(files)) {
        await mkdir(dirname(join(workspace.folder, path)), { recursive: true });
        await writeFile(join(workspace.folder, path), JSON.stringify(value));
      }
      await writeFile(join(workspace.folder, 'foundry.toml'), `[rpc_endpoints]\ntheirs = "${foreign.url}"\n`);
      await writeFile(join(workspace.folder, 'bids.txt'), `event topic ${TOPIC}\nwallet ${chain.accounts.alice}\n`);
      return {
        openFile: 'bids.txt',
        settings: {
          'security.workspace.trust.enabled': true,
          'security.workspace.trust.startupPrompt': 'never',
          'security.workspace.trust.banner': 'never',
          'hexlens.nodes': { local: chain.url },
        },
      };
    });
    ({ editor } = sample);
    ({ page } = editor);
  });

  after(async () => {
    await sample?.close();
    foreign?.server.closeAllConnections();
    foreign?.server.close();
  });

  it("shows hovers with the user's nodes", () =>
    pictured(editor, 'restricted-hover', async () => {
      await statusBarText(page, /Restricted Mode/);
      await statusBarText(page, new RegExp(`Local dev chain\\D*${sample.chain.head.number}`));
      await hoverText(page, sample.chain.accounts.alice, /not trusted[\s\S]*Team wallet[\s\S]*Account[\s\S]*Balance/);
      assert.equal(foreign.requestCount(), 0);
    }));

  it('ignores artifacts of the workspace', () =>
    pictured(editor, 'restricted-topic', async () => {
      const text = await hoverText(page, TOPIC, /32 bytes|topic/i);
      assert.doesNotMatch(text, /Bid/);
      await leaveHover(page);
    }));

  it('shows Restricted Mode in the Service view', () =>
    pictured(editor, 'restricted-service', async () => {
      await page.locator('.activitybar a[aria-label^="HexLens"]').first().click();
      await page
        .locator('.sidebar')
        .getByText('Restricted Mode: nodes and compiler artifacts of this workspace')
        .waitFor();
      await page.locator('.sidebar .monaco-list-row').filter({ hasText: 'Local dev chain' }).waitFor();
      assert.equal(await page.locator('.sidebar .monaco-list-row').filter({ hasText: '0x7a69' }).count(), 0);
    }));

  it('offers no nodes of the workspace', () =>
    pictured(editor, 'restricted-connect', async () => {
      await runCommand(page, 'HexLens: Connect Node…');
      await row(page, /in use/).waitFor();
      assert.ok(!(await rowTexts(page)).some(text => text.includes(new URL(foreign.url).host)));
      await closeInput(page);
      assert.equal(foreign.requestCount(), 0);
    }));

  it('is used after the user trusts it', () =>
    pictured(editor, 'restricted-trusted', async () => {
      const mode = page.locator('.statusbar-item').filter({ hasText: 'Restricted Mode' });
      await mode.click();
      const trust = page.locator('.workspace-trust-editor .monaco-button').filter({ hasText: /^Trust$/ });
      await trust.waitFor();
      await actUntil(
        async () => {
          // VS Code draws it again when it knows more of the extensions, and drops a click at that moment.
          if (await trust.isVisible()) await trust.click({ timeout: 5_000 });
        },
        timeout => mode.waitFor({ state: 'detached', timeout }),
      );
      await page.locator('.sidebar').getByText('Restricted Mode:').waitFor({ state: 'hidden' });
      await openFile(page, 'bids.txt');
      await hoverText(page, TOPIC, /Bid\(/);
      // The part about the literal itself comes first, then the chains in the order of the settings.
      const chains = /Team wallet[\s\S]*on Local dev chain[\s\S]*on Chain 31337/;
      await hoverText(page, sample.chain.accounts.alice, chains);
      assert.ok(foreign.requestCount() > 0);
    }));
});
