// `npm run screenshots`: makes the pictures of README, guides and walkthrough in the real editor, on the sample chain, in a dark
// and a light theme.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { root } from '../editor/paths.ts';
import { asProgram } from '../editor/processes.ts';
import { createAnimatedPicture, type Frame } from './animatedPicture.ts';
import { openEditor, savePicture, startEditorSession, type Theme } from './harness.ts';
import { findTexts, PICTURE_TEXTS_FILE, readEnglishTexts, readShownText } from './pictureTexts.ts';
import {
  acceptInput,
  expandRow,
  hoverText,
  openFile,
  quickInput,
  runCommand,
  statusBarText,
  textBox,
} from './userActions.ts';
import { actUntil, lookOften } from './waits.ts';

const VIEW = { width: 1120, height: 700 };
const MOVE_FRAMES = 6;
const MOVE_MS = 70;

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The window of the sample, its pictures, and the frames of the animated one. */
class Photographer {
  readonly page: Page;
  readonly #theme: Theme;
  /** Those of HexLens that each picture shows. */
  readonly texts: Record<string, readonly string[]> = {};
  readonly #frames: Frame[] = [];
  #at = { x: VIEW.width / 2, y: VIEW.height - 80 };

  constructor(page: Page, theme: Theme) {
    this.page = page;
    this.#theme = theme;
  }

  /** A pointer, which screenshots lack. */
  async prepare(): Promise<void> {
    await this.page.setViewportSize(VIEW);
    await this.page.evaluate(() => {
      const pointer = document.createElement('div');
      pointer.id = 'picture-pointer';
      const arrow = 'M1 1 L1 17 L5 13 L8 20 L11 19 L8 12 L14 12 Z';
      pointer.innerHTML = `<svg width="22" height="24"><path d="${arrow}" fill="white" stroke="black" stroke-width="1.5"/></svg>`;
      pointer.style.cssText = 'position:fixed;left:0;top:0;z-index:99999;pointer-events:none;display:none';
      document.body.append(pointer);
      document.addEventListener(
        'mousemove',
        ({ clientX, clientY }) => {
          pointer.style.transform = `translate(${clientX}px, ${clientY}px)`;
        },
        true,
      );
    });
  }

  async #showPointer(isShown: boolean): Promise<void> {
    await this.page.evaluate(shown => {
      const pointer = document.getElementById('picture-pointer');
      if (pointer !== null) pointer.style.display = shown ? 'block' : 'none';
    }, isShown);
  }

  async frame(milliseconds: number): Promise<void> {
    await this.#showPointer(true);
    this.#frames.push({ png: await this.page.screenshot({ scale: 'css' }), milliseconds });
    await this.#showPointer(false);
  }

  async moveTo({ x, y, width, height }: Area): Promise<void> {
    const [toX, toY] = [x + Math.min(width / 2, 90), y + height / 2];
    const { x: fromX, y: fromY } = this.#at;
    for (let step = 1; step <= MOVE_FRAMES; step++) {
      const share = step / MOVE_FRAMES;
      await this.page.mouse.move(fromX + (toX - fromX) * share, fromY + (toY - fromY) * share);
      await this.frame(MOVE_MS);
    }
    this.#at = { x: toX, y: toY };
  }

  async click(locator: Locator): Promise<void> {
    await locator.waitFor();
    await this.moveTo(await boxOf(locator));
    await this.page.mouse.down();
    await this.page.mouse.up();
  }

  /** Of a part of the window, at twice the resolution: of the guides, and under another name of the walkthrough. */
  async picture(name: string, area: Area = { x: 0, y: 0, ...VIEW }, walkthroughName?: string): Promise<void> {
    const x = Math.max(0, area.x);
    const y = Math.max(0, area.y);
    const clip = { x, y, width: Math.min(VIEW.width - x, area.width), height: Math.min(VIEW.height - y, area.height) };
    const png = await this.page.screenshot({ clip });
    const shown = findTexts(await readShownText(this.page), readEnglishTexts());
    const paths = this.#theme === 'light' ? [`docs/images/light/${name}.png`] : [`docs/images/${name}.png`];
    if (this.#theme === 'dark' && walkthroughName !== undefined) paths.push(`media/walkthrough/${walkthroughName}.png`);
    for (const path of paths) {
      this.texts[path] = shown;
      await save(path, png);
    }
  }

  async saveFrames(path: string): Promise<void> {
    if (this.#theme === 'dark') await save(path, createAnimatedPicture(this.#frames));
  }
}

async function save(path: string, content: Buffer): Promise<void> {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  console.log(`${path}: ${Math.round(content.length / 1000)} kB. Look at it before you commit it.`);
}

const around = ({ x, y, width, height }: Area, margin: number): Area => ({
  ...{ x: x - margin, y: y - margin },
  ...{ width: width + 2 * margin, height: height + 2 * margin },
});

async function boxOf(locator: Locator): Promise<Area> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error(`There is no ${locator}.`);
  return box;
}

