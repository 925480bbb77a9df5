// Registers the two views of the sidebar; their trees are getLoaded when a view becomes visible.
import { commands, EventEmitter, type TreeDragAndDropController, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { commandIds } from '../../manifest/commands.ts';
import { viewIds } from '../../manifest/identifiers.ts';
import type { AddressTreeNode } from './addressTreeNodes.ts';
import type { ServiceTreeNode } from './serviceTree.ts';
import type { Sidebar, SidebarDeps } from './sidebar.ts';
import { sidebarCommands } from './sidebarCommands.ts';

export function registerSidebar(deps: SidebarDeps): Disposable {
  const store = new DisposableStore();
  const addressesChanged = store.add(new EventEmitter<AddressTreeNode | AddressTreeNode[] | undefined>());
  const serviceChanged = store.add(new EventEmitter<ServiceTreeNode | undefined>());
  let sidebar: Sidebar | undefined;
  const load = lazy(async (): Promise<Sidebar> => {
    const { createSidebar } = await import('./sidebar.ts');
    sidebar = store.add(createSidebar(deps, { addresses, service }));
    store.add(sidebar.addresses.onDidChange(node => addressesChanged.fire(node)));
    store.add(sidebar.service.onDidChange(node => serviceChanged.fire(node)));
    return sidebar;
  });
  // For calls with a node: nodes exist only after the sidebar has been getLoaded.
  const getLoaded = () => {
    if (sidebar === undefined) throw new Error('The sidebar is not loaded.');
    return sidebar;
  };

  const dragAndDropController: TreeDragAndDropController<AddressTreeNode> = {
    // VS Code adds the MIME type of the view.
    dragMimeTypes: ['text/plain'],
    dropMimeTypes: [`application/vnd.code.tree.${viewIds.addresses}`, 'text/plain'],
    handleDrag: (nodes, data) => getLoaded().drag(nodes, data),
    handleDrop: async (node, data, token) => (await load()).drop(node, data, token),
  };
  const addresses = store.add(
    window.createTreeView<AddressTreeNode>(viewIds.addresses, {
      treeDataProvider: {
        onDidChangeTreeData: addressesChanged.event,
        getChildren: async node => (await load()).addresses.getChildren(node),
        getTreeItem: node => getLoaded().addresses.getTreeItem(node),
        getParent: node => getLoaded().addresses.getParent(node),
        resolveTreeItem: (item, node) => getLoaded().addresses.resolveTreeItem(item, node),
      },
      dragAndDropController,
      canSelectMany: true,
      showCollapseAll: true,
    }),
  );
  const service = store.add(
    window.createTreeView<ServiceTreeNode>(viewIds.service, {
      treeDataProvider: {
        onDidChangeTreeData: serviceChanged.event,
        getChildren: async node => (await load()).service.getChildren(node),
        getTreeItem: node => getLoaded().service.getTreeItem(node),
        getParent: node => getLoaded().service.getParent(node),
        resolveTreeItem: (item, node) => getLoaded().service.resolveTreeItem(item, node),
      },
    }),
  );
  for (const name of sidebarCommands)
    store.add(commands.registerCommand(commandIds[name], async (...args: unknown[]) => (await load()).run(name, args)));
  return store;
}
