// Entry point of the VS Code extension on a machine.
import type { ExtensionContext } from 'vscode';
import { activateExtension } from './extension/activateExtension.ts';
import { createNodePlatform } from './extension/nodePlatform.ts';

export function activate(context: ExtensionContext): Promise<void> {
  return activateExtension(context, createNodePlatform(context));
}
