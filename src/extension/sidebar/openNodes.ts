// Which nodes are open: VS Code says when one is opened or closed, and draws groups open or closed at first.
import type { AddressTreeNode } from './addressTreeNodes.ts';

export interface ExpandedNodes {
  isExpanded(node: AddressTreeNode): boolean;
  markExpanded(node: AddressTreeNode): void;
  markCollapsed(node: AddressTreeNode): void;
}

export function createExpandedNodes(groupsOpen: () => boolean): ExpandedNodes {
  const said = new Map<string, boolean>();
  return {
    isExpanded: ({ id, kind }) => said.get(id) ?? (kind === 'group' && (id === 'root' || groupsOpen())),
    markExpanded: ({ id }) => void said.set(id, true),
    markCollapsed: ({ id }) => void said.set(id, false),
  };
}
