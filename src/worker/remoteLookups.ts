// What a hover asks, answered by a remote host's operations as far as they go; the rest is `null`.

import { type Chain, getChainByName, LOCAL_CHAIN, parseChainSelector, resolveChain } from '../api/chains.ts';
import {
  type AddressSummary,
  type BlockSummary,
  type ChainStatus,
  type EvmLookupId,
  type LookupInput,
  type LookupOutput,
  MAX_INPUT_BYTES,
  type NodeLookupId,
  type NothingFound,
  type TransactionSummary,
} from '../api/lookups.ts';
import type { Output } from '../api/operations/operations.ts';
import { formatFault, HexLensError, isFault, type PlainFault, toPlainFault } from '../base/errors.ts';
import { type Hex, ZERO_ADDRESS } from '../base/hex.ts';
import type { Client } from '../client/client.ts';
import type { SendOptions } from '../client/transport.ts';

export interface RemoteLookupsDeps {
  /** Over the transport to the host of the EVM group. */
  readonly client: Client;
  /** The host, by a name for people. */
  readonly host: string;
}

export type RemoteLookupId = Exclude<EvmLookupId, NodeLookupId>;

export type RemoteLookups = <Id extends RemoteLookupId>(
  id: Id,
  input: LookupInput<Id>,
  options: SendOptions,
) => Promise<LookupOutput<Id>>;

/** topic0 values of a transaction summary (contract/lookup.ts). */
const MAX_TOPICS = 8;

/** What the host last said about a chain: shown as its status, so that a status costs no request of its own. */
interface Seen {
  readonly head: number | null;
  readonly headTime: Date | null;
  readonly problem: string | null;
  readonly fault?: PlainFault | undefined;
}

export function createRemoteLookups({ client, host }: RemoteLookupsDeps): RemoteLookups {
  const seen = new Map<string, Seen>();

  const chainFor = (selector: string): Chain => {
    const canonical = parseChainSelector(selector);
    if (canonical === null || canonical === LOCAL_CHAIN) {
      throw new HexLensError('no-node', `${host} does not serve the chain "${selector.slice(0, 40)}".`, {
        fix: 'Name a public chain such as eth in the settings, or use the embedded service for the EVM group.',
      });
    }
    return getChainByName(canonical) ?? resolveChain(canonical, Number(canonical));
  };

  /** Runs `work` and notes what it shows of the host; a thing that is not there is an answer like any other. */
  const watched = async <T>(chain: Chain, work: () => Promise<T>): Promise<T> => {
    const known = seen.get(chain.name) ?? { head: null, headTime: null, problem: null };
    try {
      const value = await work();
      seen.set(chain.name, { ...(seen.get(chain.name) ?? known), problem: null, fault: undefined });
      return value;
    } catch (error) {
      if (!isFault(error, 'cancelled')) {
        const fault = isFault(error, 'not-found', 'bad-input') ? undefined : toPlainFault(error);
        seen.set(chain.name, { ...known, problem: fault === undefined ? null : formatFault(error), fault });
      }
      throw error;
    }
  };

  const orNothing = async <T>(work: Promise<T>): Promise<T | null> => {
    try {
      return await work;
    } catch (error) {
      if (isFault(error, 'not-found')) return null;
      throw error;
    }
  };

  async function addressSummary(
    { chain: selector, address }: LookupInput<'addressSummary'>,
    options: SendOptions,
  ): Promise<AddressSummary> {
    const chain = chainFor(selector);
    return watched(chain, async () => {
      const [balances] = await client.walletBalances({ walletAddresses: [address], chain: selector }, options);
      const balance = needed(balances?.walletBalances?.[0]?.balance ?? null, host, 'the balance');
      const blockNumber = balances?.blockNumber ?? null;
      seen.set(chain.name, { head: blockNumber, headTime: balances?.blockTimestamp ?? null, problem: null });
      return {
        kind: 'address',
        chain,
        address,
        balance,
        nonce: null,
        codeSize: null,
        delegate: null,
        implementation: null,
        token: null,
        blockNumber,
      };
    });
  }

  async function blockSummary(
    { chain: selector, block }: { readonly chain: string; readonly block: number | Hex },
    options: SendOptions,
  ): Promise<BlockSummary | NothingFound> {
    const chain = chainFor(selector);
    return watched(chain, async () => {
      const found = await orNothing(client.block({ block, chain: selector }, options));
      return found === null ? { kind: 'nothing', chain } : summaryOfBlock(chain, host, found);
    });
  }

  async function hashSummary(
    { chain: selector, hash }: LookupInput<'hashSummary'>,
    options: SendOptions,
  ): Promise<LookupOutput<'hashSummary'>> {
    const chain = chainFor(selector);
    const transaction = await watched(chain, () => orNothing(client.transaction({ hash, chain: selector }, options)));
    if (transaction !== null) return summaryOfTransaction(chain, host, hash, transaction);
    return blockSummary({ chain: selector, block: hash }, options);
  }

  async function chainStatus({ chain: selector }: LookupInput<'chainStatus'>): Promise<ChainStatus> {
    const status = { selector, source: 'host', client: null } as const;
    try {
      const chain = chainFor(selector);
      const known = seen.get(chain.name);
      return {
        ...status,
        chain,
        head: known?.head ?? null,
        headTime: known?.headTime ?? null,
        problem: known?.problem ?? null,
        fault: known?.fault,
      };
    } catch (error) {
      return {
        ...status,
        chain: null,
        head: null,
        headTime: null,
        problem: formatFault(error),
        fault: toPlainFault(error),
      };
    }
  }

  const lookups: {
    readonly [Id in RemoteLookupId]: (input: LookupInput<Id>, options: SendOptions) => Promise<LookupOutput<Id>>;
  } = { chainStatus, addressSummary, hashSummary, blockSummary };
  return (id, input, options) => lookups[id](input, options);
}

