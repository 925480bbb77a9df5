// Which nodes are open: VS Code says when one is opened or closed, and draws groups open or closed at first.
import type { AddressNode } from './addressTreeNodes.ts';

export interface OpenNodes {
  isOpen(node: AddressNode): boolean;
  expanded(node: AddressNode): void;
  collapsed(node: AddressNode): void;
}

export function createOpenNodes(groupsOpen: () => boolean): OpenNodes {
  const said = new Map<string, boolean>();
  return {
    isOpen: ({ id, kind }) => said.get(id) ?? (kind === 'group' && (id === 'root' || groupsOpen())),
    expanded: ({ id }) => void said.set(id, true),
    collapsed: ({ id }) => void said.set(id, false),
  };
}
