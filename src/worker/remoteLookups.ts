// Lookups of hovers over a remote host: made of its operations; fields that no operation has are `null`.
import { type Chain, getSelectorChainId, LOCAL_CHAIN, parseChainSelector, resolveChain } from '../api/chains.ts';
import { findChain } from '../api/chainTable.ts';
import {
  type AddressSummary,
  type BlockSummary,
  type ChainStatus,
  type EvmLookupId,
  type LookupInput,
  type LookupOutput,
  MAX_INPUT_BYTES,
  MAX_SUMMARY_TOPICS,
  MAX_SUMMARY_TRANSFERS,
  type NodeLookupId,
  type NothingFound,
  type TransactionSummary,
} from '../api/lookups.ts';
import type { Output } from '../api/operations/operations.ts';
import { parseTokenTransfers } from '../api/tokenTransfer.ts';
import { getRecordFee } from '../api/transactionFee.ts';
import { formatFault, HexLensError, isFault, toPlainFault } from '../base/errors.ts';
import { type Hex, ZERO_ADDRESS } from '../base/hex.ts';
import type { Client } from '../client/client.ts';
import type { SendOptions } from '../client/transport.ts';

export interface RemoteLookupsDeps {
  /** A client of the host of the EVM group. */
  readonly client: Client;
  /** Name of the host in messages. */
  readonly host: string;
}

export type RemoteLookupId = Exclude<EvmLookupId, NodeLookupId>;

/** What earlier responses showed about a chain. Its status is made of this, so that it costs no request. */
type ObservedStatus = Pick<ChainStatus, 'head' | 'headTime' | 'problem' | 'fault'>;

const NOTHING_OBSERVED: ObservedStatus = { head: null, headTime: null, problem: null };

type Lookups = {
  readonly [Id in RemoteLookupId]: (input: LookupInput<Id>, options: SendOptions) => Promise<LookupOutput<Id>>;
};

export class RemoteLookups implements Lookups {
  readonly #deps: RemoteLookupsDeps;
  readonly #statuses = new Map<string, ObservedStatus>();

  constructor(deps: RemoteLookupsDeps) {
    this.#deps = deps;
  }

  lookup<Id extends RemoteLookupId>(id: Id, input: LookupInput<Id>, options: SendOptions): Promise<LookupOutput<Id>> {
    return (this as Lookups)[id](input, options);
  }

  async addressSummary(
    { chain: selector, address }: LookupInput<'addressSummary'>,
    options: SendOptions,
  ): Promise<AddressSummary> {
    const { client, host } = this.#deps;
    const chain = await this.#getChain(selector);
    return this.#observe(chain, async () => {
      const [balances] = await client.walletBalances({ walletAddresses: [address], chain: selector }, options);
      const balance = requireField(balances?.walletBalances?.[0]?.balance ?? null, host, 'the balance');
      const blockNumber = balances?.blockNumber ?? null;
      this.#statuses.set(chain.name, { head: blockNumber, headTime: balances?.blockTimestamp ?? null, problem: null });
      return {
        kind: 'address',
        chain,
        address,
        balance,
        nonce: null,
        codeSize: null,
        codeHash: null,
        delegate: null,
        proxy: null,
        token: null,
        blockNumber,
      };
    });
  }

  async blockSummary(
    { chain: selector, block }: { readonly chain: string; readonly block: number | Hex },
    options: SendOptions,
  ): Promise<BlockSummary | NothingFound> {
    const { client, host } = this.#deps;
    const chain = await this.#getChain(selector);
    return this.#observe(chain, async () => {
      const record = await nullIfNotFound(client.block({ block, chain: selector }, options));
      return record === null ? { kind: 'nothing', chain } : toBlockSummary(chain, host, record);
    });
  }

  async hashSummary(
    { chain: selector, hash }: LookupInput<'hashSummary'>,
    options: SendOptions,
  ): Promise<LookupOutput<'hashSummary'>> {
    const { client, host } = this.#deps;
    const chain = await this.#getChain(selector);
    const record = await this.#observe(chain, () =>
      nullIfNotFound(client.transaction({ hash, chain: selector }, options)),
    );
    if (record !== null) return toTransactionSummary(chain, host, hash, record);
    return this.blockSummary({ chain: selector, block: hash }, options);
  }

  async chainStatus({ chain: selector }: LookupInput<'chainStatus'>): Promise<ChainStatus> {
    const status = { selector, source: 'host', client: null } as const;
    try {
      const chain = await this.#getChain(selector);
      return { ...status, chain, ...(this.#statuses.get(chain.name) ?? NOTHING_OBSERVED) };
    } catch (error) {
      return { ...status, ...NOTHING_OBSERVED, chain: null, problem: formatFault(error), fault: toPlainFault(error) };
    }
  }

  async #getChain(selector: string): Promise<Chain> {
    const canonical = parseChainSelector(selector) ?? LOCAL_CHAIN;
    const id = getSelectorChainId(canonical);
    if (id === null) {
      throw new HexLensError('no-node', `${this.#deps.host} does not serve the chain "${selector.slice(0, 40)}".`, {
        fix: 'Name a public chain such as eth in the settings, or use the embedded service for the EVM group.',
      });
    }
    return resolveChain(canonical, id, findChain(id));
  }

  /** Runs `work` and records whether the host works. Not finding something is a success. */
  async #observe<T>(chain: Chain, work: () => Promise<T>): Promise<T> {
    // Read after `work`: other lookups may have observed a newer head meanwhile.
    const getPrevious = () => this.#statuses.get(chain.name) ?? NOTHING_OBSERVED;
    try {
      const value = await work();
      this.#statuses.set(chain.name, { ...getPrevious(), problem: null, fault: undefined });
      return value;
    } catch (error) {
      if (!isFault(error, 'cancelled')) {
        const fault = isFault(error, 'not-found', 'bad-input') ? undefined : toPlainFault(error);
        const problem = fault === undefined ? null : formatFault(error);
        this.#statuses.set(chain.name, { ...getPrevious(), problem, fault });
      }
      throw error;
    }
  }
}