/** A field without which there is nothing to show. */
function needed<T>(value: T | null, host: string, field: string): T {
  if (value !== null) return value;
  throw new HexLensError('host-error', `${host} answered without ${field}.`, {
    fix: 'Try again; if it stays, check the base URL.',
  });
}

function summaryOfTransaction(chain: Chain, host: string, hash: Hex, found: Output<'transaction'>): TransactionSummary {
  const input = found.input ?? '0x';
  const logs = found.logs ?? [];
  return {
    kind: 'transaction',
    chain,
    hash,
    // Before Byzantium a receipt had no status; such a transaction is in a block all the same.
    status: found.blockNumber === null ? 'pending' : found.receiptStatus === 0 ? 'failed' : 'success',
    from: needed(found.fromAddress, host, 'the sender'),
    to: found.toAddress,
    created: found.receiptContractAddress,
    value: needed(found.value, host, 'the value'),
    selector: input.length >= 10 ? (input.slice(0, 10) as Hex) : null,
    inputSize: Math.max(0, (input.length - 2) / 2),
    input: input.length > 2 + 2 * MAX_INPUT_BYTES ? null : (input as Hex),
    nonce: Number(needed(found.nonce, host, 'the nonce')),
    gasUsed: found.receiptGasUsed,
    gasLimit: needed(found.gas, host, 'the gas limit'),
    gasPrice: found.gasPrice,
    blockNumber: found.blockNumber,
    blockHash: found.blockHash,
    time: found.blockTimestamp,
    transactionIndex: found.transactionIndex,
    logs: found.logs === null ? null : logs.length,
    topics: logs.flatMap(log => log.topic0 ?? []).slice(0, MAX_TOPICS),
  };
}

function summaryOfBlock(chain: Chain, host: string, found: Output<'block'>): BlockSummary {
  return {
    kind: 'block',
    chain,
    number: needed(found.number, host, 'the block number'),
    hash: needed(found.hash, host, 'the block hash'),
    time: needed(found.timestamp, host, 'the time'),
    transactions: found.transactionCount ?? found.transactions?.length ?? 0,
    gasUsed: needed(found.gasUsed, host, 'the gas used'),
    gasLimit: needed(found.gasLimit, host, 'the gas limit'),
    baseFee: found.baseFeePerGas,
    miner: found.miner ?? ZERO_ADDRESS,
  };
}
