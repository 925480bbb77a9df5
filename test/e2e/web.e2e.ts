// The extension in a browser alone, as on vscode.dev: VS Code without a server, the packed extension in its web extension host.
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { packedExtension } from '../editor/paths.ts';
import { quietSettings } from '../editor/quietSettings.ts';
import { type RunningChain, startTestChain } from '../editor/testChainProcess.ts';
import { startWebWorkbench, type WebWorkbench } from '../editor/webWorkbench.ts';
import { launchBrowser } from '../editor/workbench.ts';
import { type ServeProcess, startServe } from '../service/cliProcess.ts';
import { signIn } from '../support/chain/sampleFiles.ts';
import { STATE_LIMIT_MS } from '../support/timeLimits.ts';
import { savePicture } from './harness.ts';
import { choose, row, rowTexts, type, waitForFocus, waitForTitle } from './quickPick.ts';
import {
  acceptInput,
  hoverText,
  leaveHover,
  lookUpFromPalette,
  notificationText,
  quickInput,
  runCommand,
  statusBarText,
} from './userActions.ts';
import { lookOften, readUntil } from './waits.ts';

/** The account of the private key 1, with one wrong letter. */
const WRONG_CHECKSUM = '0x7e5F4552091A69125d5DfCb7b8C2659029395Bdf';

