// What the suites about sign-in messages do in the editor: open, change, verify, and wait for marks.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** Anvil's second account, who signed the message of the sample workspace. */
export const signer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

export const marks = (document: vscode.TextDocument) =>
  vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'HexLens');

/** Waits until what `read` gives fits; rejects with what it gave last. */
export async function until<T>(read: () => T | Thenable<T>, fits: (value: T) => boolean, what: string): Promise<T> {
  const end = Date.now() + 10_000;
  for (;;) {
    const value = await read();
    if (fits(value)) return value;
    if (Date.now() > end) throw new Error(`Never ${what}. The last was: ${JSON.stringify(value)}`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

export const marked = (document: vscode.TextDocument) =>
  until(
    () => marks(document),
    found => found.length > 0,
    'marked',
  );
export const unmarked = (document: vscode.TextDocument) =>
  until(
    () => marks(document),
    found => found.length === 0,
    'clean',
  );

export async function shown(content: string, language = 'plaintext'): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument({ language, content });
  await vscode.window.showTextDocument(document);
  return document;
}

export async function replace(document: vscode.TextDocument, before: string, after: string): Promise<void> {
  const start = document.getText().indexOf(before);
  assert.ok(start >= 0, `${before} is not in the document`);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(start), document.positionAt(start + before.length));
  edit.replace(document.uri, range, after);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** The command: the identity's fields, or nothing when the message was refused. */
export async function verifySignIn(): Promise<Record<string, unknown> | undefined> {
  return vscode.commands.executeCommand('hexlens.verifySignIn');
}

/** Unsaved documents would be asked about: their changes go. */
export async function closeAll(): Promise<void> {
  while (vscode.window.activeTextEditor?.document.isDirty)
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}
