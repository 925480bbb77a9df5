// What every MCP tool is: a name, texts for the model, a JSON Schema of its input, and a function.
import type { AddressBookConfiguration } from '../api/configuration.ts';
import type { SendLookup } from '../api/lookups.ts';
import type { Input, OperationId } from '../api/operations/operations.ts';
import type { JsonSchema } from '../api/records/jsonSchema.ts';
import type { WireReply } from '../api/wire/request.ts';
import { createBadInputFault, HexLensError } from '../base/errors.ts';
import { type Hex, isHash } from '../base/hex.ts';
import type { AbiRegistry } from '../decode/abiRegistry.ts';
import type { SourceBuilds } from '../decode/source/sourceBuilds.ts';
import { findSecretReason } from '../view/checkDisclosure.ts';

/** A chain whose node the user allows agents to query. */
export interface McpChain {
  /** Canonical chain selector (`local`, `eth`, `0x2105`). */
  readonly selector: string;
  /** Its nodes are on this machine. They may be forks: whether only this machine knows the chain says `ChainStatus.isLocal`. */
  readonly isOnLoopback: boolean;
}

export interface McpSources {
  readonly chains: readonly McpChain[];
  /** Configured chains whose nodes are on hosts that agents may not query, with the hosts. */
  readonly refusedChains: readonly { readonly selector: string; readonly host: string }[];
  /** Where a host is allowed, as the end of a sentence. */
  readonly allowHostHint: string;
  readonly addressBook: AddressBookConfiguration;
  loadAbis(): Promise<AbiRegistry>;
  /** The builds of the project, for lines of Solidity. */
  loadBuilds(): Promise<SourceBuilds>;
  /** Rejects with the fault of an error reply. `report` receives the progress of an index in a sentence. */
  fetchReply<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    signal: AbortSignal,
    report: (sentence: string) => void,
  ): Promise<WireReply>;
  readonly lookup: SendLookup;
}

export interface McpCall {
  readonly signal: AbortSignal;
  /** Progress in a sentence, sent to clients that asked for it. */
  report(sentence: string): void;
}

export type ToolArguments = Readonly<Record<string, unknown>>;

export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Its arguments. */
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** A JSON-like value. Rejects with a `HexLensError` whose text tells the model what to correct. */
  run(args: ToolArguments, call: McpCall): Promise<unknown>;
}

/** Throws what tells the model which argument to correct. */
export function rejectArgument(field: string, message: string): never {
  throw createBadInputFault([{ field, message: `${field} ${message}` }]);
}

export function getText(args: ToolArguments, name: string): string | undefined {
  const value = args[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  return rejectArgument(name, 'must be text');
}

export function requireText(args: ToolArguments, name: string): string {
  return getText(args, name) ?? rejectArgument(name, 'is required');
}

/** The argument `hash`, 32 bytes that are no known key. */
export function requireHash(args: ToolArguments): Hex {
  const hash = requireText(args, 'hash');
  if (!isHash(hash)) return rejectArgument('hash', 'must be 32 bytes in 0x hex');
  rejectSecretTexts([hash]);
  return hash;
}

/** Throws `bad-input` where one of the texts, which go to a node, is or has a known key. */
export function rejectSecretTexts(texts: readonly string[]): void {
  const reason = findSecretReason(texts);
  if (reason !== null) throw new HexLensError('bad-input', reason, {});
}

/** What agents see of the address book; an entry without `chains` is about every chain. */
export const getNamedAddresses = (book: AddressBookConfiguration) =>
  Object.entries(book).flatMap(([address, facts]) =>
    facts.map(({ name, chains }) => ({ address, name, ...(chains.length > 0 && { chains }) })),
  );
