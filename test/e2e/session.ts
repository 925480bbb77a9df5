// One editor server and one browser for many windows: each gets a fresh user, and the browser's cache.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { type EditorHost, startServer, writeUserData } from '../editor/editorServer.ts';
import { endProcess, onTermination } from '../editor/processes.ts';
import { makePagesQuick } from '../editor/quickPage.ts';
import { quietSettings } from '../editor/quietSettings.ts';
import { launchBrowserWithProfile } from '../editor/workbench.ts';
import { readUntil } from './waits.ts';

export interface Session {
  readonly server: EditorHost;
  readonly context: BrowserContext;
  /** False after a crash of server or browser. */
  isAlive(): boolean;
  /** Forgets what earlier windows have left: settings, files of extensions, what the browser stores. */
  reset(user: Parameters<typeof writeUserData>[1]): Promise<void>;
  /** How often HexLens was activated, in all windows so far. */
  countActivations(): Promise<number>;
  /**
   * Ends the extension hosts of windows that were closed. The message by which a window ends its own can be lost when the
   * browser leaves the page; VS Code then waits for hours for the window to connect again.
   */
  endExtensionHosts(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server with the packed extension installed, and a browser. */
export async function startSession(vsix: string, scale = 1): Promise<Session> {
  // Whether workspaces are trusted is a setting of each file.
  const server = await startServer({ install: vsix, settings: quietSettings, trustEverything: false });
  let isAlive = true;
  void server.ended.then(() => {
    isAlive = false;
  });
  const { folder } = server.address;
  try {
    const context = await launchBrowserWithProfile(join(folder, 'browser'), scale);
    await makePagesQuick(context);
    context.once('close', () => {
      isAlive = false;
    });
    const close = async () => {
      forget();
      await context.close();
      await server.stop();
    };
    const forget = onTermination(close);
    return {
      server,
      context,
      isAlive: () => isAlive,
      async reset(user) {
        await writeUserData(folder, user);
        const page = await context.newPage();
        const devTools = await context.newCDPSession(page);
        const storageTypes = 'cookies,local_storage,indexeddb';
        await devTools.send('Storage.clearDataForOrigin', { origin: server.origin, storageTypes });
        await page.close();
      },
      countActivations: () => countActivations(folder),
      async endExtensionHosts() {
        await readUntil(
          async () => {
            const running = await runningExtensionHosts(folder);
            for (const pid of running) endProcess(pid);
            return running;
          },
          running => running.length === 0,
          'the end of the extension hosts',
        );
      },
      close,
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** None before the server has written its first one. */
const readLogs = (folder: string, recursive = false): Promise<string[]> =>
  readdir(folder, { recursive }).catch(() => []);

/** By the logs of the extension hosts. */
async function countActivations(folder: string): Promise<number> {
  const logs = join(folder, 'data', 'logs');
  const files = (await readLogs(logs, true)).filter(file => file.endsWith('remoteexthost.log'));
  const texts = await Promise.all(files.map(file => readFile(join(logs, file), 'utf8')));
  return texts.filter(text => /_doActivateExtension \S+\.hexlens\b/.test(text)).length;
}

/** The process ids of the extension hosts that, by the server's log, were started and have not ended. */
async function runningExtensionHosts(folder: string): Promise<readonly number[]> {
  const logs = join(folder, 'data', 'logs');
  const running = new Set<number>();
  for (const run of await readLogs(logs)) {
    const log = await readFile(join(logs, run, 'remoteagent.log'), 'utf8').catch(() => '');
    for (const [, pid = ''] of log.matchAll(/<(\d+)> Launched Extension Host Process/g)) running.add(Number(pid));
    for (const [, pid = ''] of log.matchAll(/<(\d+)> Extension Host Process exited/g)) running.delete(Number(pid));
  }
  return [...running];
}
