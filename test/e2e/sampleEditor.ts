// The fixture of most end-to-end tests: a test chain, its sample workspace, and an editor with HexLens.
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type RunningChain, startTestChain } from '../editor/testChainProcess.ts';
import { createJsonRpc } from '../support/chain/jsonRpc.ts';
import { type SampleWorkspace, writeSampleWorkspace } from '../support/chain/sampleWorkspace.ts';
import type { TestChain } from '../support/chain/testChain.ts';
import { type Editor, type EditorOptions, openEditor, type Theme, themeNames } from './harness.ts';

export interface Sample {
  readonly chain: TestChain;
  readonly workspace: SampleWorkspace;
  readonly editor: Editor;
  /** Ends the chain's process, as if the node went down. */
  stopChain(): Promise<void>;
  close(): Promise<void>;
}

/** What the editor options may depend on. */
type SampleContext = Pick<Sample, 'chain' | 'workspace'>;
type SampleOptions = Partial<EditorOptions> | ((context: SampleContext) => Promise<Partial<EditorOptions>>);

/** A window that files of one process use one after another. */
export interface SharedSample {
  open(options: SampleOptions): Promise<Sample>;
  /** Says that a test has ended. The window is not used again after one that failed. */
  report(hasPassed: boolean): void;
  close(): Promise<void>;
}

/** The files that share a window: a list of paths as JSON. */
export const SHARED_FILES_VARIABLE = 'HEXLENS_E2E_FILES';

let shared: SharedSample | undefined;

export const openSample = (options: SampleOptions = {}): Promise<Sample> =>
  shared?.open(options) ?? openOwnSample(options);

/** From now on {@link openSample} gives the same window again, with a chain and files as they were at the start. */
export function shareSample(): SharedSample {
  let window: OwnSample | undefined;
  let [hasRun, hasFailed] = [false, false];
  const close = async () => {
    await window?.close();
    window = undefined;
  };
  shared = {
    async open(options) {
      if (!hasRun || hasFailed) await close();
      [hasRun, hasFailed] = [false, false];
      if (window === undefined) window = await openOwnSample(options);
      else await window.reset(options);
      return { ...window, close: async () => {} };
    },
    report: hasPassed => {
      hasRun = true;
      hasFailed ||= !hasPassed;
    },
    close,
  };
  return shared;
}

interface OwnSample extends Sample {
  reset(options: SampleOptions): Promise<void>;
}

async function openOwnSample(options: SampleOptions): Promise<OwnSample> {
  let running = await startTestChain();
  const { chain } = running;
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-workspace-'));
  // The test runner may end this process without waiting for anything, but not without this event.
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const cleanUp = async () => {
    await running.stop();
    remove();
    process.off('exit', remove);
  };
  try {
    const workspace = await writeSampleWorkspace(folder, chain, { nodeUrl: chain.url });
    const files = await readFiles(folder);
    const editorOptions = async (given: SampleOptions) => ({
      openFile: 'scripts/check.ts',
      ...(typeof given === 'function' ? await given({ chain, workspace }) : given),
    });
    const editor = await openEditor({ workspace: folder, ...(await editorOptions(options)) });
    return {
      chain,
      workspace,
      editor,
      stopChain: () => running.stop(),
      reset: next =>
        editor.reset(async () => {
          await restoreFiles(folder, files);
          running = await restoreChain(running);
          return editorOptions(next);
        }),
      async close() {
        await editor.close();
        await cleanUp();
      },
    };
  } catch (error) {
    await cleanUp();
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

/** The chain itself while it has the head it was filled to, else another one at its port. */
async function restoreChain(running: RunningChain): Promise<RunningChain> {
  const { url, head } = running.chain;
  const block = await createJsonRpc(url)
    .rpc<{ readonly hash: string }>('eth_getBlockByNumber', ['latest', false])
    .catch(() => null);
  if (block?.hash === head.hash) return running;
  await running.stop();
  return startTestChain(Number(new URL(url).port));
}

const themeClasses: Record<Theme, string> = {
  dark: 'vs-dark',
  light: 'vs',
  'high-contrast': 'hc-black',
  'high-contrast-light': 'hc-light',
};

/** Changes the colours of the open window: cheaper than another editor. */
export async function changeTheme({ workspace, editor }: Sample, theme: Theme): Promise<void> {
  const file = join(workspace.folder, '.vscode', 'settings.json');
  const settings = JSON.parse(await readFile(file, 'utf8')) as Readonly<Record<string, unknown>>;
  await writeFile(file, JSON.stringify({ ...settings, 'workbench.colorTheme': themeNames[theme] }));
  await editor.page.locator(`.monaco-workbench.${themeClasses[theme]}`).waitFor();
}