describe('a browser without a machine', () => {
  let chain: RunningChain;
  let web: WebWorkbench;
  let browser: Browser;
  let context: BrowserContext;
  let serve: ServeProcess | undefined;

  before(async () => {
    chain = await startTestChain();
    const { alice, bob } = chain.chain.accounts;
    web = await startWebWorkbench({
      vsix: resolve(process.env['HEXLENS_VSIX'] ?? packedExtension),
      files: {
        'notes.txt': `Wallet ${alice}\nFriend ${bob}\nWrong address ${WRONG_CHECKSUM}\nApes ${chain.chain.contracts.apes}\n`,
        'sign-in.txt': signIn(chain.chain),
        'package.json': JSON.stringify({ name: 'sample' }),
        'data/team.csv': `address,name\n${chain.chain.contracts.apes},Team apes\n${chain.chain.contracts.usdx},Team dollars\n`,
        'data/node_modules/package/list.csv': `address,name\n${alice},Not ours\n`,
        '.hexlens/addresses.json': JSON.stringify({ addresses: [{ address: bob, name: 'Team wallet' }] }),
      },
    });
    browser = await launchBrowser();
    context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  });
  after(async () => {
    await browser?.close();
    await web?.stop();
    await serve?.stop();
    await chain?.stop();
  });

  const openWindow = async (settings: Readonly<Record<string, unknown>>): Promise<Page> => {
    const page = await context.newPage();
    // What the window before has stored, but not the cache: with it VS Code loads in half the time.
    const devTools = await context.newCDPSession(page);
    const storageTypes = 'cookies,local_storage,indexeddb';
    await devTools.send('Storage.clearDataForOrigin', { origin: web.origin, storageTypes });
    page.setDefaultTimeout(STATE_LIMIT_MS);
    lookOften(page);
    await page.goto(web.url({ ...quietSettings, ...settings }, 'notes.txt'));
    await page.locator('.editor-instance .view-line', { hasText: 'Wallet' }).waitFor();
    return page;
  };

  describe('with a node that allows requests of pages', () => {
    let page: Page;
    before(async () => {
      page = await openWindow({ 'hexlens.nodes': { local: chain.chain.url } });
    });
    after(() => page?.close());

    it('shows what the chain knows of an address', async () => {
      await statusBarText(page, /Local dev chain \d+/);
      assert.match(await hoverText(page, chain.chain.accounts.alice, /ETH/), /Balance/);
      await savePicture(page, 'web-hover');
    });

    it('underlines a wrong checksum', async () => {
      await leaveHover(page);
      await page.locator('.squiggly-warning').first().waitFor();
      await hoverText(page, WRONG_CHECKSUM, /EIP-55 checksum of this address is wrong/);
    });

    it('shows names of the address book in the folder', async () => {
      await hoverText(page, chain.chain.accounts.bob, /Team wallet/);
    });

    it('saves an address and shows its name', async () => {
      await hoverText(page, chain.chain.accounts.alice, /Save[\s\S]*Balance/);
      const link = page.locator('.monaco-hover:visible a').filter({ hasText: /^Save$/ });
      await link.first().click();
      await waitForTitle(page, 'Save Address');
      await type(page, 'Web wallet');
      await acceptInput(page);
      await waitForFocus(page, 'Save');
      await acceptInput(page);
      await quickInput(page).waitFor({ state: 'hidden' });
      await page.keyboard.press('Escape');
      await hoverText(page, chain.chain.accounts.alice, /Web wallet/);
    });

    it('imports a list of addresses in the folder', async () => {
      await leaveHover(page);
      await runCommand(page, 'HexLens: Import Addresses…', true);
      await row(page, 'Choose files…').waitFor();
      assert.deepEqual(await rowTexts(page), ['data/team.csv2 addresses', 'Choose files…JSON or CSV']);
      await savePicture(page, 'web-import');
      await choose(page, 'team.csv');
      await waitForTitle(page, /Import Addresses: 2 new/);
      await acceptInput(page);
      await notificationText(page, /Imported: 2 new/);
      await hoverText(page, chain.chain.contracts.apes, /Team apes/);
    });

    it('verifies a sign-in message and explains its fields', async () => {
      await leaveHover(page);
      const open = async (name: string) => {
        await page.locator('.explorer-folders-view .monaco-list-row').filter({ hasText: name }).click();
        await page.locator('.tab.active').filter({ hasText: name }).waitFor();
        // The tab is there before the text, and until then commands work on the file before.
        await page.locator(`.editor-instance .monaco-editor[data-uri$="/${name}"]:visible`).first().waitFor();
      };
      await open('sign-in.txt');
      await runCommand(page, 'HexLens: Verify Sign-In Message');
      await notificationText(page, /Signed by 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 for shop\.example/);
      await page.locator('.tab', { hasText: 'Verified sign-in of' }).waitFor();
      await open('sign-in.txt');
      await hoverText(page, 'Expiration Time: 2126', /still in force/);
      await savePicture(page, 'web-sign-in');
      await leaveHover(page);
      await open('notes.txt');
    });

    it('looks up an address and opens the inspector', async () => {
      await leaveHover(page);
      await lookUpFromPalette(page, chain.chain.contracts.coin);
      const inspector = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
      await inspector.getByText('ERC-20').first().waitFor();
      // Every list of the page is loaded: nothing that turns is left.
      await readUntil(
        () => inspector.locator('vscode-progress-ring').count(),
        rings => rings === 0,
        'the end of all loading',
      );
      await savePicture(page, 'web-inspector');
    });

    it('says in one sentence what needs the desktop', async () => {
      const inspector = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
      await inspector.getByRole('tab', { name: 'Token transfers' }).click();
      await inspector.getByText('This needs VS Code on the desktop').first().waitFor();
      await savePicture(page, 'web-desktop');
    });
  });

  describe('with hexlens serve', () => {
    let page: Page;
    let running: ServeProcess;
    before(async () => {
      running = await startServe(['--port', '0', '--node', `0x7a69=${chain.chain.url}`, '--cors', web.origin]);
      serve = running;
      page = await openWindow({
        'hexlens.nodes': { '0x7a69': 'http://127.0.0.1:1' },
        'hexlens.evm.source': 'remote',
        'hexlens.evm.baseUrl': `${running.ready.url}/api/v2`,
      });
    });
    after(() => page?.close());

    it('asks for the key of the service and shows what the service knows', async () => {
      await runCommand(page, 'HexLens: Set API Key', true);
      await page.getByRole('option', { name: new URL(running.ready.url).host }).click();
      await page.locator('.quick-input-widget:visible input[type="password"]').fill(running.ready.key);
      await acceptInput(page);
      await notificationText(page, /API key for .* is set/);
      await hoverText(page, chain.chain.accounts.alice, /Balance/);
      await savePicture(page, 'web-serve');
    });
  });
});
