// Output of a real `forge script` in the terminal is linked, and its deployments are imported.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checksumAddress } from '../../src/base/checksumAddress.ts';
import type { Hex } from '../../src/base/hex.ts';
import { type ForgeCommand, writeFoundryProject } from '../support/chain/foundry.ts';
import { createJsonRpc } from '../support/chain/jsonRpc.ts';
import { type Editor, getPicturedThemes, pictured } from './harness.ts';
import { choose, row, rowTexts, runOperation, type, waitForTitle } from './quickPick.ts';
import { changeTheme, openSample, type Sample } from './sampleEditor.ts';
import {
  acceptInput,
  chooseInMenu,
  closeInput,
  hoverText,
  leaveHover,
  openFile,
  runCommand,
  statusBarText,
  textBox,
  waitForPanelFocus,
} from './userActions.ts';
import { actUntil, LONG_PATIENCE_MS, readUntil } from './waits.ts';

const TERMINAL_LINES = '.terminal .xterm-rows > div';

interface Broadcast {
  readonly transactions: readonly {
    readonly contractName: string | null;
    readonly contractAddress: Hex;
    readonly hash: Hex;
  }[];
}

/** Imports the deployments of the workspace, up to the question, which has the new entries. */
async function importFound(page: Page): Promise<void> {
  await runCommand(page, 'HexLens: Import Addresses…');
  // With the mouse: the inspector's panel takes the focus when it has loaded.
  await choose(page, 'Foundry broadcasts');
  await waitForTitle(page, /Import Addresses: 4 new/);
  await row(page, 'Counter').waitFor();
}

