// Helpers of the suites: the extension under test, the test chain, and the text of hovers.
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { createNodePlatform } from '../../../src/extension/nodePlatform.ts';
import type { Platform } from '../../../src/extension/platform.ts';
import type { TestChain } from '../../support/chain/testChain.ts';

/** The extension under test, whatever publisher it is packed with. */
export function getExtension(): vscode.Extension<unknown> {
  const found = vscode.extensions.all.find(extension => extension.packageJSON.name === 'hexlens');
  if (found === undefined) throw new Error('VS Code does not know the extension hexlens.');
  return found;
}

/** This machine, with the worker of the extension under test and indexes in memory. */
export function createTestPlatform(): Platform {
  const { extensionPath, extensionUri } = getExtension();
  return { ...createNodePlatform({ extensionPath, globalStorageUri: extensionUri }), dataFolder: null };
}

/** The chain whose sample workspace is open; undefined when the run was started with a workspace of its own. */
export function getTestChain(): TestChain | undefined {
  const path = process.env['HEXLENS_TEST_CHAIN'];
  return path ? (JSON.parse(readFileSync(path, 'utf8')) as TestChain) : undefined;
}

/** A file of the opened workspace folder, shown in the editor. */
export async function openWorkspaceFile(path: string): Promise<vscode.TextDocument> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) throw new Error('No workspace folder is open.');
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder.uri, path));
  await vscode.window.showTextDocument(document);
  return document;
}

/** The Markdown of every hover at the middle of `needle`, joined; empty when there is none. */
export async function getHoverText(document: vscode.TextDocument, needle: string): Promise<string> {
  const start = document.getText().indexOf(needle);
  if (start < 0) throw new Error(`${document.uri} does not contain ${needle}.`);
  const position = document.positionAt(start + Math.floor(needle.length / 2));
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    document.uri,
    position,
  );
  return hovers.flatMap(hover => hover.contents.map(markdown)).join('\n\n');
}

function markdown(content: vscode.MarkdownString | vscode.MarkedString): string {
  return typeof content === 'string' ? content : content.value;
}