const FAILED = '0xa019716c4dffd7da3df445cdfcaaed73c0761aef070e12cdb775eb1cd380d158';
const VAULT = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0';
const ALICE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const DEPOSIT = '0xb331742f64c0d6177daa6307ab6f2d702fd1940378e699e6cd2bfc37b71b47bf';
const inspector = (page: Page): FrameLocator => page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');

async function showHover(photographer: Photographer): Promise<void> {
  const { page } = photographer;
  await photographer.frame(900);
  await photographer.moveTo(await textBox(page, FAILED));
  await hoverText(page, FAILED, /Positions\.sol/);
  await photographer.frame(2_600);
  const hover = page.locator('.monaco-hover:visible').first();
  const area = await boxOf(hover);
  const line = await textBox(page, FAILED);
  const withLine = { ...area, y: line.y, height: area.y + area.height - line.y };
  await photographer.picture('hover', around(withLine, 14), 'hover');
}

async function showFailure(photographer: Photographer): Promise<void> {
  const { page } = photographer;
  const link = page.locator('.monaco-hover:visible a').filter({ hasText: 'Positions.sol:24' }).first();
  await link.scrollIntoViewIfNeeded();
  await photographer.click(link);
  await page.getByRole('tab', { name: 'Positions.sol' }).waitFor();
  await photographer.frame(1_600);
  await openFile(page, 'START-HERE.md');
  await page.mouse.click((await textBox(page, FAILED)).x + 40, (await textBox(page, FAILED)).y + 8);
  await runCommand(page, 'HexLens: Show Failure in Source');
  await page
    .locator('.editor-instance .view-line')
    .filter({ hasText: 'revert InsufficientPosition' })
    .first()
    .waitFor();
  await page.locator('.notification-toast').first().waitFor({ state: 'hidden' });
  await photographer.frame(1_500);
  const editor = await boxOf(page.locator('.editor-instance').first());
  const line = await textBox(page, 'revert InsufficientPosition');
  await photographer.picture('failure', { ...editor, y: line.y - 170, height: 250 }, 'failure');
}

async function showDebugger(photographer: Photographer): Promise<void> {
  const { page } = photographer;
  await openFile(page, 'START-HERE.md');
  await page.mouse.click((await textBox(page, FAILED)).x + 40, (await textBox(page, FAILED)).y + 8);
  await runCommand(page, 'HexLens: Debug Transaction');
  await page.locator('.debug-toolbar').waitFor();
  const stack = page.locator('.debug-call-stack');
  // The start of the session may show another view after this one.
  await actUntil(
    () => runCommand(page, 'View: Show Run and Debug'),
    timeout => stack.getByText('HarborProxy.fallback').waitFor({ timeout }),
  );
  await runCommand(page, 'View: Hide Panel');
  await photographer.frame(1_000);
  const toolbar = page.locator('.debug-toolbar');
  for (let step = 0; step < 4; step++) {
    await photographer.click(toolbar.getByRole('button', { name: /Step Into/ }));
    await photographer.frame(450);
  }
  await photographer.click(toolbar.getByRole('button', { name: /Continue/ }));
  await stack.getByText('Positions.decrease').waitFor();
  await page.locator('.debug-variables .monaco-list-row').filter({ hasText: 'amount =' }).first().waitFor();
  // Away from the toolbar, whose tooltip covers the editor.
  await page.mouse.move(0, 0);
  await photographer.frame(1_800);
  const lists = page.locator('.pane-header', { hasText: 'Loaded Scripts' });
  await photographer.picture('debug', { x: 0, y: 0, width: VIEW.width, height: (await boxOf(lists)).y }, 'debug');
  await page.keyboard.press('Shift+F5');
  await page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
  await runCommand(page, 'View: Close Primary Side Bar');
}

