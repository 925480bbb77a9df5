// Opens a real VS Code with HexLens installed for one end-to-end test.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import type { EditorHost } from '../editor/editorServer.ts';
import { packedExtension, screenshots } from '../editor/paths.ts';
import { onTermination } from '../editor/processes.ts';
import { quietSettings } from '../editor/quietSettings.ts';
import { openWorkbench, startExtensionHost } from '../editor/workbench.ts';
import { RESET_KEYBINDINGS, resetWindow } from './resetWindow.ts';
import { type Session, startSession } from './session.ts';
import { openFile } from './userActions.ts';
import { lookOften, readUntil } from './waits.ts';

/** When it is set, screenshots are taken only of steps that fail. */
export const FAILED_PICTURES_VARIABLE = 'HEXLENS_E2E_FAILED_PICTURES';

export type Theme = 'dark' | 'light' | 'high-contrast' | 'high-contrast-light';

export const themeNames: Record<Theme, string> = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'high-contrast': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
};

/** For steps whose colors nothing checks but the user of the screenshots: all themes where those are taken, else the last. */
export const getPicturedThemes = (...themes: readonly Theme[]): readonly Theme[] =>
  process.env[FAILED_PICTURES_VARIABLE] === undefined ? themes : themes.slice(-1);

const DEFAULT_VIEWPORT = { width: 1400, height: 900 };

export interface EditorOptions {
  /** Folder to open. */
  readonly workspace: string;
  /** User settings on top of the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** User key bindings: the way to a command with an argument. */
  readonly keybindings?: readonly Readonly<Record<string, unknown>>[];
  /** File to open at the start, relative to the workspace; `null` opens none. */
  readonly openFile?: string | null;
  readonly theme?: Theme;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Display language, such as `de`; English without it. */
  readonly language?: string;
}

export interface Editor {
  readonly page: Page;
  readonly server: EditorHost;
  /** URLs outside the server that the page requested; expected to be empty. */
  readonly foreignRequests: readonly string[];
  /** Saves what the window shows as test-results/screenshots/<name>.png, unless only failed steps are wanted. */
  screenshot(name: string): Promise<void>;
  /**
   * Makes the window look as a new one would: without editors, and with the workspace as `prepare` has changed it. What the
   * extension has stored stays, and so do the user's settings and key bindings.
   */
  reset(prepare: () => Promise<WindowOptions>): Promise<void>;
  /** Closes the window, and the session if it is its own. */
  close(): Promise<void>;
}

/** What a window can have again and again. */
export type WindowOptions = Pick<EditorOptions, 'openFile' | 'viewport'> & {
  /** The title that the settings of the workspace give it once they are in force. */
  readonly title?: string;
};

/** The .vsix under test: the one the runner names, else what `npm run package` left. */
export function vsixUnderTest(): string {
  const vsix = resolve(process.env['HEXLENS_VSIX'] ?? packedExtension);
  if (!existsSync(vsix)) throw new Error(`${vsix} does not exist. Make it first: npm run package.`);
  return vsix;
}

export const startEditorSession = (scale = 1): Promise<Session> => startSession(vsixUnderTest(), scale);

/**
 * A VS Code window with the packed extension, its workspace and its first file open, ready for the mouse. Without a session
 * it has its own, which is closed with it.
 */
export async function openEditor(options: EditorOptions, given?: Session): Promise<Editor> {
  const workspace = resolve(options.workspace);
  const session = given ?? (await startEditorSession());
  const { server, context } = session;
  let page: Page | undefined;
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      // Leaving the workbench ends its extension host, as closing a tab does.
      await page?.goto('about:blank');
      await page?.close();
      await session.endExtensionHosts();
      if (given === undefined) await session.close();
      forget();
    })();
    return closing;
  };
  const forget = onTermination(close);
  try {
    await session.reset(createProfile(options));
    const activations = await session.countActivations();
    const workbench = await openWorkbench(context, server, {
      workspace,
      viewport: options.viewport ?? DEFAULT_VIEWPORT,
      ...(options.language === undefined ? {} : { language: options.language }),
    });
    const shown = workbench.page;
    page = shown;
    lookOften(shown);
    await shown.locator('.statusbar-item').first().waitFor();
    const isActive = async () => (await session.countActivations()) > activations;
    await startExtensionHost(isActive, () => shown.reload().then(() => {}));
    if (typeof options.openFile === 'string') await openFile(shown, options.openFile);
    const { foreignRequests } = workbench;
    const reset: Editor['reset'] = async prepare => {
      await resetWindow(shown);
      const { title, viewport = DEFAULT_VIEWPORT, openFile: file } = await prepare();
      if (title !== undefined)
        await readUntil(
          () => shown.title(),
          current => current === title,
          `the settings of ${title}`,
        );
      await shown.setViewportSize(viewport);
      if (typeof file === 'string') await openFile(shown, file);
    };
    return { page: shown, server, foreignRequests, screenshot: name => savePicture(shown, name), reset, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function createProfile({ theme = 'dark', settings, keybindings = [] }: Omit<EditorOptions, 'workspace'>) {
  return {
    settings: {
      ...quietSettings,
      // Settings are edited in a tab.
      'workbench.editor.useModal': 'off',
      'workbench.colorTheme': themeNames[theme],
      // A terminal in the editor area would take the keys that make the window look as a new one, and ask before it closes.
      'terminal.integrated.commandsToSkipShell': RESET_KEYBINDINGS.map(({ command }) => command),
      'terminal.integrated.confirmOnKill': 'never',
      ...settings,
    },
    keybindings: [...RESET_KEYBINDINGS, ...keybindings],
  };
}

/**
 * Runs a step of a test and saves what the window shows at its end as <name>.png, or as <name>-failed.png when it
 * failed. The runner may ask for the latter only.
 */
export async function pictured(editor: Editor, name: string, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    await saveScreenshot(editor.page, `${name}-failed`);
    await editor.server.saveLogs();
    throw error;
  }
  await editor.screenshot(name);
}

/** Saves what a page shows as test-results/screenshots/<name>.png, unless the runner wants only failed steps. */
export async function savePicture(page: Page, name: string): Promise<void> {
  if (process.env[FAILED_PICTURES_VARIABLE] === undefined) await saveScreenshot(page, name);
}

async function saveScreenshot(page: Page, name: string): Promise<void> {
  await mkdir(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`) });
}