describe('a Foundry project', () => {
  let sample: Sample;
  let editor: Editor;
  let forge: ForgeCommand;
  let counter: Hex;

  before(async () => {
    sample = await openSample({
      workspaceSettings: {
        // Text that can be pointed at: a canvas has none.
        'terminal.integrated.gpuAcceleration': 'off',
        'terminal.integrated.stickyScroll.enabled': false,
      },
    });
    ({ editor } = sample);
    forge = await writeFoundryProject(sample.workspace.folder, sample.chain.url);
    const words = [forge.executable, ...forge.args].map(word => `'${word}'`).join(' ');
    await writeFile(join(sample.workspace.folder, 'deploy.sh'), `HOME=$PWD exec ${words}\n`);
    await statusBarText(editor.page, /Local dev chain \d+/);
  });

  after(() => sample?.close());

  const frame = () => editor.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  const heading = (name: string) => frame().getByRole('heading', { name }).first();

  /** Ctrl+click, once the terminal has made a link of the text under the pointer, until the page with the heading is there. */
  async function followInTerminal(text: string, name: string): Promise<void> {
    const { page } = editor;
    await page.locator(TERMINAL_LINES).filter({ hasText: text }).first().waitFor();
    await page.keyboard.down('ControlOrMeta');
    try {
      // At first it may be the link of a word, which searches the workspace: this is what only ours says.
      await actUntil(
        async () => {
          // Read each time: lines that are still printed move it.
          const { x, y, width, height } = await textBox(page, text, TERMINAL_LINES);
          await page.mouse.move(x + width / 2 - 30, y + height / 2 + 60, { steps: 3 });
          await page.mouse.move(x + width / 2, y + height / 2, { steps: 3 });
        },
        timeout => page.getByText('Show in HexLens').first().waitFor({ timeout }),
      );
      await actUntil(
        async () => {
          await page.mouse.down();
          await page.mouse.up();
        },
        timeout => heading(name).waitFor({ timeout }),
        LONG_PATIENCE_MS,
      );
    } finally {
      await page.keyboard.up('ControlOrMeta');
    }
  }
  const inspected = async (name: string, text: string) => {
    await heading(name).waitFor();
    await frame().getByText(text).first().waitFor();
    await waitForPanelFocus(editor.page);
  };

  it('opens a transaction from the terminal', () =>
    pictured(editor, 'terminal-transaction', async () => {
      const { page } = editor;
      await runCommand(page, 'Terminal: Create New Terminal in Editor Area');
      await page.locator('.terminal.xterm.focus, .xterm.focus').first().waitFor();
      await page.keyboard.type('sh deploy.sh\n');
      await page.locator(TERMINAL_LINES).filter({ hasText: 'Sensitive values saved to' }).first().waitFor();
      const run = JSON.parse(await readFile(join(sample.workspace.folder, forge.latest), 'utf8')) as Broadcast;
      const first = run.transactions.find(({ contractName }) => contractName === 'Counter');
      assert.ok(first !== undefined);
      counter = checksumAddress(first.contractAddress);
      await editor.screenshot('terminal-forge');
      // forge prints these lines around its progress bars, which may overwrite them.
      const lines = `tx ${first.hash}\nContract Address: ${counter}\n`;
      await writeFile(join(sample.workspace.folder, 'receipt.txt'), lines);
      await page.keyboard.type('clear; cat receipt.txt\n');
      await page
        .locator(TERMINAL_LINES)
        .filter({ hasText: 'Sensitive values saved to' })
        .first()
        .waitFor({ state: 'hidden' });
      await followInTerminal(first.hash, 'Transaction');
      await inspected('Transaction', 'Success');
    }));

  it('opens an address from the terminal', () =>
    pictured(editor, 'terminal-address', async () => {
      await editor.page.locator('.tab').filter({ hasText: 'bash' }).click();
      await followInTerminal(counter, 'Counter');
      await inspected('Counter', 'Contracts created');
    }));

  it('shows what the run did at a hash that the text does not explain', () =>
    pictured(editor, 'hover-recorded', async () => {
      const { page } = editor;
      const run = JSON.parse(await readFile(join(sample.workspace.folder, forge.latest), 'utf8')) as Broadcast;
      await writeFile(join(sample.workspace.folder, 'release.yaml'), `deploy: '${run.transactions[0]?.hash}'\n`);
      await openFile(page, 'release.yaml');
      const shown = /Transaction hash[\s\S]*Creates Counter · Local dev chain · recorded in broadcast\/[\s\S]*Success/;
      await hoverText(page, run.transactions[0]?.hash ?? '', shown);
    }));

  for (const theme of getPicturedThemes('high-contrast', 'high-contrast-light', 'light', 'dark'))
    it(`shows look-up, prompts and previews legibly in ${theme}`, () =>
      pictured(editor, `import-${theme}`, async () => {
        const { page } = editor;
        await closeInput(page); // that of the theme before
        await changeTheme(sample, theme);
        await runCommand(page, 'HexLens: Look Up…');
        await type(page, counter);
        await row(page, /Contract · Counter \(src\/Counter\.sol\), your build/).waitFor();
        await editor.screenshot(`look-up-${theme}`);
        await type(page, 'increment');
        await row(page, /increment\(\).*Function 0xd09de08a · Counter/).waitFor();
        await editor.screenshot(`look-up-name-${theme}`);
        await closeInput(page);
        await runOperation(page, 'Native Balances of Wallets');
        await waitForTitle(page, 'Wallet addresses');
        await type(page, '0x1234');
        await row(page, /40 are needed/).waitFor();
        await editor.screenshot(`operation-${theme}`);
        await closeInput(page);
        await importFound(page);
      }));

  it('imports a run from the context menu of its folder', () =>
    pictured(editor, 'import-preview', async () => {
      const { page } = editor;
      await closeInput(page);
      const broadcast = page.locator('.explorer-folders-view .monaco-list-row').filter({ hasText: 'broadcast' });
      await broadcast.click();
      // The Explorer view joins folders with only one child folder; the last of them is selected.
      await page.locator('.explorer-folders-view .monaco-list-row').filter({ hasText: 'run-latest.json' }).waitFor();
      const folder = page.locator('.explorer-folders-view .label-name').filter({ hasText: '31337' });
      await chooseInMenu(page, folder, 'Import Addresses into HexLens…');
      await waitForTitle(page, /Import Addresses: 4 new/);
      await row(page, 'Personal').waitFor();
      const deployed = (rows: readonly string[]) => rows.filter(text => /Counter|Child/.test(text));
      await readUntil(
        () => rowTexts(page),
        rows => deployed(rows).length === 4,
        'four contracts',
      );
    }));

  it('undoes the import with the button of its message', () =>
    pictured(editor, 'import-undone', async () => {
      const { page } = editor;
      await acceptInput(page);
      const saved = page.locator('.sidebar .monaco-list-row').filter({ hasText: /Counter|Child/ });
      await page.locator('.activitybar a[aria-label^="HexLens"]').first().click();
      await saved.nth(3).waitFor();
      const notification = page.locator('.notification-list-item').filter({ hasText: 'Imported: 4 new' });
      await notification.getByRole('button', { name: 'Undo' }).click();
      await statusBarText(page, /Change undone/);
      await saved.first().waitFor({ state: 'detached' });
      // All of them are new again.
      await importFound(page);
    }));

  it('shows imported contracts in the tree and their names in hovers', () =>
    pictured(editor, 'import-tree', async () => {
      const { page } = editor;
      await acceptInput(page);
      await page.locator('.sidebar .monaco-list-row').filter({ hasText: 'Counter' }).nth(1).waitFor();
      await page.locator('.sidebar .monaco-list-row').filter({ hasText: 'Child' }).nth(1).waitFor();
      await writeFile(join(sample.workspace.folder, 'notes.txt'), `The counter is ${counter}.\n`);
      await openFile(page, 'notes.txt');
      await hoverText(page, counter, /Counter[\s\S]*Contract/);
    }));

  it('shows the lines of Solidity where a transaction failed, in its hover and on its page', () =>
    pictured(editor, 'failure-lines', async () => {
      const { page } = editor;
      const node = createJsonRpc(sample.chain.url);
      const [from] = await node.rpc<readonly Hex[]>('eth_accounts');
      const data = `0x3a9ebefd${'5'.padStart(64, '0')}`; // decrement(5)
      const failed = await node.rpc<Hex>('eth_sendTransaction', [{ from, to: counter, data, gas: '0x30000' }]);
      await writeFile(join(sample.workspace.folder, 'notes.txt'), `The transaction ${failed} failed.\n`);
      await openFile(page, 'notes.txt');
      await hoverText(
        page,
        failed,
        /Counter\._requireAtLeast, src\/Counter\.sol:24[\s\S]*Counter\.decrement, src\/Counter\.sol:19/,
      );
      await editor.screenshot('failure-hover');
      await page.locator('.monaco-hover a').filter({ hasText: 'src/Counter.sol:24' }).first().click();
      await page.locator('.tab.active').filter({ hasText: 'Counter.sol' }).waitFor();
      await runCommand(page, 'HexLens: Look Up…');
      await type(page, failed);
      await row(page, /Failed · src\/Counter\.sol:24/).waitFor();
      await editor.screenshot('failure-look-up');
      await acceptInput(page);
      await inspected('Stack', 'src/Counter.sol:24');
      await inspected('Stack', 'revert TooLow(number, wanted);');
      await editor.screenshot('failure-stack');
      const frame = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
      await frame.getByText('src/Counter.sol:19').click();
      await page.locator('.editor-instance .view-line').filter({ hasText: '_requireAtLeast(by);' }).first().waitFor();
    }));

  it('shows the error at its line until Escape', () =>
    pictured(editor, 'failure-in-source', async () => {
      const { page } = editor;
      await openFile(page, 'notes.txt');
      await page
        .locator('.editor-instance .view-line')
        .first()
        .click({ position: { x: 260, y: 8 } });
      await runCommand(page, 'HexLens: Show Failure in Source');
      await page.locator('.tab.active').filter({ hasText: 'Counter.sol' }).waitFor();
      const marked = page
        .locator('.editor-instance [class*="ced-"]')
        .filter({ hasText: 'TooLow(number: 1, wanted: 5)' });
      await page.locator('.editor-instance .view-line').filter({ hasText: 'revert TooLow(number, wanted);' }).waitFor();
      await editor.screenshot('failure-in-source');
      await page.keyboard.press('Escape');
      await marked.waitFor({ state: 'detached' });
    }));

  it('imports a list of addresses of the workspace', () =>
    pictured(editor, 'import-list', async () => {
      const { page } = editor;
      await writeFile(join(sample.workspace.folder, 'team.csv'), `address,name\n0x${'5afe'.repeat(10)},Team safe\n`);
      await leaveHover(page);
      await runCommand(page, 'HexLens: Import Addresses…', true);
      await row(page, /team\.csv\s*1 address/).waitFor();
      await editor.screenshot('import-sources');
      await choose(page, 'team.csv');
      await waitForTitle(page, /Import Addresses: 1 new/);
      await acceptInput(page);
      await page.locator('.sidebar .monaco-list-row').filter({ hasText: 'Team safe' }).waitFor();
    }));

  it('debugs the transaction, forward and back', () =>
    pictured(editor, 'debug-transaction', async () => {
      const { page } = editor;
      const current = (text: string) =>
        page
          .locator('.editor-instance .view-line')
          .filter({ hasText: text })
          .first()
          .waitFor()
          .then(() => page.locator('.debug-top-stack-frame-line').first().waitFor());
      const toolbar = (action: string) => page.locator('.debug-toolbar').getByRole('button', { name: action }).click();
      await openFile(page, 'notes.txt');
      await page
        .locator('.editor-instance .view-line')
        .first()
        .click({ position: { x: 300, y: 8 } });
      await runCommand(page, 'HexLens: Debug Transaction');
      await page.locator('.debug-toolbar').waitFor();
      await page.locator('.tab.active').filter({ hasText: 'Counter.sol' }).waitFor();
      await current('_requireAtLeast(by);');
      await runCommand(page, 'View: Show Run and Debug');
      const stack = page.locator('.debug-call-stack');
      await stack.getByText('Counter.decrement').first().waitFor();
      await editor.screenshot('debug-entry');
      await toolbar('Step Into');
      await stack.getByText('Counter._requireAtLeast').first().waitFor();
      await toolbar('Continue');
      await page.locator('.exception-widget').filter({ hasText: 'TooLow(number: 1, wanted: 5)' }).waitFor();
      await page.locator('.debug-variables').getByText('Arguments of the Call').first().waitFor();
      await editor.screenshot('debug-failure');
      await toolbar('Reverse');
      await stack.getByText('Counter.decrement').first().waitFor();
      await page.locator('.exception-widget').waitFor({ state: 'detached' });
      await toolbar('Stop');
      await page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
      await openFile(page, 'notes.txt');
    }));
});