async function showState(photographer: Photographer): Promise<void> {
  const { page } = photographer;
  await runCommand(page, 'View: Close All Editors');
  await openFile(page, 'START-HERE.md');
  await hoverText(page, DEPOSIT, /Inspect/);
  await page.locator('.monaco-hover:visible a').filter({ hasText: 'Inspect' }).first().click();
  const frame = inspector(page);
  await frame.getByRole('tab', { name: /State changes/ }).click();
  await frame.getByText('positions[').first().waitFor();
  await photographer.frame(2_400);
  await photographer.picture('state');
}

/** By the button of the view. */
async function saveAddress(page: Page, address: string, name: string): Promise<void> {
  await page.locator('.sidebar .pane-header a.action-label[aria-label*="Save Address"]').first().click();
  await page.locator('.quick-input-widget').filter({ hasText: 'Save' }).waitFor();
  await quickInput(page).fill(address);
  await acceptInput(page);
  await page
    .locator('.quick-input-widget')
    .filter({ hasText: /Name of/ })
    .waitFor();
  await quickInput(page).fill(name);
  await acceptInput(page);
  await page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: 'Save' }).waitFor();
  await acceptInput(page);
  await sidebarRow(page, name).waitFor();
}

const sidebarRow = (page: Page, text: RegExp | string): Locator =>
  page.locator('.sidebar .monaco-list-row').filter({ hasText: text }).first();

async function showNames(photographer: Photographer): Promise<void> {
  const { page } = photographer;
  await page.locator('.activitybar a[aria-label^="HexLens"]').first().click();
  await page.locator('.sidebar .pane-header').filter({ hasText: 'Addresses' }).hover();
  await saveAddress(page, VAULT, 'Vault');
  await saveAddress(page, ALICE, 'Alice');
  await expandRow(sidebarRow(page, 'Alice'), sidebarRow(page, 'Balance'));
  await expandRow(sidebarRow(page, 'ERC-20 Tokens'), sidebarRow(page, 'HBR'));
  await expandRow(sidebarRow(page, 'ERC-20 Transfers'), sidebarRow(page, 'Vault'));
  await openFile(page, 'deployments.json');
  // JSON has extensions of its own.
  await page.locator('.statusbar-item').filter({ hasText: 'Activating Extensions' }).waitFor({ state: 'hidden' });
  await photographer.picture('sidebar', undefined, 'save');
}

async function showBlock(photographer: Photographer): Promise<void> {
  const { page } = photographer;
  await runCommand(page, 'View: Close Primary Side Bar');
  await runCommand(page, 'HexLens: Look Up…');
  await quickInput(page).fill('8');
  await page
    .locator('.quick-input-list .monaco-list-row')
    .filter({ hasText: /Block 8/ })
    .first()
    .click();
  await inspector(page).getByRole('heading', { name: /Block/ }).first().waitFor();
  await inspector(page).getByText('deposit').first().waitFor();
  await photographer.picture('inspector-block');
}

/** The pictures of one theme, and the texts in them. */
async function takePictures(theme: Theme): Promise<Readonly<Record<string, readonly string[]>>> {
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-pictures-'));
  const session = await startEditorSession(2);
  const options = { workspace: folder, openFile: null, theme, settings: { 'editor.fontSize': 13 } };
  const editor = await openEditor(options, session);
  try {
    const opened = editor.page.context().waitForEvent('page');
    await runCommand(editor.page, 'HexLens: Try on a Sample Chain');
    const page = await opened;
    lookOften(page);
    const photographer = new Photographer(page, theme);
    await photographer.prepare();
    await page.getByRole('tab', { name: 'START-HERE.md' }).waitFor();
    await statusBarText(page, /14/);
    await runCommand(page, 'View: Close Primary Side Bar');
    try {
      await showHover(photographer);
      await showFailure(photographer);
      await showDebugger(photographer);
      await showState(photographer);
      await photographer.saveFrames('docs/images/tour.gif');
      await showNames(photographer);
      await showBlock(photographer);
    } catch (error) {
      await savePicture(page, 'pictures-failed');
      throw error;
    }
    return photographer.texts;
  } finally {
    await editor.close();
    await session.close();
    await rm(folder, { recursive: true, force: true });
  }
}

await asProgram(import.meta.url, async () => {
  const texts = { ...(await takePictures('dark')), ...(await takePictures('light')) };
  await writeFile(join(root, PICTURE_TEXTS_FILE), `${JSON.stringify(texts, null, 2)}\n`);
});
