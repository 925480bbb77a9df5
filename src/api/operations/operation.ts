// The descriptor of an operation: everything that client, service, documents and user interface know about it.
import type { AnyRecord } from '../records/record.ts';
import type { InferOutput, ReplyShape } from '../wire/reply.ts';
import type { AddressScope } from './addressScope.ts';
import type { InferInput, Parameters, Precedence } from './parameters.ts';

/** A sign-in verification, B EVM data, C Aptos data. */
export type ApiGroup = 'auth' | 'evm' | 'aptos';

/** Base paths of each group in our own HTTP service; the first is what the client writes, the others are aliases. */
export const basePaths: Readonly<Record<ApiGroup, readonly [string, ...string[]]>> = {
  auth: [''],
  evm: ['/api/v2', '/api/v2.2'],
  // The description has an address for each network of Aptos.
  aptos: ['/aptos', '/aptos/:network'],
};

/**
 * Where the records of a reply come from.
 * - `input`: computed from the input alone.
 * - `node`: read from a node when the request arrives.
 * - `logs`: read from a node's logs on demand, block range by block range; long scans report progress.
 * - `index`: read from the index of the chain, or of one contract or wallet on a public chain; while the index is
 *   incomplete, so is the reply, and progress is reported.
 * - `aptos`: read from a fullnode or indexer of Aptos.
 */
export type DataSource = 'input' | 'node' | 'logs' | 'index' | 'aptos';

/** What a section of the sidebar's tree can be below. */
export type TreeParent = 'wallet' | 'contract' | 'collection' | 'token' | 'aptos' | 'aptosCollection';

/** How a record becomes a row of the tree (view/tree), each with the codicon of its sections. */
export const treeRowIcons = {
  balance: 'credit-card',
  nft: 'symbol-color',
  collection: 'library',
  transfer: 'arrow-swap',
  owner: 'person',
  token: 'symbol-color',
  log: 'list-flat',
  trade: 'tag',
  mint: 'sparkle',
  transaction: 'list-ordered',
  erc20Balance: 'circle-large-outline',
  erc20Transfer: 'arrow-swap',
  aptosCoinTransfer: 'credit-card',
  aptosNft: 'symbol-color',
  aptosNftOwner: 'person',
  aptosNftTransfer: 'arrow-swap',
  aptosCreatedNft: 'paintcan',
} as const;

export type TreeRowKind = keyof typeof treeRowIcons;

export interface TreeSectionTraits {
  /** Unique among the sections of one parent. */
  readonly key: string;
  readonly title: string;
  /** Parents that have the section, each with its position there. */
  readonly below: Readonly<Partial<Record<TreeParent, number>>>;
  /** The parameter that takes the parent's address, or its collection id; `address` when absent. */
  readonly parameter?: string;
  readonly rows: TreeRowKind;
  /** Contracts that have the section; all when absent. */
  readonly for?: AddressScope;
}

/** A tab of the inspector's address page. */
export interface AddressTabTraits {
  readonly id: string;
  readonly label: string;
  readonly position: number;
  /** Addresses that have the tab. */
  readonly for: AddressScope;
  /** The parameter that takes the address; `address` when absent. */
  readonly parameter?: string;
}

export interface OperationTraits {
  readonly source: DataSource;
  /** New records keep arriving at the head of the chain, so the inspector offers to follow them. */
  readonly isLive?: true;
  /** Records have images, which the inspector offers as a gallery. */
  readonly hasImages?: true;
  /** What the inspector's histogram counts; rows when absent. */
  readonly histogram?: 'logs' | 'transfers';
  readonly addressTab?: AddressTabTraits;
  readonly treeSections?: readonly TreeSectionTraits[];
}

export interface OperationSpec<
  P extends Parameters = Parameters,
  S extends ReplyShape<AnyRecord> = ReplyShape<AnyRecord>,
> {
  readonly group: ApiGroup;
  readonly method: 'GET' | 'POST';
  /** Below the group's base path; path parameters as `:wire_name`. */
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  /** In the order in which forms and prompts show them. */
  readonly parameters: P;
  readonly precedence?: readonly Precedence[];
  readonly reply: S;
  readonly traits: OperationTraits;
  /** The day (YYYY-MM-DD) from which the description marks it as deprecated. */
  readonly deprecatedSince?: string;
  /** The day from which a known host no longer has it: concerns remote hosts only. */
  readonly retiredSince?: string;
  /** Not in the description: an addition of ours. */
  readonly ours?: true;
}

/** An operation of any type. Its id is its key in the table. */
export type AnyOperation = OperationSpec<
  // biome-ignore lint/suspicious/noExplicitAny: the one place where operations of every type meet.
  any,
  // biome-ignore lint/suspicious/noExplicitAny: the one place where operations of every type meet.
  any
> & { readonly id: string };

/** An operation of the table. Optional members are declared for all operations, so that each of them can be read for them. */
export interface DefinedOperation<Id extends string, G extends ApiGroup>
  extends Pick<OperationSpec, 'method' | 'precedence' | 'deprecatedSince' | 'retiredSince' | 'ours' | 'traits'> {
  readonly id: Id;
  readonly group: G;
}

/**
 * Operations of one group by id; each gets its key as `id`, and the method GET where it has no other.
 *
 * @example
 * ```ts
 * import { identity } from '../records/siweRecords.ts';
 * import { defineOperations } from './operation.ts';
 * import { text } from './parameterKinds.ts';
 * import { body } from './parameters.ts';
 *
 * const operations = defineOperations('auth', {
 *   verifyToken: {
 *     method: 'POST',
 *     path: '/token/verify',
 *     title: 'Verify Token',
 *     summary: 'Verifies a token and returns the identity of its owner.',
 *     parameters: { token: body(text(4_096, 'the token'), 'The token.') },
 *     reply: { shape: 'record', record: identity, status: 200 },
 *     traits: { source: 'input' },
 *   },
 * });
 * operations.verifyToken.id satisfies 'verifyToken';
 * ```
 */
export function defineOperations<
  const T extends Readonly<
    Record<string, Omit<OperationSpec, 'group' | 'method'> & Partial<Pick<OperationSpec, 'method'>>>
  >,
  const G extends ApiGroup,
>(group: G, specs: T): { readonly [Id in keyof T & string]: T[Id] & DefinedOperation<Id, G> } {
  const entries = Object.entries(specs).map(([id, spec]) => [id, { id, group, method: 'GET', ...spec }]);
  return Object.fromEntries(entries); // the entries are those of `specs`, with id and group
}

export type OperationInput<O> = O extends { readonly parameters: infer P extends Parameters } ? InferInput<P> : never;
export type OperationOutput<O> = O extends { readonly reply: infer S } ? InferOutput<S> : never;

/**
 * How a reply shows that the index is incomplete: by a field of the page, or only by the header `x-hexlens-index`.
 * `null`: replies do not depend on an index.
 */
export function getIncompletenessSignal({
  traits,
  reply,
}: Pick<AnyOperation, 'traits' | 'reply'>): 'status' | 'index_complete' | 'header' | null {
  if (traits.source !== 'index') return null;
  const { envelope }: { readonly envelope?: string } = reply;
  if (envelope === 'status') return 'status';
  return envelope === 'transfers' ? 'index_complete' : 'header';
}
