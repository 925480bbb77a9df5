// Opens a real VS Code with HexLens installed for one end-to-end test.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { type EditorServer, startServer } from '../editor/editorServer.ts';
import { packedExtension, screenshots } from '../editor/paths.ts';
import { onTermination } from '../editor/processes.ts';
import { quietSettings } from '../editor/quietSettings.ts';
import { launchBrowser, openWorkbench } from '../editor/workbench.ts';

export type Theme = 'dark' | 'light' | 'high-contrast' | 'high-contrast-light';

export const themeNames: Record<Theme, string> = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'high-contrast': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
};

const workbenchTimeoutMs = 60_000;

export interface EditorOptions {
  /** A packed extension, installed as a user would; or a folder in development mode, where toasts do not show. */
  readonly extension: { readonly vsix: string } | { readonly folder: string };
  /** Folder to open. */
  readonly workspace: string;
  /** User settings on top of the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** User key bindings: the way to a command with an argument. */
  readonly keybindings?: readonly Readonly<Record<string, unknown>>[];
  /**
   * File to open at the start, relative to the workspace or absolute; `null` opens none. An editor started with a file
   * does not restore what was open before a reload.
   */
  readonly openFile?: string | null;
  readonly theme?: Theme;
  /** False: the workspace opens in Restricted Mode. */
  readonly trustEverything?: boolean;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Display language, such as `de`; English without it. */
  readonly language?: string;
}

export interface Editor {
  readonly page: Page;
  readonly server: EditorServer;
  /** URLs outside the server that the page requested; expected to be empty. */
  readonly foreignRequests: readonly string[];
  /** Saves what the window shows as test-results/screenshots/<name>.png and returns the path. */
  screenshot(name: string): Promise<string>;
  /** Ends browser and server and deletes their folders. */
  close(): Promise<void>;
}

/** The .vsix under test: the one the runner names, else what `npm run package` left. */
export function vsixUnderTest(): string {
  const vsix = resolve(process.env['HEXLENS_VSIX'] ?? packedExtension);
  if (!existsSync(vsix)) throw new Error(`${vsix} does not exist. Make it first: npm run package.`);
  return vsix;
}

/** A VS Code window with the extension, its workspace and its first file open, ready for the mouse. */
export async function openEditor(options: EditorOptions): Promise<Editor> {
  const workspace = resolve(options.workspace);
  const cleanUps: (() => Promise<unknown>)[] = [];
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      for (const cleanUp of cleanUps.reverse()) await cleanUp();
      forget();
    })();
    return closing;
  };
  const forget = onTermination(close);
  try {
    const server = await startServer({
      settings: {
        ...quietSettings,
        'workbench.colorTheme': themeNames[options.theme ?? 'dark'],
        ...options.settings,
      },
      ...(options.keybindings === undefined ? {} : { keybindings: options.keybindings }),
      ...('vsix' in options.extension ? { install: resolve(options.extension.vsix) } : { testDriver: true }),
      ...(options.trustEverything === undefined ? {} : { trustEverything: options.trustEverything }),
    });
    cleanUps.push(() => server.stop());
    const browser = await launchBrowser(line => console.log(line));
    cleanUps.push(() => browser.close());

    const payload: [string, string][] = [];
    if ('folder' in options.extension) {
      payload.push(['extensionDevelopmentPath', server.uri(resolve(options.extension.folder))]);
    }
    const { openFile = null } = options;
    if (openFile !== null) payload.push(['openFile', server.uri(resolve(workspace, openFile))]);
    const { page, foreignRequests } = await openWorkbench(browser, server, {
      workspace,
      payload,
      ...(options.viewport === undefined ? {} : { viewport: options.viewport }),
      ...(options.language === undefined ? {} : { language: options.language }),
    });
    await page.locator('.statusbar-item').first().waitFor({ timeout: workbenchTimeoutMs });
    if (openFile !== null) {
      await page.locator('.editor-instance .view-line').first().waitFor({ timeout: workbenchTimeoutMs });
    }
    return { page, server, foreignRequests, screenshot: name => screenshot(page, name), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Runs a step of a test and saves what the window shows at its end as <name>.png, or as <name>-failed.png when it
 * failed.
 */
export async function pictured(editor: Editor, name: string, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    await editor.screenshot(`${name}-failed`);
    await editor.server.saveLogs();
    throw error;
  }
  await editor.screenshot(name);
}

async function screenshot(page: Page, name: string): Promise<string> {
  await mkdir(screenshots, { recursive: true });
  const path = join(screenshots, `${name}.png`);
  await page.screenshot({ path });
  return path;
}
