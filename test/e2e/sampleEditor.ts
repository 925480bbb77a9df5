// The fixture of most end-to-end tests: a fresh test chain, its sample workspace, and an editor with HexLens.
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestChain } from '../editor/testChainProcess.ts';
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

export async function openSample(
  options: Partial<EditorOptions> | ((context: SampleContext) => Promise<Partial<EditorOptions>>) = {},
): Promise<Sample> {
  const running = await startTestChain();
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
    const workspace = await writeSampleWorkspace(folder, running.chain, { nodeUrl: running.chain.url });
    const editor = await openEditor({
      workspace: folder,
      openFile: 'scripts/check.ts',
      ...(typeof options === 'function' ? await options({ chain: running.chain, workspace }) : options),
    });
    const close = async () => {
      await editor.close();
      await cleanUp();
    };
    return { chain: running.chain, workspace, editor, stopChain: running.stop, close };
  } catch (error) {
    await cleanUp();
    throw error;
  }
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
