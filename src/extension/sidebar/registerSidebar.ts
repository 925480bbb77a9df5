// The sidebar's two views, empty shells until one of them is looked at: the trees are a bundle of their own.
import { commands, EventEmitter, type TreeDragAndDropController, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { commandIds } from '../../manifest/commands.ts';
import { viewIds } from '../../manifest/viewIds.ts';
import type { AddressTreeNode } from './addressTreeNodes.ts';
import type { ServiceTreeNode } from './serviceTree.ts';
import type { Sidebar, SidebarDeps } from './sidebar.ts';
import { sidebarCommands } from './sidebarCommands.ts';

export function registerSidebar(deps: SidebarDeps): Disposable {
  const store = new DisposableStore();
  const addressesChanged = store.add(new EventEmitter<AddressTreeNode | AddressTreeNode[] | undefined>());
  const serviceChanged = store.add(new EventEmitter<ServiceTreeNode | undefined>());
  let sidebar: Sidebar | undefined;
  let loading: Promise<Sidebar> | undefined;
  const load = (): Promise<Sidebar> => {
    loading ??= import('./sidebar.ts').then(({ createSidebar }) => {
      const made = store.add(createSidebar(deps, { addresses, service }));
      store.add(made.addresses.onDidChange(node => addressesChanged.fire(node)));
      store.add(made.service.onDidChange(node => serviceChanged.fire(node)));
      sidebar = made;
      return made;
    });
    return loading;
  };
  // Nodes come from the trees, so there is a sidebar wherever there is a node.
  const loaded = () => {
    if (sidebar === undefined) throw new Error('A node of the sidebar before the sidebar.');
    return sidebar;
  };

  const dragAndDropController: TreeDragAndDropController<AddressTreeNode> = {
    // VS Code adds the view's own type.
    dragMimeTypes: ['text/plain'],
    dropMimeTypes: [`application/vnd.code.tree.${viewIds.addresses}`, 'text/plain'],
    handleDrag: (nodes, data) => loaded().drag(nodes, data),
    handleDrop: async (node, data, token) => (await load()).drop(node, data, token),
  };
  const addresses = store.add(
    window.createTreeView<AddressTreeNode>(viewIds.addresses, {
      treeDataProvider: {
        onDidChangeTreeData: addressesChanged.event,
        getChildren: async node => (await load()).addresses.getChildren(node),
        getTreeItem: node => loaded().addresses.getTreeItem(node),
        getParent: node => loaded().addresses.getParent(node),
        resolveTreeItem: (item, node) => loaded().addresses.resolveTreeItem(item, node),
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
        getTreeItem: node => loaded().service.getTreeItem(node),
        getParent: node => loaded().service.getParent(node),
        resolveTreeItem: (item, node) => loaded().service.resolveTreeItem(item, node),
      },
    }),
  );
  for (const name of sidebarCommands)
    store.add(commands.registerCommand(commandIds[name], async (...args: unknown[]) => (await load()).run(name, args)));
  return store;
}
