// Types of the client, checked by tsc: valid calls compile, and every @ts-expect-error is an error.

import type { Input, OperationId, Operations, Output } from '../../src/api/operations/operations.ts';
import type { Hex } from '../../src/base/hex.ts';
import type { Client, PagedId, PageRecord, PaginationEnd } from '../../src/client/client.ts';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <T extends true>(): T | undefined => undefined;

const address: Hex = '0x00';

export async function rightCalls(client: Client): Promise<void> {
  const block = await client.block({ block: 1 });
  holds<Equal<typeof block.number, number | null>>();
  holds<Equal<typeof block.timestamp, Date | null>>();
  holds<Equal<typeof block.gasUsed, bigint | null>>();
  const [transaction] = block.transactions ?? [];
  holds<Equal<NonNullable<typeof transaction>['value'], bigint | null>>();

  await client.block(
    { block: '0x00', chain: 'sepolia', include: 'internal_transactions' },
    { signal: new AbortController().signal },
  );
  await client.contractLogs({ address, fromBlock: 1, toDate: new Date(), topic0: '0x00', limit: 5 });
  await client.nftTransfers({});
  await client.walletNfts({ address, chain: undefined, tokenAddresses: [address] });
  await client.aptosBlockCoinTransfers({ blockHeights: [1n], limit: 1 });
  holds<Equal<Awaited<ReturnType<Client['verifySignIn']>>, Output<'verifySignIn'>>>();

  const [balances] = await client.walletBalances({ walletAddresses: [address] });
  holds<Equal<NonNullable<typeof balances>['totalBalance'], bigint | null>>();

  const called = await client.call('transaction', { hash: '0x00' });
  holds<Equal<typeof called, Output<'transaction'>>>();

  for await (const page of client.pages('walletNftTransfers', { address, direction: 'both' }, { maxPages: 2 }))
    holds<Equal<(typeof page)['cursor'], string | null>>();
  for await (const record of client.records('aptosWalletNfts', { ownerAddresses: [address], limit: 1 }))
    holds<Equal<typeof record, PageRecord<'aptosWalletNfts'>>>();
  const last = await client.pages('erc20Mints', {}).next();
  if (last.done) holds<Equal<typeof last.value, PaginationEnd>>();
}

export async function wrongCalls(client: Client): Promise<void> {
  // @ts-expect-error: there is no such operation
  await client.getBlock({ block: 1 });
  // @ts-expect-error: there is no such operation
  await client.call('getBlock', { block: 1 });
  // @ts-expect-error: `block` is required
  await client.block({});
  // @ts-expect-error: an input is always given, even where nothing in it is required
  await client.nftTransfers();
  // @ts-expect-error: `limit` is required in group C
  await client.aptosWalletNfts({ ownerAddresses: [address] });
  // @ts-expect-error: unknown parameters are refused
  await client.block({ block: 1, blockNumber: 1 });
  // @ts-expect-error: wire names exist in the contract only
  await client.contractLogs({ address, from_block: 1 });
  // @ts-expect-error: one address is not a list of addresses
  await client.walletBalances({ walletAddresses: address });
  // @ts-expect-error: numbers are not addresses
  await client.walletBalances({ walletAddresses: [1] });
  // @ts-expect-error: an address is hex
  await client.walletNfts({ address: 'vitalik.eth' });
  // @ts-expect-error: a date is a Date
  await client.nftTransfers({ fromDate: '2023-01-01' });
  // @ts-expect-error: token ids have 256 bits
  await client.nftOwners({ address, tokenId: 1 });
  // @ts-expect-error: only these two
  await client.walletNftTransfers({ address, format: 'octal' });
  // @ts-expect-error: a boolean is not its text
  await client.nftTransfers({ disableTotal: 'true' });
  // @ts-expect-error: a signal, not a controller
  await client.block({ block: 1 }, { signal: new AbortController() });

  const block = await client.block({ block: 1 });
  // @ts-expect-error: the field is called `miner`
  block.coinbase;
  // @ts-expect-error: fields are camelCase
  block.gas_used;
  // @ts-expect-error: every field may be null
  block.transactions.length;
  // @ts-expect-error: amounts are bigints
  const gas: number | null = block.gasUsed;
  // @ts-expect-error: replies are read-only
  block.number = 1;
  const logs = await client.contractLogs({ address });
  // @ts-expect-error: a page is not a list
  logs.map;
  // @ts-expect-error: single records have no pages
  client.pages('block', { block: 1 });
  // @ts-expect-error: arrays have no pages
  client.records('walletBalances', { walletAddresses: [address] });
  void gas;
}

holds<
  Equal<PagedId, { [Id in OperationId]: Operations[Id]['reply']['shape'] extends 'page' ? Id : never }[OperationId]>
>();
holds<Equal<Input<'transaction'>['hash'], Hex>>();
holds<Equal<Input<'contractLogs'>['topic0'], Hex | undefined>>();
