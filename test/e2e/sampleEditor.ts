// The fixture of most end-to-end tests: a test chain, its sample workspace, and an editor with HexLens.
import { rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { type RunningChain, startTestChain } from '../editor/testChainProcess.ts';
import { createJsonRpc } from '../support/chain/jsonRpc.ts';
import { type SampleWorkspace, writeSampleWorkspace } from '../support/chain/sampleWorkspace.ts';
import type { TestChain } from '../support/chain/testChain.ts';
import { type PageTheme, readPageTheme } from './axe.ts';
import { type Editor, type EditorOptions, openEditor, startEditorSession, type Theme, themeNames } from './harness.ts';
import { getPageKeybindings } from './pageKeys.ts';
import type { Session } from './session.ts';

export interface Sample {
  readonly chain: TestChain;
  readonly workspace: SampleWorkspace;
  readonly editor: Editor;
  /** Ends the chain's process, as if the node went down. */
  stopChain(): Promise<void>;
  close(): Promise<void>;
}

/** The default file is scripts/check.ts. */
interface SampleEditorOptions
  extends Partial<Omit<EditorOptions, 'workspace' | 'settings' | 'keybindings' | 'language'>> {
  /** Settings of the workspace beside its node. */
  readonly workspaceSettings?: Readonly<Record<string, unknown>>;
}

/** What the options may depend on. */
type SampleContext = Pick<Sample, 'chain' | 'workspace'>;
type OptionsFor<T> = T | ((context: SampleContext) => Promise<T>);
type NewSampleOptions = SampleEditorOptions & Pick<EditorOptions, 'settings' | 'language'>;

/** The window of this process, which its files use one after another, and whether they have run tests in it. */
let current: OwnSample | undefined;
let [hasRun, hasFailed] = [false, false];
let session: Session | undefined;
/** The chain of all windows of this process that a sample opens. */
let running: RevertibleChain | undefined;

/** For the process that runs the files: the hooks that {@link openSample} needs. */
export function closeSamples(): void {
  // What a window shows after a failed test is not known: the next file gets another one.
  afterEach(context => {
    hasRun = true;
    hasFailed ||= !('passed' in context && context.passed);
  });
  after(async () => {
    await closeCurrent();
    await running?.stop();
    await session?.close();
  });
}

/** The server and browser of this process. */
async function getSession(): Promise<Session> {
  if (session?.isAlive() !== true) {
    await session?.close();
    session = await startEditorSession();
  }
  return session;
}

async function closeCurrent(): Promise<void> {
  await current?.close();
  current = undefined;
}

/** The window of the file before, with a chain and files as they were at the start, or a new one. */
export async function openSample(options: OptionsFor<SampleEditorOptions> = {}): Promise<Sample> {
  const window = current;
  if (window === undefined || !hasRun || hasFailed) return openNewSample(options);
  [hasRun, hasFailed] = [false, false];
  await window.reset(options);
  return { ...window, close: async () => {} };
}

/**
 * A new window, which takes seconds, where HexLens is as it was installed. With settings of the user or a language, no other
 * file uses it.
 */
export async function openNewSample(options: OptionsFor<NewSampleOptions> = {}): Promise<Sample> {
  await closeCurrent();
  [hasRun, hasFailed] = [false, false];
  const window = await openOwnSample(options);
  current = window;
  return { ...window, close: () => (window.isShared ? Promise.resolve() : closeCurrent()) };
}

/** A new window of any workspace, without a chain, for one file. */
export async function openWindow(options: EditorOptions): Promise<Editor> {
  await closeCurrent();
  return openEditor(options, await getSession());
}

interface OwnSample extends Sample {
  /** Whether other files may use it. */
  readonly isShared: boolean;
  reset(options: OptionsFor<SampleEditorOptions>): Promise<void>;
}

let windows = 0;

async function openOwnSample(options: OptionsFor<NewSampleOptions>): Promise<OwnSample> {
  const { chain } = await prepareChain();
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-workspace-'));
  // The test runner may end this process without waiting for anything, but not without this event.
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const cleanUp = () => {
    remove();
    process.off('exit', remove);
  };
  try {
    const workspace = await writeSampleWorkspace(folder, chain, { nodeUrl: chain.url });
    const files = await readFiles(folder);
    const prepare = async (given: OptionsFor<NewSampleOptions>) => {
      const wanted = typeof given === 'function' ? await given({ chain, workspace }) : given;
      const { theme = 'dark', workspaceSettings } = wanted;
      const title = `window-${++windows}`;
      const shown = { 'window.title': title, 'workbench.colorTheme': themeNames[theme] };
      await changeWorkspaceSettings(folder, { ...shown, ...workspaceSettings });
      return { openFile: 'scripts/check.ts', ...wanted, title };
    };
    const prepared = await prepare(options);
    const keybindings = getPageKeybindings(chain, workspace);
    const editor = await openEditor({ workspace: folder, keybindings, ...prepared }, await getSession());
    return {
      chain,
      workspace,
      editor,
      isShared: prepared.settings === undefined && prepared.language === undefined,
      stopChain: async () => running?.stop(),
      reset: next =>
        editor.reset(async () => {
          await restoreFiles(folder, files);
          await prepareChain();
          return prepare(next);
        }),
      async close() {
        await editor.close();
        cleanUp();
      },
    };
  } catch (error) {
    cleanUp();
    throw error;
  }
}

/** The contents of all files by their paths. */
async function readFiles(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(paths.map(async path => [path, await readFile(path)] as const)));
}

