import { parseChainSelector } from '../../api/chains.ts';
import type { InspectorTarget } from '../../protocol/inspectorTarget.ts';
import type { OperationRequest } from '../../view/tree/treeRow.ts';
import { getEntrySections } from '../../view/tree/treeSections.ts';
import type { AddressTreeNode, EntryNode } from './addressTreeNodes.ts';

const toOperationTarget = ({ operation, parameters }: OperationRequest): InspectorTarget => ({
  kind: 'operation',
  operation,
  parameters,
});

function toEntryTarget({ entry }: EntryNode, chain: string | undefined): InspectorTarget | null {
  if (entry.kind !== 'aptos') return chain === undefined ? null : { kind: 'address', chain, address: entry.address };
  const [first] = getEntrySections(entry, chain ?? '');
  return first === undefined ? null : toOperationTarget(first.request);
}

/** What the inspector opens for a node of the Addresses view; `chains` are the configured chains. */
export function getInspectorTarget(node: AddressTreeNode, chains: readonly string[]): InspectorTarget | null {
  if (node.kind === 'entry') {
    const { kind, chains: own } = node.entry;
    // An entry for an unknown chain has a page all the same.
    const chain = kind === 'aptos' ? own[0] : own.find(one => parseChainSelector(one) !== null);
    return toEntryTarget(node, chain ?? chains[0]);
  }
  if (node.kind === 'chain') return toEntryTarget(node.entry, node.chain);
  if (node.kind === 'section') return toOperationTarget(node.section.request);
  if (node.kind !== 'row') return null;
  const { target, sections: [first] = [] } = node.row;
  const { chain } = node.section;
  if (target === null) return first === undefined ? null : toOperationTarget(first.request);
  if (target.kind === 'transaction') return { kind: 'transaction', chain, hash: target.hash };
  if (target.kind === 'address') return { kind: 'address', chain, address: target.address };
  return toOperationTarget(target.request);
}
