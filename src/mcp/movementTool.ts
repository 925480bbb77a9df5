// The tool that says what a transaction moved, per account.

import { AGENT_CHAIN_SCHEMA } from '../api/chainNames.ts';
import { getAddressFacts } from '../api/configuration.ts';
import { type Output, operations } from '../api/operations/operations.ts';
import { getRecordFee } from '../api/transactionFee.ts';
import { decodeReply } from '../api/wire/reply.ts';
import { INTERNAL_HEADER } from '../api/wire/responseHeaders.ts';
import { HexLensError } from '../base/errors.ts';
import { formatUnits } from '../base/formatUnits.ts';
import type { Hex } from '../base/hex.ts';
import {
  type AssetMovement,
  getAssetMovements,
  getCoinTransfers,
  getTransferTokens,
} from '../decode/assetMovements.ts';
import { selectChains } from './chainAccess.ts';
import { getText, type McpSources, type McpTool, requireHash } from './mcpTool.ts';

/** Units are read of so many tokens. */
const MAX_TOKENS = 20;

/** Tokens that amounts were moved of. */
const getAmountTokens = (movements: readonly AssetMovement[]): ReadonlySet<Hex> =>
  new Set(movements.flatMap(({ kind, token }) => (kind === 'token' && token !== null ? [token] : [])));

export function createMovementTool(sources: McpSources): McpTool {
  /** Standard, symbol and decimals by token; `undefined` for a token whose unit cannot be read. */
  async function fetchUnits(chain: string, tokens: ReadonlySet<Hex>, signal: AbortSignal) {
    const units = await Promise.all(
      [...tokens].slice(0, MAX_TOKENS).map(async token => {
        const unit = await sources.lookup('tokenUnit', { chain, address: token }, signal).catch(() => null);
        return [token, unit] as const;
      }),
    );
    return new Map(units);
  }

  return {
    name: 'what_moved',
    title: 'What a transaction moved',
    description:
      'Says what one transaction moved: coins, ERC-20 amounts and NFTs that every account gained or lost, with the status and the fee. Read-only.',
    inputSchema: {
      type: 'object',
      properties: { hash: { type: 'string', description: 'Transaction hash.' }, chain: AGENT_CHAIN_SCHEMA },
      required: ['hash'],
    },
    async run(args, { signal, report }) {
      const hash = requireHash(args);
      const [chain] = selectChains(sources, getText(args, 'chain'));
      if (chain === undefined) throw new HexLensError('no-node', 'No chain is configured that agents may query.', {});
      const input = { hash, chain: chain.selector, include: 'internal_transactions' } as const;
      const { body, headers } = await sources.fetchReply('transaction', input, signal, report);
      const transaction = decodeReply(operations.transaction.reply, body) as Output<'transaction'>; // of this operation
      const { fromAddress, toAddress, receiptContractAddress, value, receiptStatus, logs, internalTransactions } =
        transaction;
      const hasFailed = receiptStatus === 0;
      const to = toAddress ?? receiptContractAddress;
      const whole = { from: fromAddress ?? '', to, value: value ?? 0n, gas: transaction.gas };
      const lasting = (hasFailed ? null : logs) ?? [];
      const movedLogs = lasting.map(({ address, data, topic0, topic1, topic2, topic3 }) => ({
        address: address ?? '',
        data: data ?? '0x',
        topics: [topic0, topic1, topic2, topic3].filter(topic => topic !== null),
      }));
      const standards = await fetchUnits(chain.selector, getTransferTokens(movedLogs), signal);
      const movements = hasFailed
        ? []
        : getAssetMovements({
            coins: getCoinTransfers(whole, internalTransactions ?? []),
            logs: movedLogs,
            getStandard: token => standards.get(token)?.standard ?? null,
          });
      const [units, status] = await Promise.all([
        fetchUnits(chain.selector, getAmountTokens(movements), signal),
        sources.lookup('chainStatus', { chain: chain.selector }, signal).catch(error => {
          if (signal.aborted) throw error;
          return null;
        }),
      ]);
      const coinDecimals = status?.chain?.decimals ?? 18;
      const fee = getRecordFee(transaction);
      return {
        status: hasFailed ? 'failed' : 'success',
        from: fromAddress,
        to: toAddress,
        created: hasFailed ? null : receiptContractAddress,
        feePaidBySender: fee === null ? null : fee.token === null ? formatUnits(fee.amount, coinDecimals) : '0',
        ...(fee?.isMinimum === true && { feeIsAtLeast: true }),
        ...(typeof fee?.token === 'string' && { feePaidInToken: fee.token, feeInSmallestUnitOfToken: `${fee.amount}` }),
        internalCallsKnown: Array.isArray(internalTransactions) && headers[INTERNAL_HEADER] === undefined,
        movements: movements.map(({ account, kind, token, tokenId, change }) => {
          const name = getAddressFacts(sources.addressBook, account, chain.selector)[0]?.name;
          const unit = token === null ? null : units.get(token);
          const decimals = kind === 'coin' ? coinDecimals : kind === 'token' ? (unit?.decimals ?? null) : null;
          return {
            account,
            ...(name !== undefined && { nameInAddressBook: name }),
            asset: kind === 'coin' ? 'native coin' : kind === 'nft' ? 'NFT' : (unit?.symbol ?? 'token'),
            ...(token !== null && { token }),
            ...(tokenId !== null && { tokenId }),
            change: decimals === null ? change : formatUnits(change, decimals),
            ...(decimals !== null && { smallestUnits: change }),
          };
        }),
      };
    },
  };
}
