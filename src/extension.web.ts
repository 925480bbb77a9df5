// Entry point of the VS Code extension in a browser (vscode.dev, github.dev).
import type { ExtensionContext } from 'vscode';
import { activateExtension } from './extension/activateExtension.ts';
import { createWebPlatform } from './extension/web/webPlatform.ts';

export function activate(context: ExtensionContext): Promise<void> {
  return activateExtension(context, createWebPlatform(context));
}
