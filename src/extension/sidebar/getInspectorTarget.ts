// What the inspector opens for a node of the Addresses view.
import type { InspectorTarget } from '../../protocol/inspectorTarget.ts';
import type { OperationRequest } from '../../view/tree/treeRow.ts';
import { getEntrySections } from '../../view/tree/treeSections.ts';
import type { AddressTreeNode, EntryNode } from './addressTreeNodes.ts';

const operationTarget = ({ operation, parameters }: OperationRequest): InspectorTarget => ({
  kind: 'operation',
  operation,
  parameters,
});

function entryTarget({ entry }: EntryNode, chain: string | undefined): InspectorTarget | null {
  if (entry.kind !== 'aptos') return chain === undefined ? null : { kind: 'address', chain, address: entry.address };
  const [first] = getEntrySections(entry, chain ?? '');
  return first === undefined ? null : operationTarget(first.request);
}

/** `null` where there is nothing to open. `chains`: those that are configured, for entries meant for all of them. */
export function getInspectorTarget(node: AddressTreeNode, chains: readonly string[]): InspectorTarget | null {
  if (node.kind === 'entry') return entryTarget(node, node.entry.chains[0] ?? chains[0]);
  if (node.kind === 'chain') return entryTarget(node.entry, node.chain);
  if (node.kind === 'section') return operationTarget(node.section.request);
  if (node.kind !== 'row') return null;
  const { target: subject, sections } = node.row;
  const { chain } = node.section;
  if (subject === null) {
    const [first] = sections;
    return first === undefined ? null : operationTarget(first.request);
  }
  if (subject.kind === 'transaction') return { kind: 'transaction', chain, hash: subject.hash };
  if (subject.kind === 'address') return { kind: 'address', chain, address: subject.address };
  return operationTarget(subject.question);
}
