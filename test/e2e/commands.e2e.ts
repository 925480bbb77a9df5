// Commands of the palette: the look-up box, operations with every kind of parameter, and nodes.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { privateKeyToAccount } from 'viem/accounts';
import type { TestChain } from '../support/chain/testChain.ts';
import { type Editor, pictured } from './harness.ts';
import {
  choose,
  pressRowButton,
  readTitle,
  row,
  rowTexts,
  runOperation,
  type,
  waitForFocus,
  waitForTitle,
} from './quickPick.ts';
import { openNewSample, type Sample } from './sampleEditor.ts';
import {
  acceptInput,
  closeInput,
  hoverText,
  leaveHover,
  quickInput,
  runCommand,
  waitForPanelFocus,
} from './userActions.ts';
import { actUntil, LONG_PATIENCE_MS, readUntil } from './waits.ts';

/** The first one of every Hardhat and Anvil node. */
const PUBLIC_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

describe('commands', () => {
  let sample: Sample;
  let editor: Editor;
  let chain: TestChain;

  before(async () => {
    sample = await openNewSample({ viewport: { width: 1100, height: 760 } });
    ({ editor, chain } = sample);
    // The first hover starts the extension and the node's first responses.
    await hoverText(editor.page, chain.contracts.coin, /Contract[\s\S]*Balance/);
    await leaveHover(editor.page);
  });

  after(() => sample?.close());

  /** The page that a command opened in the inspector. */
  const inspected = async (heading: string) => {
    const frame = editor.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await frame.getByRole('heading', { name: heading }).first().waitFor();
    await waitForPanelFocus(editor.page);
  };

  it('explains the empty look-up box', () =>
    pictured(editor, 'look-up-empty', async () => {
      await runCommand(editor.page, 'HexLens: Look Up…');
      await row(editor.page, 'Type or paste anything').waitFor();
    }));

  it('previews a typed address', () =>
    pictured(editor, 'look-up-address', async () => {
      await type(editor.page, chain.contracts.coin);
      await row(editor.page, /Contract · ERC-20/).waitFor();
    }));

  it('saves an address with its button and finds it by name', () =>
    pictured(editor, 'look-up-saved', async () => {
      const { page } = editor;
      await actUntil(
        async () => {
          // VS Code drops a click on a row that it draws again: the preview may still change.
          if (!(await readTitle(page)).includes('Save Address'))
            await pressRowButton(page, /Contract · ERC-20/, 'Save to Address Book');
        },
        timeout =>
          readUntil(
            () => readTitle(page),
            title => title.includes('Save Address'),
            'the title Save Address',
            timeout,
          ),
        LONG_PATIENCE_MS,
      );
      await type(page, 'Treasury Coin');
      await acceptInput(page);
      // Its kind, folder and tags may be changed; Enter saves.
      await row(page, 'Treasury Coin').waitFor();
      await waitForFocus(page, 'Save');
      await acceptInput(page);
      await quickInput(page).waitFor({ state: 'hidden' });
      await runCommand(page, 'HexLens: Look Up…');
      await type(page, 'treas');
      await waitForFocus(page, 'Treasury Coin');
    }));

  it('ranks Save Address first for its words', () =>
    pictured(editor, 'palette-save-address', async () => {
      const { page } = editor;
      await actUntil(
        () => page.keyboard.press('F1'),
        async timeout => {
          await quickInput(page).fill('>save address', { timeout });
          await waitForFocus(page, /^HexLens: Save Address(?! Under)/, timeout);
        },
      );
    }));

  it('previews and opens a transaction and lists it as recent for this chain', () =>
    pictured(editor, 'look-up-transaction', async () => {
      const { page } = editor;
      await runCommand(page, 'HexLens: Look Up…');
      await type(page, chain.transactions.mintApe);
      await row(page, /Transaction · Success/).waitFor();
      await editor.screenshot('look-up-hash');
      await acceptInput(page);
      await inspected('Transaction');
      await runCommand(page, 'HexLens: Look Up…');
      await waitForFocus(page, /Transaction · Success/);
    }));

  it('tells who signed a transaction that no chain has', () =>
    pictured(editor, 'look-up-signed', async () => {
      const { page } = editor;
      const account = privateKeyToAccount(PUBLIC_KEY);
      const request = {
        chainId: 31337,
        nonce: 7,
        gas: 21_000n,
        gasPrice: 1n,
        to: chain.accounts.bob,
        value: 5n,
      } as const;
      await type(page, await account.signTransaction({ ...request, type: 'legacy' }));
      await row(page, /Signed transaction 0x.*Not found on Local dev chain · .*0xf39F…2266 → /).waitFor();
      await editor.screenshot('look-up-signed-transaction');
    }));

  it('explains that ENS names need an Ethereum node', () =>
    pictured(editor, 'look-up-ens', async () => {
      const { page } = editor;
      await type(page, 'vitalik.eth');
      await waitForFocus(page, 'ENS names need an Ethereum node');
      await closeInput(page);
    }));

  it('prompts for parameters step by step and validates them while typing', () =>
    pictured(editor, 'operation-list', async () => {
      const { page } = editor;
      await runOperation(page, 'Native Balances of Wallets');
      await waitForTitle(page, 'Wallet addresses');
      await row(page, 'Treasury Coin').waitFor();
      await type(page, '0x1234');
      await waitForFocus(page, /it has 4 digits, 40 are needed/);
      await editor.screenshot('operation-refusal');
      await type(page, `${chain.accounts.alice}, ${chain.accounts.fees}`);
      await waitForFocus(page, '2 values');
      await acceptInput(page);
      await waitForFocus(page, 'Continue with 2 values');
    }));

  it('runs an operation with Enter and shows the result', () =>
    pictured(editor, 'operation-json', async () => {
      const { page } = editor;
      await acceptInput(page);
      await waitForFocus(page, 'Run');
      await editor.screenshot('operation-run');
      await acceptInput(page);
      await inspected('Native Balances of Wallets');
      // Beside the sidebar of a small window it is still one line.
      const toolbar = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame').locator('hl-toolbar nav');
      const { height } = (await toolbar.boundingBox()) ?? { height: 0 };
      assert.ok(height > 0 && height < 50, `the toolbar is ${height} pixels high`);
    }));

  it('accepts numbers, dates, hashes, choices and booleans', () =>
    pictured(editor, 'operation-more', async () => {
      const { page } = editor;
      // The list is longer than the window: its rows are found by their names.
      const isList = (title: string) => /^[^:]+ \(2\/2\)$/.test(title);
      const waitForList = (expected: boolean, timeout?: number) =>
        readUntil(
          () => readTitle(page),
          title => isList(title) === expected,
          expected ? 'the list of parameters' : 'the prompt of a parameter',
          timeout,
        );
      /** VS Code drops a click on a row that it draws again at that moment. */
      const pick = async (name: string) => {
        await waitForList(true);
        await type(page, name);
        await actUntil(
          async () => {
            if (isList(await readTitle(page))) await row(page, name).click({ timeout: LONG_PATIENCE_MS });
          },
          timeout => waitForList(false, timeout),
        );
      };
      const set = async (name: string, text: string, shown: RegExp) => {
        await pick(name);
        await waitForTitle(page, `Logs of a Contract: ${name}`);
        await type(page, text);
        await waitForFocus(page, text);
        await acceptInput(page);
        await waitForTitle(page, /^Logs of a Contract \(/);
        await row(page, shown).waitFor();
      };
      await runOperation(page, 'Logs of a Contract');
      await waitForTitle(page, 'Logs of a Contract: Address');
      await type(page, 'Treasury');
      await waitForFocus(page, 'Treasury Coin');
      await acceptInput(page);
      await waitForFocus(page, 'Run');
      // Only who uses a hosted service needs to know what hosted services have removed.
      assert.ok(!(await rowTexts(page)).some(text => text.includes('Hosted services removed this operation')));
      await set('From block', '1', /From block\s*1/);
      await set('From date', '2023-01-31', /2023-01-31 \(ignored: from block is set\)/);
      await set('Topic 0', chain.topics.transfer, /Topic 0\s*0xddf2/);
      await set('Limit', '5', /Limit\s*5/);
      await pick('Disable total');
      await waitForTitle(page, 'Disable total');
      await choose(page, 'false');
      await row(page, /Disable total\s*false/).waitFor();
      await choose(page, 'Run');
      await inspected('Logs of a Contract');
      await runOperation(page, 'NFT Transfers of a Wallet');
      await waitForTitle(page, 'NFT Transfers of a Wallet: Address');
      await type(page, chain.accounts.alice);
      await waitForFocus(page, chain.accounts.alice);
      await acceptInput(page);
      await pick('Direction');
      await waitForTitle(page, 'NFT Transfers of a Wallet: Direction');
      await type(page, 'to');
      await waitForFocus(page, 'to');
      await acceptInput(page);
      await row(page, /Direction\s*to/).waitFor();
      await row(page, /Hosted services removed it on 2023-09-04/).waitFor();
    }));

  it('goes back one step', async () => {
    const { page } = editor;
    await page.locator('.quick-input-widget:visible .quick-input-titlebar .codicon-quick-input-back').click();
    await waitForTitle(page, 'NFT Transfers of a Wallet: Address');
    await closeInput(page);
  });

  it('finds local nodes and nodes of the workspace', () =>
    pictured(editor, 'connect-node', async () => {
      const { page } = editor;
      await runCommand(page, 'HexLens: Connect Node…');
      await row(page, /dev chain \(31337\).*in use/).waitFor();
      const rows = await rowTexts(page);
      assert.equal(rows.filter(text => /in use/.test(text)).length, 1);
      await editor.screenshot('connect-node-found');
      // Nothing listens at the usual ports: the search ends all the same.
      await page.locator('.quick-input-widget:visible .quick-input-progress.done').waitFor({ state: 'attached' });
      await type(page, 'ftp://example.com');
      await waitForFocus(page, /not http:\/\/ or https:\/\//);
      await closeInput(page);
    }));

  it('shows the default chain and the chains of hovers', () =>
    pictured(editor, 'switch-chain', async () => {
      const { page } = editor;
      await runCommand(page, 'HexLens: Switch Chain…');
      await row(page, /local.*default/).waitFor();
      await row(page, /block \d+ · anvil/).waitFor();
    }));

  it('sent requests only to the editor server', () => {
    assert.deepEqual(editor.foreignRequests, []);
  });
});
