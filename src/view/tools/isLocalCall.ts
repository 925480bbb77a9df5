// Whether all requests of an operation that a language model calls stay on this machine.
import { parseChainSelector } from '../../api/chains.ts';
import { type OperationId, operations } from '../../api/operations/operations.ts';
import type { InputTexts } from '../../api/wire/inputTexts.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';

export interface CallReceivers {
  /** The host that answers operations of this group; `null` when this machine does. */
  readonly host: string | null;
  /** A fork is not local: it requests from its upstream what it does not know. */
  readonly chains: readonly { readonly selector: string; readonly isLocal: boolean }[];
  /** Nodes and indexers of all Aptos networks. */
  readonly aptosUrls: readonly string[];
}

export function isLocalCall(id: OperationId, texts: InputTexts, { host, chains, aptosUrls }: CallReceivers): boolean {
  // Contracts choose the hosts of metadata.
  if (texts['normalizeMetadata'] !== undefined || texts['mediaItems'] !== undefined) return false;
  if (host !== null) return isLoopbackUrl(host);
  if (operations[id].group === 'aptos') return aptosUrls.every(isLoopbackUrl);
  const named = typeof texts['chain'] === 'string' ? parseChainSelector(texts['chain']) : null;
  // Without a named chain any chain may be queried, such as to verify the signature of a contract wallet.
  const queried = named === null ? chains : chains.filter(({ selector }) => selector === named);
  return queried.every(({ isLocal }) => isLocal);
}
