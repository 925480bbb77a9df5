import { window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { OperationCommands } from '../operations/operationCommands.ts';

export interface UriHandlerDeps {
  operations(): Promise<OperationCommands>;
}

export function registerUriHandler({ operations }: UriHandlerDeps): Disposable {
  return window.registerUriHandler({
    handleUri: async uri => (await import('./handleUri.ts')).handleUri(uri, operations),
  });
}
