// The tool that says what a transaction moved, per account.

import { AGENT_CHAIN_SCHEMA } from '../api/chainNames.ts';
import { getAddressFacts } from '../api/configuration.ts';
import { type Output, operations } from '../api/operations/operations.ts';
import { getRecordFee } from '../api/transactionFee.ts';
import { decodeReply } from '../api/wire/reply.ts';
import { INTERNAL_HEADER } from '../api/wire/responseHeaders.ts';
import { formatUnits } from '../base/formatUnits.ts';
import { getCoinTransfers } from '../decode/assetMovements.ts';
import { fetchMovements } from '../decode/fetchMovements.ts';
import { selectChain } from './chainAccess.ts';
import { type McpSources, type McpTool, requireHash } from './mcpTool.ts';

export function createMovementTool(sources: McpSources): McpTool {
  return {
    name: 'what_moved',
    title: 'What a transaction moved',
    description:
      'Says what one transaction moved: coins, ERC-20 amounts and NFTs that every account gained or lost, with the status and the fee. Read-only.',
    properties: { hash: { type: 'string', description: 'Transaction hash.' }, chain: AGENT_CHAIN_SCHEMA },
    required: ['hash'],
    async run(args, { signal, report }) {
      const hash = requireHash(args);
      const chain = selectChain(sources, args);
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
      const status = await sources.lookup('chainStatus', { chain: chain.selector }, signal).catch(error => {
        if (signal.aborted) throw error;
        return null;
      });
      const movements = hasFailed
        ? []
        : await fetchMovements(
            { coins: getCoinTransfers(whole, internalTransactions ?? []), logs: movedLogs },
            status?.chain ?? null,
            address => sources.lookup('tokenUnit', { chain: chain.selector, address }, signal),
            account => getAddressFacts(sources.addressBook, account, chain.selector)[0]?.name,
          );
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
        movements,
      };
    },
  };
}
