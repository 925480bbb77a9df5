// The setting of most end-to-end tests: a fresh test chain, its sample workspace, and HexLens installed in an editor.
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestChain } from '../chain/description.ts';
import { type SampleWorkspace, writeSampleWorkspace } from '../chain/workspace.ts';
import { startTestChain } from '../host/chain.ts';
import { type Editor, type EditorOptions, openEditor, vsixUnderTest } from './harness.ts';

export interface Sample {
  readonly chain: TestChain;
  readonly workspace: SampleWorkspace;
  readonly editor: Editor;
  /** Ends the chain's process, as a node that goes down under the user. */
  stopChain(): Promise<void>;
  close(): Promise<void>;
}

type Options = Partial<EditorOptions>;

/** `options` may depend on what the chain and the workspace are, such as key bindings with addresses. */
export async function openSample(
  options: Options | ((chain: TestChain, workspace: SampleWorkspace) => Options) = {},
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
      extension: { vsix: vsixUnderTest() },
      workspace: folder,
      openFile: 'scripts/check.ts',
      ...(typeof options === 'function' ? options(running.chain, workspace) : options),
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
