// Opens the VS Code workbench of a server in a headless Chromium.
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { readUntil } from '../e2e/waits.ts';
import { STATE_LIMIT_MS } from '../support/timeLimits.ts';
import { ensureChromium } from './chromium.ts';
import type { EditorHost } from './editorServer.ts';

export interface WorkbenchOptions {
  /** Absolute path of the folder to open. */
  readonly workspace: string;
  /** Development-mode extras: pairs such as `['openFile', uri]`. */
  readonly payload?: readonly (readonly [string, string])[];
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Display language, such as `de`; texts of the editor itself also need a language pack. */
  readonly language?: string;
  /** Receives the page's console, including the extension host's (only with the server's test driver). */
  readonly onLog?: (type: string, args: readonly unknown[]) => void;
}

export interface Workbench {
  readonly page: Page;
  /** The exit code of the test run that the extension host reports (only with the server's test driver). */
  readonly exitCode: Promise<number>;
  /** Requests to other hosts than the server: there should be none. */
  readonly foreignRequests: readonly string[];
}

const WINDOW_FLAGS: readonly string[] = [
  // VS Code reads the stack of an Error while it loads, for which V8 would parse its 20 MB of code once more, in two seconds.
  '--no-enable-lazy-source-positions',
  // A window of a test is used so shortly that optimizing its code takes more processor time than it saves.
  '--no-opt',
  '--no-maglev',
];

/** Starts Chromium, installing it first where {@link ensureChromium} may. `flags` are those of V8. */
export async function launchBrowser(
  progress?: (line: string) => void,
  flags: readonly string[] = WINDOW_FLAGS,
): Promise<Browser> {
  return chromium.launch(await launchOptions(flags, progress));
}

/** Starts Chromium with a profile, whose cache makes every window after the first open in half the time. */
/** `scale`: pixels of the screen for each of CSS. */
export async function launchBrowserWithProfile(profile: string, scale = 1): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, {
    ...(await launchOptions(WINDOW_FLAGS)),
    deviceScaleFactor: scale,
  });
}

async function launchOptions(flags: readonly string[], progress?: (line: string) => void) {
  const executablePath = await ensureChromium(progress === undefined ? {} : { progress });
  return {
    executablePath,
    // Chromium's sandbox does not run as root, which containers use.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-quic',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--disable-features=LocalNetworkAccessChecks',
      `--js-flags=${flags.join()}`,
    ],
    // The callers close the browser themselves, after the server.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  };
}

/** Opens the workbench in a page of the context. */
export async function openWorkbench(
  context: BrowserContext,
  server: EditorHost,
  options: WorkbenchOptions,
): Promise<Workbench> {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
  context.setDefaultTimeout(STATE_LIMIT_MS);
  const page = await context.newPage();
  await page.setViewportSize(options.viewport ?? { width: 1400, height: 900 });
  // A language pack would set this before the workbench starts.
  if (options.language !== undefined)
    await page.addInitScript(
      language => Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { value: language, writable: false }),
      options.language,
    );
  const foreignRequests: string[] = [];
  page.on('request', request => {
    const url = new URL(request.url());
    // Resources of webviews have this host name but are served by a service worker.
    const isWebview = url.hostname.endsWith('.vscode-cdn.net');
    if (/^(https?|wss?):$/.test(url.protocol) && url.origin !== server.origin && !isWebview) {
      foreignRequests.push(request.url());
    }
  });
  const exit = Promise.withResolvers<number>();
  await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => options.onLog?.(type, args));
  await page.exposeFunction('codeAutomationExit', (code: number) => exit.resolve(code));
  await page.goto(server.workbenchUrl(options.workspace, options.payload));
  return { page, exitCode: exit.promise, foreignRequests };
}

const MAX_LOADS = 3;

/** VS Code gives up an extension host that a busy machine does not start within a minute; then the window is loaded again. */
export async function startExtensionHost(
  isStarted: () => Promise<boolean> | boolean,
  reload: () => Promise<void>,
): Promise<void> {
  for (let loads = 1; ; loads++) {
    try {
      await readUntil(isStarted, started => started, 'the start of the extension host');
      return;
    } catch (error) {
      if (loads === MAX_LOADS) throw error;
      await reload();
    }
  }
}
