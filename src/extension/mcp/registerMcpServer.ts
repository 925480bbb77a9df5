// Offers the MCP server (dist/mcp.js) to agents of the editor, over the chains, names and ABIs of its settings.
import { EventEmitter, type ExtensionContext, lm, McpStdioServerDefinition, Uri, workspace } from 'vscode';
import type { Configuration } from '../../api/configuration.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { resolveUrlSecrets } from '../../manifest/secretPlaceholders.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { ApiKeys } from '../apiKeys/apiKeys.ts';
import type { UrlSecrets } from '../apiKeys/urlSecrets.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';

export interface McpServerDeps {
  readonly context: Pick<ExtensionContext, 'extension' | 'extensionUri' | 'globalStorageUri'>;
  readonly settings: SettingsSource;
  readonly keys: Pick<ApiKeys, 'all'>;
  readonly secrets: UrlSecrets;
  readonly book: Pick<AddressBook, 'ready' | 'configuration' | 'onDidChange'>;
}

/** Folders of compiler artifacts below each folder of a trusted workspace. */
const getAbiArguments = (): string[] =>
  workspace.isTrusted
    ? (workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
        ['out', 'artifacts'].flatMap(name => ['--abi', Uri.joinPath(uri, name).fsPath]),
      )
    : [];

export function registerMcpServer({ context, settings, keys, secrets, book }: McpServerDeps): Disposable {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  store.add(settings.onDidChange(() => changed.fire()));
  const version = String((context.extension.packageJSON as { readonly version?: unknown }).version);
  const script = Uri.joinPath(context.extensionUri, 'dist/mcp.js').fsPath;
  /** The editor's own Node runs it; in desktop VS Code that is Electron. */
  const createDefinition = (args: string[], env: Record<string, string>) =>
    new McpStdioServerDefinition(
      'HexLens',
      process.execPath,
      [script, ...args],
      { ELECTRON_RUN_AS_NODE: '1', ...env },
      version,
    );
  store.add(
    lm.registerMcpServerDefinitionProvider('hexlens', {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () => [createDefinition([], {})],
      async resolveMcpServerDefinition() {
        await book.ready();
        const configuration: Configuration = {
          ...resolveUrlSecrets(settings.configuration(), await secrets.all()),
          keys: await keys.all(),
          addressBook: book.configuration(),
          dataFolder: context.globalStorageUri.fsPath,
        };
        return createDefinition(getAbiArguments(), {
          HEXLENS_VERSION: version,
          HEXLENS_MCP_ALLOW_HOSTS: settings.current().mcpAllowedHosts.join(' '),
          HEXLENS_MCP_CONFIGURATION: JSON.stringify(configuration),
        });
      },
    }),
  );
  return store;
}
