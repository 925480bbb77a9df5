// What the editor tells the MCP server: its configuration by the settings and the address book, and the workspace's ABIs.
import { type ExtensionContext, McpStdioServerDefinition, Uri, workspace } from 'vscode';
import type { SavedEntry } from '../../addressBook/entry.ts';
import type { Configuration } from '../../api/configuration.ts';
import { readFileVersion } from '../abi/readFileVersion.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { ApiKeys } from '../apiKeys/apiKeys.ts';
import { resolveSecrets } from '../apiKeys/resolveSecrets.ts';
import type { FeatureDeps } from '../featureDeps.ts';

export interface McpServerDeps extends Pick<FeatureDeps, 'settings' | 'secrets'> {
  readonly context: Pick<ExtensionContext, 'extension' | 'extensionUri' | 'globalStorageUri'>;
  readonly keys: Pick<ApiKeys, 'all'>;
  readonly book: Pick<AddressBook, 'ready' | 'configuration' | 'trustedEntries'>;
}

/** Folders of compiler artifacts below each folder of a trusted workspace, and ABI files that its address book names. */
async function getAbiArguments(entries: readonly SavedEntry[]): Promise<readonly string[]> {
  if (!workspace.isTrusted) return [];
  const folders = (workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
    ['out', 'artifacts'].map(name => Uri.joinPath(uri, name).fsPath),
  );
  const files = entries.map(async ({ abi, address, storage }) => {
    if (abi === undefined || storage.kind === 'personal') return [];
    const folder = Uri.parse(storage.folder);
    const argument = `${address}=${Uri.joinPath(folder, abi).fsPath}`;
    return readFileVersion(folder, abi).then(
      () => [argument],
      () => [], // there is no such file, or it is not one of this folder
    );
  });
  return [...folders, ...(await Promise.all(files)).flat()].flatMap(path => ['--abi', path]);
}

/** The definition with what the server needs to run. VS Code keeps the given one, and resolves it again for the next run. */
export async function resolveMcpDefinition(
  { label, command, args, env, version }: McpStdioServerDefinition,
  { context, settings, keys, secrets, book }: McpServerDeps,
): Promise<McpStdioServerDefinition> {
  await book.ready();
  const configuration: Configuration = {
    ...(await resolveSecrets(settings, secrets)),
    keys: await keys.all(),
    addressBook: book.configuration(),
    dataFolder: context.globalStorageUri.fsPath,
  };
  const variables = {
    ...env,
    HEXLENS_VERSION: version ?? '',
    HEXLENS_MCP_ALLOW_HOSTS: settings.current().mcpAllowedHosts.join(' '),
    HEXLENS_MCP_CONFIGURATION: JSON.stringify(configuration),
  };
  const abis = await getAbiArguments(book.trustedEntries());
  return new McpStdioServerDefinition(label, command, [...args, ...abis], variables, version);
}
