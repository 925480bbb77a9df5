// The sections below an entry of the tree, from the traits of the operations.
import type { Entry } from '../../addressBook/entry.ts';
import type { TreeParent, TreeSectionTraits } from '../../api/operations/operation.ts';
import { type OperationId, operationIds, operations } from '../../api/operations/operations.ts';
import { type AnyParameter, isListKind, type Parameters } from '../../api/operations/parameters.ts';
import { translate } from '../../base/localize.ts';
import type { TreeSection } from './treeRow.ts';

/** Records per page: what fits on a screen. */
export const PAGE_SIZE = 25;

/** `values` by parameter name; the operation gets those that it has a parameter for. */
function toSection(
  operation: OperationId,
  { key, title, icon, rows, parameter }: TreeSectionTraits,
  id: string,
  values: Readonly<Record<string, string>>,
): TreeSection {
  const declared: Parameters = operations[operation].parameters;
  const { kind } = declared[parameter] as AnyParameter; // a test checks that each section names a parameter
  const further = Object.entries(values).filter(([name, value]) => value !== '' && Object.hasOwn(declared, name));
  const parameters = { [parameter]: isListKind(kind) ? [id] : id, ...Object.fromEntries(further) };
  return { key, title: translate(title), icon, rows, request: { operation, parameters } };
}

function getSections(parent: TreeParent, id: string, values: Readonly<Record<string, string>>): readonly TreeSection[] {
  return operationIds
    .flatMap(operation =>
      (operations[operation].traits.treeSections ?? []).flatMap(traits => {
        const position = traits.below[parent];
        return position === undefined ? [] : [{ position, section: toSection(operation, traits, id, values) }];
      }),
    )
    .sort((a, b) => a.position - b.position)
    .map(({ section }) => section);
}

const limit = String(PAGE_SIZE);

/** Lists of an entry on one chain (canonical selector) or one Aptos network (`''`: the first that is configured). */
export function getEntrySections(
  { kind, address }: Pick<Entry, 'kind' | 'address'>,
  chain: string,
): readonly TreeSection[] {
  return getSections(kind, address, kind === 'aptos' ? { network: chain, limit } : { chain, limit });
}

/** Lists of one token of a collection. */
export const getTokenSections = (address: string, tokenId: bigint, chain: string): readonly TreeSection[] =>
  getSections('token', address, { tokenId: tokenId.toString(), chain, limit });

/** Lists of a collection of Aptos. */
export const getAptosCollectionSections = (collectionDataIdHash: string, network: string): readonly TreeSection[] =>
  getSections('aptosCollection', collectionDataIdHash, { network, limit });
