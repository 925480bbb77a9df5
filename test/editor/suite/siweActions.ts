// Actions of the sign-in suites: open, change and verify messages, and wait for diagnostics.
import * as assert from 'node:assert/strict';
import { inspect } from 'node:util';
import * as vscode from 'vscode';
import { STATE_LIMIT_MS } from '../../support/timeLimits.ts';

/** Anvil's second account, which signed the message of the sample workspace. */
export const signer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

export const getProblems = (document: vscode.TextDocument) =>
  vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'HexLens');

/** Reads a value until it meets the condition; rejects with the last value at the time limit. */
export async function until<T>(
  read: () => T | Thenable<T>,
  isMet: (value: T) => boolean,
  description: string,
): Promise<T> {
  const end = Date.now() + STATE_LIMIT_MS;
  for (;;) {
    const value = await read();
    if (isMet(value)) return value;
    if (Date.now() > end) throw new Error(`Timed out: ${description}. The last value was ${inspect(value)}`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

export const waitForProblems = (document: vscode.TextDocument) =>
  until(
    () => getProblems(document),
    found => found.length > 0,
    'shows problems',
  );
export const waitForNoProblems = (document: vscode.TextDocument) =>
  until(
    () => getProblems(document),
    found => found.length === 0,
    'shows no problems',
  );

/**
 * The code actions at a range once they meet the condition. VS Code leaves out those of an extension while another one,
 * such as that of the language, registers its own.
 */
export const getCodeActions = (
  document: vscode.TextDocument,
  range: vscode.Range,
  isMet: (actions: readonly vscode.CodeAction[]) => boolean,
  kind?: vscode.CodeActionKind,
) =>
  until(
    () =>
      vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        range,
        kind?.value,
      ),
    isMet,
    'has code actions',
  );

/** The code action at a range that meets the condition, once there is one. */
export const getCodeAction = async (
  document: vscode.TextDocument,
  range: vscode.Range,
  isWanted: (action: vscode.CodeAction) => boolean,
  kind?: vscode.CodeActionKind,
) => (await getCodeActions(document, range, actions => actions.some(isWanted), kind)).find(isWanted);

/**
 * A document that was never saved, with this text. VS Code uses the name of a document that was just closed again, and may
 * return that one: then another is opened.
 */
export function openUntitled(content: string, language = 'plaintext'): Promise<vscode.TextDocument> {
  const before = vscode.workspace.textDocuments;
  return until(
    () => vscode.workspace.openTextDocument({ language, content }),
    document => !before.includes(document) && document.getText() === content && !document.isClosed,
    'opens a new document',
  );
}

export async function showDocument(content: string, language = 'plaintext'): Promise<vscode.TextDocument> {
  const document = await openUntitled(content, language);
  await vscode.window.showTextDocument(document);
  return document;
}

/** Shows the document, and waits until its selection is this range: VS Code reports the first selection late. */
export async function showSelection(document: vscode.TextDocument, selection: vscode.Range): Promise<void> {
  await vscode.window.showTextDocument(document, { selection });
  await until(
    () => {
      const editor = vscode.window.activeTextEditor;
      return editor?.document === document && editor.selection.isEqual(selection);
    },
    isSelected => isSelected,
    'shows the selection',
  );
}

export async function replace(document: vscode.TextDocument, before: string, after: string): Promise<void> {
  const start = document.getText().indexOf(before);
  assert.ok(start >= 0, `${before} is not in the document`);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(start), document.positionAt(start + before.length));
  edit.replace(document.uri, range, after);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** Runs the command; returns the identity's fields, or `undefined` when the message is rejected. */
export async function verifySignIn(): Promise<Record<string, unknown> | undefined> {
  return vscode.commands.executeCommand('hexlens.verifySignIn');
}

/** Reverts unsaved documents, so that closing them does not prompt. */
export async function closeAll(): Promise<void> {
  while (vscode.window.activeTextEditor?.document.isDirty)
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await until(
    () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label)),
    labels => labels.length === 0,
    'closes all tabs',
  );
}
