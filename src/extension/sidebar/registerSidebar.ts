// Registers the views of the sidebar; their trees are loaded when a view becomes visible, or when something is watched.
import {
  commands,
  type Event,
  EventEmitter,
  type ProviderResult,
  type TreeDataProvider,
  type TreeDragAndDropController,
  type TreeItem,
  type TreeView,
  type TreeViewOptions,
  window,
} from 'vscode';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { commandIds } from '../../manifest/commands.ts';
import { viewIds } from '../../manifest/identifiers.ts';
import type { ActivityNode } from '../activity/activityTree.ts';
import { hasWatches } from '../activity/hasWatches.ts';
import type { AddressTreeNode } from './addressTreeNodes.ts';
import type { ServiceTreeNode } from './serviceTree.ts';
import type { Sidebar } from './sidebar.ts';
import type { SidebarDeps } from './sidebarActions.ts';
import { sidebarCommands } from './sidebarCommands.ts';

/** What a view needs of its tree. */
interface Tree<Node> {
  readonly onDidChange: Event<Node | Node[] | undefined>;
  getChildren(node?: Node): ProviderResult<Node[]>;
  getTreeItem(node: Node): TreeItem;
  getParent(node: Node): ProviderResult<Node>;
  resolveTreeItem(item: TreeItem, node: Node): TreeItem;
}

/** After the start of the window, as the first poll of the status bar. */
const LOAD_WATCHES_DELAY_MS = 1_000;

export function registerSidebar(deps: SidebarDeps): Disposable {
  const store = new DisposableStore();
  let sidebar: Sidebar | undefined;
  const connect: (() => void)[] = [];
  const load = lazy(async (): Promise<Sidebar> => {
    const { Sidebar } = await import('./sidebar.ts');
    sidebar = store.add(new Sidebar(deps, { addresses, service, activity }));
    for (const listen of connect) listen();
    return sidebar;
  });
  // For calls with a node: nodes exist only after the sidebar has been loaded.
  const getLoaded = () => {
    if (sidebar === undefined) throw new Error('The sidebar is not loaded.');
    return sidebar;
  };
  const createView = <Node>(
    id: string,
    getTree: (of: Sidebar) => Tree<Node>,
    options?: Partial<TreeViewOptions<Node>>,
  ): TreeView<Node> => {
    const changed = store.add(new EventEmitter<Node | Node[] | undefined>());
    connect.push(() => store.add(getTree(getLoaded()).onDidChange(node => changed.fire(node))));
    const treeDataProvider: TreeDataProvider<Node> = {
      onDidChangeTreeData: changed.event,
      getChildren: async node => (await getTree(await load()).getChildren(node)) ?? [],
      getTreeItem: node => getTree(getLoaded()).getTreeItem(node),
      getParent: node => getTree(getLoaded()).getParent(node),
      resolveTreeItem: (item, node) => getTree(getLoaded()).resolveTreeItem(item, node),
    };
    return store.add(window.createTreeView<Node>(id, { treeDataProvider, ...options }));
  };

  const dragAndDropController: TreeDragAndDropController<AddressTreeNode> = {
    // VS Code adds the MIME type of the view.
    dragMimeTypes: ['text/plain'],
    dropMimeTypes: [`application/vnd.code.tree.${viewIds.addresses}`, 'text/plain'],
    handleDrag: (nodes, data) => getLoaded().drag(nodes, data),
    handleDrop: async (node, data, token) => (await load()).drop(node, data, token),
  };
  const addresses = createView<AddressTreeNode>(viewIds.addresses, of => of.addresses, {
    dragAndDropController,
    canSelectMany: true,
    showCollapseAll: true,
  });
  const service = createView<ServiceTreeNode>(viewIds.service, of => of.service);
  const activity = createView<ActivityNode>(viewIds.activity, of => of.activity);
  for (const name of sidebarCommands)
    store.add(commands.registerCommand(commandIds[name], async (...args: unknown[]) => (await load()).run(name, args)));
  if (hasWatches(deps.workspaceState)) {
    const timer = setTimeout(() => load().catch(error => deps.log.error(String(error))), LOAD_WATCHES_DELAY_MS);
    store.add(disposable(() => clearTimeout(timer)));
  }
  return store;
}
