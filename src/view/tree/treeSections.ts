// The sections below an entry of the tree, from the traits of the operations.
import type { Entry } from '../../addressBook/entry.ts';
import { type AddressTraits, isInScope } from '../../api/operations/addressScope.ts';
import { type TreeParent, type TreeSectionTraits, treeRowIcons } from '../../api/operations/operation.ts';
import { type OperationId, operationIds, operations } from '../../api/operations/operations.ts';
import { type AnyParameter, isListKind, type Parameters } from '../../api/operations/parameters.ts';
import { translate } from '../../base/localize.ts';
import type { TreeSection } from './treeRow.ts';

/** Records per page: what fits on a screen. */
export const PAGE_SIZE = 25;

/** `values` by parameter name; the operation gets those that it has a parameter for. */
function toSection(
  operation: OperationId,
  { key, title, rows, parameter = 'address', for: scope }: TreeSectionTraits,
  id: string,
  values: Readonly<Record<string, string>>,
): TreeSection {
  const declared: Parameters = operations[operation].parameters;
  const { kind } = declared[parameter] as AnyParameter; // a test checks that each section names a parameter
  const further = Object.entries(values).filter(([name, value]) => value !== '' && Object.hasOwn(declared, name));
  const parameters = { [parameter]: isListKind(kind) ? [id] : id, ...Object.fromEntries(further) };
  const request = { operation, parameters };
  const icon = treeRowIcons[rows];
  return { key, title: translate(title), icon, rows, omittedIfEmpty: scope === 'holder', request };
}

/** `traits` of the address; without them all sections of the parent. */
function getSections(
  parent: TreeParent,
  id: string,
  values: Readonly<Record<string, string>>,
  traits: AddressTraits | null = null,
): readonly TreeSection[] {
  return operationIds
    .flatMap(operation =>
      (operations[operation].traits.treeSections ?? []).flatMap((section: TreeSectionTraits) => {
        const position = section.below[parent];
        if (position === undefined || (traits !== null && !isInScope(section.for ?? 'all', traits))) return [];
        return [{ position, section: toSection(operation, section, id, values) }];
      }),
    )
    .sort((a, b) => a.position - b.position)
    .map(({ section }) => section);
}

const limit = String(PAGE_SIZE);

/** The user says that it is an NFT; what the chain says does not matter. */
const COLLECTION: AddressTraits = { codeSize: 1, token: { standard: 'ERC721' } };

/**
 * Lists of an entry on one chain (canonical selector) or one Aptos network (`''`: the first that is configured).
 *
 * @param traits What a contract is on that chain; `null` while that is unknown: it has all lists then.
 */
export function getEntrySections(
  { kind, address }: Pick<Entry, 'kind' | 'address'>,
  chain: string,
  traits: AddressTraits | null = null,
): readonly TreeSection[] {
  const values = kind === 'aptos' ? { network: chain, limit } : { chain, limit };
  if (kind === 'collection') return getSections(kind, address, values, COLLECTION);
  // A saved contract may have no code any more, but still has its logs.
  const own =
    kind !== 'contract' || traits?.codeSize == null ? null : { ...traits, codeSize: Math.max(1, traits.codeSize) };
  return getSections(kind, address, values, own);
}

/** Lists of one token of a collection. */
export const getTokenSections = (address: string, tokenId: bigint, chain: string): readonly TreeSection[] =>
  getSections('token', address, { tokenId: tokenId.toString(), chain, limit });

/** Lists of a collection of Aptos. */
export const getAptosCollectionSections = (collectionDataIdHash: string, network: string): readonly TreeSection[] =>
  getSections('aptosCollection', collectionDataIdHash, { network, limit });
