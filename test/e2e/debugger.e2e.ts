// The debugger from the look-up box, with an unoptimized build in place of an optimized deployment; simulated and failed calls.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Abi, encodeDeployData, encodeFunctionData, type Hex } from 'viem';
import { connectToAnvil } from '../support/chain/anvil.ts';
import { createSourceProject } from '../support/source/sourceProject.ts';
import { type Editor, pictured } from './harness.ts';
import { choose, pressRowButton, row, type, waitForTitle } from './quickPick.ts';
import { openSample, type Sample } from './sampleEditor.ts';
import { acceptInput, quickInput, runCommand, statusBarText } from './userActions.ts';
import { readUntil } from './waits.ts';

const require = createRequire(import.meta.url);
const solc = dirname(require.resolve('solc/package.json'));

/** Hardhat names the compiler in its build info. */
function addVersion(path: string, bytes: Uint8Array): Uint8Array | string {
  if (!path.includes('build-info')) return bytes;
  const { version } = require('solc') as { version(): string };
  const info = JSON.parse(new TextDecoder().decode(bytes)) as object;
  return JSON.stringify({ ...info, solcLongVersion: version().replace('.Emscripten.clang', '') });
}

describe('the debugger', () => {
  let sample: Sample;
  let editor: Editor;
  let vaults: Hex;
  let hash: Hex;
  let sender: Hex;
  let failing: Hex;
  let fund: Hex;

  before(async () => {
    sample = await openSample(async ({ chain, workspace }) => {
      const project = await createSourceProject('solc', ['Vaults.sol'], {
        viaIR: true,
        optimizer: { enabled: true, runs: 200 },
      });
      for (const [path, bytes] of project.files) {
        const file = join(workspace.folder, path);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, addVersion(path, bytes));
      }
      await mkdir(join(workspace.folder, 'node_modules'), { recursive: true });
      await symlink(solc, join(workspace.folder, 'node_modules', 'solc'));
      const anvil = await connectToAnvil(chain.url);
      [sender] = await anvil.rpc<[Hex]>('eth_accounts');
      const send = async (transaction: object): Promise<Hex> => {
        const sent = await anvil.rpc<Hex>('eth_sendTransaction', [{ from: sender, gas: '0xf00000', ...transaction }]);
        await anvil.mine();
        return sent;
      };
      const deploy = async (name: string, args: readonly unknown[], linked: Hex): Promise<Hex> => {
        const { abi, evm } = project.contract(name);
        const bytecode = `0x${evm.bytecode.object.replace(/__\$.{34}\$__/g, linked.slice(2))}` as Hex;
        const created = await send({ data: encodeDeployData({ abi: abi as Abi, bytecode, args: [...args] }) });
        return (await anvil.rpc<{ contractAddress: Hex }>('eth_getTransactionReceipt', [created])).contractAddress;
      };
      vaults = await deploy('Vaults', [1_000n], await deploy('Rates', [], '0x'));
      const abi = project.contract('Vaults').abi as Abi;
      const encode = (amount: bigint) => encodeFunctionData({ abi, functionName: 'fund', args: [amount] });
      [fund, failing] = [encode(500n), encode(5_000n)];
      hash = await send({ to: vaults, data: fund });
      return { theme: 'dark', viewport: { width: 1280, height: 900 } };
    });
    ({ editor } = sample);
    await statusBarText(editor.page, /Local dev chain \d+/);
  });
  after(() => sample?.close());

  const toolbar = (action: string | RegExp) =>
    editor.page.locator('.debug-toolbar').getByRole('button', { name: action }).click();
  const variable = (text: string | RegExp) =>
    editor.page.locator('.debug-variables .monaco-list-row').filter({ hasText: text }).first().waitFor();

  /** Line and column of the innermost function; '' while there is none, because the debugger runs. */
  const readPlace = async () => {
    const [text = ''] = await editor.page
      .locator('.debug-call-stack .monaco-list-row')
      .filter({ hasText: '.sol' })
      .allTextContents();
    return /\d+:\d+/.exec(text)?.[0] ?? '';
  };
  /** To another place, which is shown when this resolves. */
  const stepOver = async () => {
    const from = await readUntil(readPlace, place => place !== '', 'a place');
    await toolbar(/^Step Over/);
    await readUntil(readPlace, place => place !== '' && place !== from, `another place than ${from}`);
  };

  it('begins at a row of the look-up box', () =>
    pictured(editor, 'debugger-look-up', async () => {
      const { page } = editor;
      await runCommand(page, 'HexLens: Look Up…');
      await type(page, hash);
      await row(page, /Transaction on/).waitFor();
      await editor.screenshot('debugger-look-up-row');
      await pressRowButton(page, /Transaction on/, 'Debug Transaction');
      await page.locator('.debug-toolbar').waitFor();
      await page.locator('.debug-variables').waitFor();
      for (let i = 0; i < 2; i++) await stepOver();
      await variable('optimized out');
      await page.locator('.debug-call-stack').getByText('Load More Stack Frames').waitFor({ state: 'hidden' });
    }));

  it('shows values of an unoptimized build that did the same, from the same line on', () =>
    pictured(editor, 'debugger-unoptimized', async () => {
      const { page } = editor;
      const place = await readPlace();
      await toolbar(/Debug Unoptimized Build/);
      await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Compile' }).click();
      await page.getByText('Values from an unoptimized build').first().waitFor();
      await page.locator('.debug-call-stack .monaco-list-row').filter({ hasText: place }).first().waitFor();
      for (let i = 0; i < 2; i++) await stepOver();
      await variable(/fee = ?25/);
      await page
        .locator('.view-line')
        .filter({ hasText: /fee\s=\s25/ })
        .first()
        .waitFor();
      await runCommand(page, 'Debug Console: Focus on Debug Console View');
      await page.locator('.repl').getByText('which did the same; gas is that of the transaction').waitFor();
      await editor.screenshot('debugger-unoptimized-console');
    }));

  it('evaluates expressions, hex and view functions in the console', () =>
    pictured(editor, 'debugger-console', async () => {
      const { page } = editor;
      const repl = page.locator('.repl');
      const evaluate = async (expression: string, result: string | RegExp) => {
        await repl.locator('.repl-input-wrapper .monaco-editor').click();
        await page.keyboard.type(expression);
        await page.keyboard.press('Escape'); // closes the suggestions
        await page.keyboard.press('Enter');
        await repl.locator('.monaco-list-row').filter({ hasText: result }).first().waitFor();
      };
      await evaluate('fee + 1', /^26$/);
      await evaluate(fund, /fund\(/);
      await evaluate('limit()', /^1100$/);
      await evaluate('missing', /There is no variable "missing" here/);
      await editor.screenshot('debugger-console-results');
    }));

  it('evaluates in watches and in hovers over the source', () =>
    pictured(editor, 'debugger-watch', async () => {
      const { page } = editor;
      const header = page.locator('.pane-header').filter({ hasText: 'Watch' });
      await header.hover();
      await page.getByRole('button', { name: 'Add Expression' }).click();
      await page.keyboard.type('amount - fee');
      await page.keyboard.press('Enter');
      await page
        .locator('.debug-pane .monaco-list-row')
        .filter({ hasText: /amount\s-\sfee[\s=:]*475/ })
        .waitFor();
      const line = page.locator('.view-line').filter({ hasText: /left\s=\samount\s-\sfee;/ });
      // Without a grammar for Solidity the line is one text.
      const at = await line.evaluate(element => {
        const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
          const start = node.textContent?.indexOf('fee;') ?? -1;
          if (start < 0) continue;
          const range = document.createRange();
          range.setStart(node, start);
          range.setEnd(node, start + 3);
          const { x, y, width, height } = range.getBoundingClientRect();
          return { x: x + width / 2, y: y + height / 2 };
        }
        throw new Error('the line has no fee');
      });
      await page.mouse.move(at.x, at.y);
      await page.locator('.debug-hover-widget').filter({ hasText: '25' }).waitFor();
      await editor.screenshot('debugger-watch-hover');
      await toolbar(/^Stop/);
    }));

  it('simulates a call by its prompts', () =>
    pictured(editor, 'debugger-simulate-call', async () => {
      const { page } = editor;
      await runCommand(page, 'HexLens: Simulate Call', true);
      await waitForTitle(page, /Simulate Call: Contract/);
      await quickInput(page).fill(vaults);
      await editor.screenshot('simulate-contract');
      await acceptInput(page);
      await waitForTitle(page, /Simulate Call: Function/);
      await editor.screenshot('simulate-function');
      await choose(page, /^fund/);
      await waitForTitle(page, /fund: amount/);
      await quickInput(page).fill('300');
      await editor.screenshot('simulate-argument');
      await acceptInput(page);
      await waitForTitle(page, /Simulate Call: From/);
      await editor.screenshot('simulate-from');
      await choose(page, new RegExp(sender, 'i'));
      await waitForTitle(page, /Simulate Call: Value/);
      await acceptInput(page);
      await waitForTitle(page, /Simulate Call: Block/);
      await editor.screenshot('simulate-block');
      await acceptInput(page);
      const frame = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
      await frame.getByRole('heading', { name: 'Simulated call' }).waitFor();
    }));

  it('debugs a failed call from its text', () =>
    pictured(editor, 'debugger-failed-call', async () => {
      const { page } = editor;
      await runCommand(page, 'HexLens: Debug Failed Call', true);
      await waitForTitle(page, /Debug Failed Call/);
      await quickInput(page).fill(`From: ${sender} To: ${vaults} Data: ${failing}`);
      await editor.screenshot('failed-call-text');
      await acceptInput(page);
      await page.locator('.debug-toolbar').waitFor();
      await toolbar(/^Continue/);
      await page.locator('.exception-widget').filter({ hasText: 'TooMuch' }).waitFor();
      await editor.screenshot('failed-call-failure');
      await toolbar(/^Stop/);
    }));
});
