// Offers the MCP server (dist/mcp.js) to agents of the editor, over the chains, names and ABIs of its settings.
import { EventEmitter, lm } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { McpServerDeps } from './mcpServerDefinition.ts';

export function registerMcpServer(deps: McpServerDeps): Disposable {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  store.add(deps.settings.onDidChange(() => changed.fire()));
  store.add(
    lm.registerMcpServerDefinitionProvider('hexlens', {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: async () => (await import('./mcpServerDefinition.ts')).createMcpDefinitions(deps),
      resolveMcpServerDefinition: async () => (await import('./mcpServerDefinition.ts')).resolveMcpDefinition(deps),
    }),
  );
  return store;
}
