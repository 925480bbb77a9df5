// Entry point of the VS Code extension in a browser (vscode.dev, github.dev).
import type { ExtensionContext } from 'vscode';
import { activateExtension } from './extension/activateExtension.ts';
import { setExtensionFolder } from './extension/web/loadBundle.ts';
import { webPlatform } from './extension/web/webPlatform.ts';

export function activate(context: ExtensionContext): void {
  setExtensionFolder(context.extensionUri);
  activateExtension(context, webPlatform);
}
