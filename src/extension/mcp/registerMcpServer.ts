// Offers the MCP server (dist/mcp.js) to agents of the editor, over the chains, names and ABIs of its settings.
import { EventEmitter, lm, McpStdioServerDefinition, Uri } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { McpServerDeps } from './mcpServerDefinition.ts';

/** The editor's own Node runs it; in desktop VS Code that is Electron. */
const createDefinition = ({ context: { extension, extensionUri } }: McpServerDeps) =>
  new McpStdioServerDefinition(
    'HexLens',
    process.execPath,
    [Uri.joinPath(extensionUri, 'dist/mcp.js').fsPath],
    { ELECTRON_RUN_AS_NODE: '1' },
    String((extension.packageJSON as { readonly version?: unknown }).version),
  );

export function registerMcpServer(deps: McpServerDeps): Disposable {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  store.add(deps.settings.onDidChange(() => changed.fire()));
  store.add(
    lm.registerMcpServerDefinitionProvider('hexlens', {
      onDidChangeMcpServerDefinitions: changed.event,
      // VS Code asks for it at the start of the window, and starts it when it is used.
      provideMcpServerDefinitions: () => [createDefinition(deps)],
      resolveMcpServerDefinition: async (definition: McpStdioServerDefinition) =>
        (await import('./mcpServerDefinition.ts')).resolveMcpDefinition(definition, deps),
    }),
  );
  return store;
}