async function nullIfNotFound<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isFault(error, 'not-found')) return null;
    throw error;
  }
}

/** Throws `host-error` for a missing field that a summary can not do without. */
function requireField<T>(value: T | null, host: string, field: string): T {
  if (value !== null) return value;
  throw new HexLensError('host-error', `${host} answered without ${field}.`, {
    fix: 'Try again; if it stays, check the base URL.',
  });
}

function toTransactionSummary(
  chain: Chain,
  host: string,
  hash: Hex,
  record: Output<'transaction'>,
): TransactionSummary {
  const input = record.input ?? '0x';
  const logs = record.logs ?? [];
  return {
    kind: 'transaction',
    chain,
    hash,
    // Before Byzantium a receipt had no status; such a transaction is in a block nevertheless.
    status: record.blockNumber === null ? 'pending' : record.receiptStatus === 0 ? 'failed' : 'success',
    from: requireField(record.fromAddress, host, 'the sender'),
    to: record.toAddress,
    created: record.receiptStatus === 0 ? null : record.receiptContractAddress,
    value: requireField(record.value, host, 'the value'),
    selector: input.length >= 10 ? (input.slice(0, 10) as Hex) : null,
    inputSize: Math.max(0, (input.length - 2) / 2),
    input: input.length > 2 + 2 * MAX_INPUT_BYTES ? null : (input as Hex),
    nonce: requireField(record.nonce, host, 'the nonce'),
    gasUsed: record.receiptGasUsed,
    gasLimit: requireField(record.gas, host, 'the gas limit'),
    gasPrice: record.gasPrice,
    fee: getRecordFee(record, chain.id),
    blockNumber: record.blockNumber,
    blockHash: record.blockHash,
    time: record.blockTimestamp,
    transactionIndex: record.transactionIndex,
    logs: record.logs === null ? null : logs.length,
    topics: logs.flatMap(log => log.topic0 ?? []).slice(0, MAX_SUMMARY_TOPICS),
    transfers: logs
      .flatMap(({ address, topic0, topic1, topic2, topic3, data }) => {
        const topics = [topic0, topic1, topic2, topic3].filter(topic => topic !== null);
        return parseTokenTransfers({ address, topics, data });
      })
      .slice(0, MAX_SUMMARY_TRANSFERS),
  };
}

function toBlockSummary(chain: Chain, host: string, record: Output<'block'>): BlockSummary {
  return {
    kind: 'block',
    chain,
    number: requireField(record.number, host, 'the block number'),
    hash: requireField(record.hash, host, 'the block hash'),
    time: requireField(record.timestamp, host, 'the time'),
    transactions: record.transactionCount ?? record.transactions?.length ?? 0,
    gasUsed: requireField(record.gasUsed, host, 'the gas used'),
    gasLimit: requireField(record.gasLimit, host, 'the gas limit'),
    baseFee: record.baseFeePerGas,
    miner: record.miner ?? ZERO_ADDRESS,
  };
}