async function restoreFiles(folder: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  const present = await readFiles(folder);
  for (const path of present.keys()) if (!files.has(path)) await rm(path);
  for (const [path, content] of files) {
    if (present.get(path)?.equals(content)) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

/** A chain and the snapshot of what it was filled with. */
interface RevertibleChain extends RunningChain {
  readonly snapshot: string;
}

async function startRevertibleChain(port?: number): Promise<RevertibleChain> {
  const running = await startTestChain(port);
  return { ...running, snapshot: await createJsonRpc(running.chain.url).rpc<string>('evm_snapshot') };
}

/** The chain with what it was filled with, and nothing else. */
async function prepareChain(): Promise<RevertibleChain> {
  running = await (running === undefined ? startRevertibleChain() : restoreChain(running));
  return running;
}

/** The chain as it was filled, or another one at its port when it cannot be reverted to that: a chain takes a second to start. */
async function restoreChain(running: RevertibleChain): Promise<RevertibleChain> {
  const { url, head } = running.chain;
  try {
    const { rpc } = createJsonRpc(url);
    await rpc('evm_revert', [running.snapshot]); // which deletes the snapshot
    const snapshot = await rpc<string>('evm_snapshot');
    await rpc('evm_setAutomine', [true]); // a test may have mined by itself
    const block = await rpc<{ readonly hash: string }>('eth_getBlockByNumber', ['latest', false]);
    if (block.hash === head.hash) return { ...running, snapshot };
  } catch {
    // It was ended, or another node took its port.
  }
  await running.stop();
  return startRevertibleChain(Number(new URL(url).port));
}

const themeClasses: Record<Theme, string> = {
  dark: 'vs-dark',
  light: 'vs',
  'high-contrast': 'hc-black',
  'high-contrast-light': 'hc-light',
};

/** Changes the colors of the open window: cheaper than another editor. */
export async function changeTheme({ workspace, editor }: Sample, theme: Theme): Promise<void> {
  await changeWorkspaceSettings(workspace.folder, { 'workbench.colorTheme': themeNames[theme] });
  await editor.page.locator(`.monaco-workbench.${themeClasses[theme]}`).waitFor();
}

/** What a page of the window has in each of the `themes`; the window is shown in `shown` at the end. */
export async function readPageThemes(
  sample: Sample,
  frame: FrameLocator,
  themes: readonly Theme[],
  shown: Theme,
): Promise<readonly PageTheme[]> {
  const read: PageTheme[] = [];
  for (const theme of [...themes, shown]) {
    await changeTheme(sample, theme);
    await frame.locator(`body.vscode-${theme}`).waitFor();
    if (theme !== shown) read.push(await readPageTheme(frame));
  }
  return read;
}

async function changeWorkspaceSettings(folder: string, changes: Readonly<Record<string, unknown>>): Promise<void> {
  const file = join(folder, '.vscode', 'settings.json');
  const settings = JSON.parse(await readFile(file, 'utf8')) as Readonly<Record<string, unknown>>;
  // In one go: VS Code would take a file that is still empty for no settings.
  writeFileSync(file, JSON.stringify({ ...settings, ...changes }));
}
