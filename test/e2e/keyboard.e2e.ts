// Operations with the keyboard only: every kind of parameter, first invalid and then valid.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestChain } from '../support/chain/testChain.ts';
import { type Editor, pictured } from './harness.ts';
import { readTitle, row, runOperation, waitForFocus, waitForTitle } from './quickPick.ts';
import { openSample, type Sample } from './sampleEditor.ts';
import { closeInput, runCommand, statusBarText, waitForPanelFocus } from './userActions.ts';
import { actUntil, LONG_PATIENCE_MS, readUntil } from './waits.ts';

const TRANSFERS = 'NFT Transfers of a Wallet';
const NFTS = 'NFTs of a Wallet';

describe('operations with the keyboard', () => {
  let sample: Sample;
  let editor: Editor;
  let page: Page;
  let chain: TestChain;
  let cursor: string;

  before(async () => {
    sample = await openSample();
    ({ editor, chain } = sample);
    ({ page } = editor);
    await statusBarText(page, /Local dev chain \d+/);
  });

  after(() => sample?.close());

  const press = (key: string) => page.keyboard.press(key);
  /** Short words are typed, key by key; longer text is pasted. */
  const enter = (text: string) => (text.length > 12 ? page.keyboard.insertText(text) : page.keyboard.type(text));
  /** Replaces the text of the input box, until a row with `focused` has the focus: VS Code may drop keys while it is busy. */
  const write = (text: string, focused: string | RegExp = text) =>
    actUntil(
      async () => {
        await press('ControlOrMeta+A');
        await enter(text);
      },
      timeout => waitForFocus(page, focused, timeout),
    );
  /** Accepts a prompt: the next one has another title. */
  const accept = async () => {
    const title = await readTitle(page);
    await actUntil(
      () => press('Enter'),
      timeout =>
        readUntil(
          () => readTitle(page),
          shown => shown !== title,
          `another prompt than ${title}`,
          timeout,
        ),
      // The next prompt would take an Enter that is pressed twice.
      LONG_PATIENCE_MS,
    );
  };
  /** Types the text and accepts it. */
  const take = async (text: string) => {
    await write(text);
    await accept();
  };
  /** Opens the first prompt of the command, whose title is the given one. */
  const run = (title: string) => runCommand(page, `HexLens: ${title}`);
  /** Chooses a parameter of the list by its name. */
  const pick = async (operation: string, name: string) => {
    await waitForTitle(page, new RegExp(`^${operation}( \\(|$)`));
    await take(name);
    await waitForTitle(page, `${operation}: ${name}`);
  };
  /** Enters an invalid value: the message is shown, and Enter does not accept it. */
  const expectRejected = async (operation: string, name: string, wrong: string, why: RegExp) => {
    await write(wrong, why);
    await press('Enter');
    await waitForTitle(page, `${operation}: ${name}`);
    await row(page, why).waitFor();
  };
  const inspected = async (heading: string) => {
    const frame = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await frame.getByRole('heading', { name: heading }).first().waitFor();
    await waitForPanelFocus(page);
    return frame;
  };

  it('opens a result as JSON', () =>
    pictured(editor, 'keyboard-json', async () => {
      await run('Run Operation as JSON…');
      await waitForTitle(page, 'Run Operation as JSON');
      await take(TRANSFERS);
      await waitForTitle(page, `${TRANSFERS}: Address`);
      await take(chain.accounts.bob);
      await pick(TRANSFERS, 'Limit');
      await take('1');
      await waitForFocus(page, 'Run');
      await press('Enter');
      await page.locator('.editor-instance .view-line').filter({ hasText: '"page_size": "1"' }).waitFor();
      const copied = () => page.evaluate(() => navigator.clipboard.readText());
      // The text is drawn before the editor has the focus.
      const text = await actUntil(
        async () => {
          await press('ControlOrMeta+A');
          await press('ControlOrMeta+C');
        },
        timeout => readUntil(copied, read => read.startsWith('{'), 'the copied result', timeout),
      );
      const answer = JSON.parse(text) as { cursor?: unknown };
      assert.ok(typeof answer.cursor === 'string' && answer.cursor !== '');
      cursor = answer.cursor;
    }));

  it('shows the problem of each kind of value and accepts a valid one', () =>
    pictured(editor, 'keyboard-parameters', async () => {
      await runOperation(page, TRANSFERS);
      await waitForTitle(page, `${TRANSFERS}: Address`);
      await expectRejected(TRANSFERS, 'Address', '0x12zz', /Address (is|has|must|it)/);
      await editor.screenshot('keyboard-refusal');
      await take(chain.accounts.bob);
      const values: readonly (readonly [name: string, wrong: string, why: RegExp, right: string])[] = [
        ['From date', '31.31.2023', /From date is not a date/, '2023-01-31'],
        ['Direction', 'sideways', /Direction .*sideways|sideways/, 'to'],
        ['Limit', '0', /Limit must not be less than 1/, '1'],
        ['Disable total', 'perhaps', /Disable total|perhaps/, 'false'],
      ];
      for (const [name, wrong, why, right] of values) {
        await pick(TRANSFERS, name);
        await expectRejected(TRANSFERS, name, wrong, why);
        await take(right);
        await row(page, new RegExp(`${name}\\s*${right}`)).waitFor();
      }
      await pick(TRANSFERS, 'Direction');
      await take('both');
    }));

  it('shows the problem of a cursor and continues with a valid one', () =>
    pictured(editor, 'keyboard-cursor', async () => {
      assert.ok(cursor);
      await closeInput(page);
      await runOperation(page, TRANSFERS);
      await waitForTitle(page, `${TRANSFERS}: Address`);
      await take(chain.accounts.bob);
      await pick(TRANSFERS, 'Cursor');
      await take('never-made-by-anybody');
      await waitForFocus(page, 'Run');
      await press('Enter');
      const frame = await inspected(TRANSFERS);
      await frame
        .getByRole('alert')
        .filter({ hasText: /cursor/i })
        .first()
        .waitFor();
      await editor.screenshot('keyboard-cursor-refusal');
      await runOperation(page, TRANSFERS);
      await waitForTitle(page, `${TRANSFERS}: Address`);
      await take(chain.accounts.bob);
      await pick(TRANSFERS, 'Cursor');
      await take(cursor);
      await pick(TRANSFERS, 'Limit');
      await take('2');
      await waitForFocus(page, 'Run');
      await press('Enter');
      await frame.getByText('2 rows').first().waitFor();
    }));

  it('accepts list values one by one or several at once', () =>
    pictured(editor, 'keyboard-list', async () => {
      await runOperation(page, NFTS);
      await waitForTitle(page, `${NFTS}: Address`);
      await take(chain.accounts.bob);
      await pick(NFTS, 'Token addresses');
      await expectRejected(NFTS, 'Token addresses', '0x12, 0x34', /Token addresses/);
      await write(`${chain.contracts.apes} ${chain.contracts.items}`, '2 values');
      await press('Enter');
      await waitForFocus(page, 'Continue with 2 values');
      // The extension may still be filling the list, which moves the focus back to its first row.
      await actUntil(
        () => press('ArrowDown'),
        timeout => waitForFocus(page, chain.contracts.apes, timeout),
      );
      // Enter removes it from the selection.
      await press('Enter');
      await waitForFocus(page, 'Continue with 1 value');
      await editor.screenshot('keyboard-list-selected');
      await press('Enter');
      await row(page, new RegExp(`Token addresses\\s*${chain.contracts.items}`)).waitFor();
      await waitForFocus(page, 'Run');
      await press('Enter');
      const frame = await inspected(NFTS);
      await frame
        .getByText(/\d+ rows?$/)
        .first()
        .waitFor();
    }));
});
