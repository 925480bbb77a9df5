// Read-only functions of well-known interfaces, for contracts whose own ABI is not known.
import type { AbiItem } from './abiItem.ts';
import { parseFunctionDeclaration } from './functionDeclaration.ts';

/** Each line is `name(parameters)`, followed by the types it returns. */
const INTERFACES = {
  'ERC-20': `name() string
symbol() string
decimals() uint8
totalSupply() uint256
balanceOf(address account) uint256
allowance(address owner, address spender) uint256`,
  'ERC-721': `name() string
symbol() string
balanceOf(address owner) uint256
ownerOf(uint256 tokenId) address
tokenURI(uint256 tokenId) string
getApproved(uint256 tokenId) address
isApprovedForAll(address owner, address operator) bool
supportsInterface(bytes4 interfaceId) bool`,
  'ERC-1155': `uri(uint256 id) string
balanceOf(address account, uint256 id) uint256
balanceOfBatch(address[] accounts, uint256[] ids) uint256[] balances
isApprovedForAll(address account, address operator) bool
supportsInterface(bytes4 interfaceId) bool`,
  Safe: `VERSION() string
getOwners() address[]
getThreshold() uint256
nonce() uint256
isOwner(address owner) bool
isModuleEnabled(address module) bool
getModulesPaginated(address start, uint256 pageSize) address[] modules, address next`,
  'ERC-2535': `facetAddresses() address[]
facets() (address facet, bytes4[] selectors)[]
facetFunctionSelectors(address facet) bytes4[]
facetAddress(bytes4 selector) address`,
} as const;

export type ReadOnlyInterface = keyof typeof INTERFACES;

const parsed = new Map<ReadOnlyInterface, readonly AbiItem[]>();

export function getReadOnlyFunctions(name: ReadOnlyInterface): readonly AbiItem[] {
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const items = INTERFACES[name].split('\n').flatMap(line => {
    const end = line.indexOf(')') + 1;
    return parseFunctionDeclaration(`${line.slice(0, end)} view returns (${line.slice(end)})`, name) ?? [];
  });
  parsed.set(name, items);
  return items;
}

/** The read-only functions of several lists that return something, each signature once: that of the first list that has it. */
export function mergeReadOnlyFunctions(lists: readonly (readonly AbiItem[])[]): readonly AbiItem[] {
  const functions = new Map<string, AbiItem>();
  for (const item of lists.flat())
    if (item.isReadOnly && (item.outputs?.length ?? 0) > 0 && !functions.has(item.canonical))
      functions.set(item.canonical, item);
  return [...functions.values()];
}

/** Those that change the state of the chain, each signature once. */
export function mergeWritingFunctions(lists: readonly (readonly AbiItem[])[]): readonly AbiItem[] {
  const functions = new Map<string, AbiItem>();
  for (const item of lists.flat())
    if (item.kind === 'function' && !item.isReadOnly && !functions.has(item.canonical))
      functions.set(item.canonical, item);
  return [...functions.values()];
}
