// Compiles builds of the workspace without the optimizer, for a debug session: asks once, in a trusted workspace.
import { homedir } from 'node:os';
import { l10n, type Memento, workspace } from 'vscode';
import type { TracedCode } from '../../api/transactionStack.ts';
import { HexLensError } from '../../base/errors.ts';
import { localizable } from '../../base/localize.ts';
import type { UnoptimizedBuilds } from '../../decode/source/unoptimizedBuilds.ts';
import { createSolcRunner } from '../../worker/runSolc.ts';
import { showInformationMessage, withCancelButton } from '../prompts/showMessage.ts';
import type { WorkspaceSources } from '../source/workspaceSources.ts';

const ALLOWED_KEY = 'hexlens.unoptimizedBuild';

export class UnoptimizedCompiler {
  readonly #workspaceState: Memento;

  constructor(workspaceState: Memento) {
    this.#workspaceState = workspaceState;
  }

  /** Rejects with `cancelled` where the user does not agree. */
  async compile(codes: readonly TracedCode[], sources: WorkspaceSources): Promise<UnoptimizedBuilds | null> {
    if (!workspace.isTrusted) return null;
    if (!(await this.confirm())) throw cancelled();
    const title = l10n.t('Compiling without the optimizer');
    return withCancelButton(title, async signal => {
      const toPlaces = (artifact: string) => ({
        home: homedir(),
        env: process.env,
        folders: sources.listFolders(artifact),
      });
      try {
        return await sources.compileUnoptimized(codes, createSolcRunner(toPlaces, signal));
      } catch (error) {
        if (signal.aborted) throw cancelled();
        throw error;
      }
    });
  }

  /** Asks whether it may compile, once in a workspace. */
  async confirm(): Promise<boolean> {
    if (!workspace.isTrusted || this.#workspaceState.get(ALLOWED_KEY) === true) return true;
    const compile = l10n.t('Compile');
    const detail = l10n.t(
      'HexLens runs the installed Solidity compiler on the sources of the builds that ran. No file of the project is changed.',
    );
    const question = l10n.t('Compile once more without the optimizer?');
    if ((await showInformationMessage(question, { modal: true, detail }, compile)) !== compile) return false;
    await this.#workspaceState.update(ALLOWED_KEY, true);
    return true;
  }
}

const cancelled = () => new HexLensError('cancelled', localizable('It was not compiled without the optimizer.'));
