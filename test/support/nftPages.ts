// All pages of a list operation as sent on the wire, for tests that compare them with the chain.
import { expect } from 'vitest';
import type { Input, OperationId } from '../../src/api/operations/operations.ts';
import { SCAN_HEADER } from '../../src/api/wire/responseHeaders.ts';
import type { Hex } from '../../src/base/hex.ts';
import { apesAbi, artAbi, encodeData } from './chain/contractAbis.ts';
import { type MinedBlock, mineBlock, type TestTransaction } from './chain/mineBlock.ts';
import type { TestChain } from './chain/testChain.ts';
import type { TestNode } from './chain/testNode.ts';
import { isBehind, type ServiceUnderTest } from './filledChain.ts';
import type { TokenNames } from './nftWitness.ts';
import { readUntil } from './readUntil.ts';

interface OnNode {
  readonly anvil: TestNode;
}
interface OnChain {
  readonly chain: TestChain;
}

export type ListId = Exclude<
  Extract<OperationId, `${string}ft${string}` | 'nftOwners' | 'erc20Mints' | `${string}Erc20Transfers`>,
  'nftLowestPrice' | `aptos${string}`
>;

export interface PageOnWire {
  readonly result: readonly Readonly<Record<string, unknown>>[];
  readonly cursor: string | null;
  readonly total: string | null;
  readonly page: string;
  readonly page_size: string;
  readonly status?: string;
  readonly block_exists?: boolean;
  readonly index_complete?: boolean;
}

/** What is there at once: of an index that is behind, or of the blocks that are read in time, where the machine is busy. */
export async function fetchPage<Id extends ListId>(service: ServiceUnderTest, id: Id, input: Input<Id>) {
  const { status, headers, body } = await service.send(id, input);
  expect(status, JSON.stringify(body)).toBe(200);
  return { page: body as PageOnWire, behind: isBehind(headers), isPartial: headers[SCAN_HEADER] !== undefined };
}

/** The page of an index that has come to the head of its chain, however long that takes. */
export async function fetchSyncedPage<Id extends ListId>(
  service: ServiceUnderTest,
  id: Id,
  input: Input<Id>,
): Promise<PageOnWire> {
  return (await fetchSynced(service, id, input)).page;
}

const fetchSynced = <Id extends ListId>(service: ServiceUnderTest, id: Id, input: Input<Id>) =>
  readUntil(
    () => fetchPage(service, id, input),
    ({ behind }) => !behind,
  );

/** All pages to the end; checks numbers, sizes and cursors on the way. `between` runs before every further page. */
export async function allPages<Id extends ListId>(
  service: ServiceUnderTest,
  id: Id,
  input: Input<Id>,
  between?: () => Promise<unknown>,
): Promise<readonly PageOnWire[]> {
  const limit = (input as { readonly limit?: number }).limit ?? 100;
  const first = id.endsWith('Transfers') && !id.endsWith('Erc20Transfers') ? 0 : 1;
  const pages: PageOnWire[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const { page, isPartial } = await fetchSynced(service, id, { ...input, cursor });
    expect(page).toMatchObject({ page: String(first + pages.length), page_size: String(limit) });
    expect(page.result.length <= limit && (page.cursor === null || isPartial || page.result.length === limit)).toBe(
      true,
    );
    pages.push(page);
    cursor = page.cursor ?? undefined;
    if (cursor === undefined) break;
    expect(seen.has(cursor), 'a cursor came twice').toBe(false);
    seen.add(cursor);
    await between?.();
  } while (pages.length < 10_000);
  return pages;
}

export const toRecords = (pages: readonly PageOnWire[]) => pages.flatMap(page => page.result);

export const lower = (address: Hex): Hex => address.toLowerCase() as Hex;

/** What the test chain's tokens call themselves. */
export function tokenNames({ contracts }: TestChain, hostile: TokenNames): Map<Hex, TokenNames> {
  return new Map<Hex, TokenNames>([
    [lower(contracts.apes), { name: 'HexLens Test Apes', symbol: 'APE' }],
    [lower(contracts.art), { name: 'HexLens Test Art', symbol: 'ART' }],
    [lower(contracts.items), { name: 'HexLens Test Items', symbol: 'ITEM' }],
    [lower(contracts.coin), { name: 'HexLens Test Coin', symbol: 'TEST', decimals: 18 }],
    [lower(contracts.usdx), { name: 'Test Dollar', symbol: 'USDX', decimals: 6 }],
    [lower(contracts.hostile), hostile],
    [lower(contracts.oldToken), { name: 'Old Test Token', symbol: 'OLD', decimals: 9 }],
  ]);
}

/** One block with exactly these transactions. */
export const mineTransactions = ({ anvil }: OnNode, transactions: readonly TestTransaction[]): Promise<MinedBlock> =>
  mineBlock(anvil, transactions);

export const mintApeTransaction = ({ chain }: OnChain, to: Hex, id: bigint): TestTransaction => ({
  from: chain.accounts.deployer,
  to: chain.contracts.apes,
  data: encodeData(apesAbi.mint, [to, id]),
});

export const moveApeTransaction = ({ chain }: OnChain, from: Hex, to: Hex, id: bigint): TestTransaction => ({
  from,
  to: chain.contracts.apes,
  data: encodeData(apesAbi.transferFrom, [from, to, id]),
});

/** Mints an ERC-721 whose deployer sets any URI. */
export const mintWithUri = (from: Hex, contract: Hex, to: Hex, id: bigint, uri: string): TestTransaction => ({
  from,
  to: contract,
  data: encodeData(artAbi.mint, [to, id, uri]),
  gas: 3_000_000,
});

/** Undoes what `work` did to the chain. */
export async function withSnapshot<T>({ anvil }: OnNode, work: () => Promise<T>): Promise<T> {
  const snapshot = await anvil.rpc('evm_snapshot');
  try {
    return await work();
  } finally {
    await anvil.rpc('evm_revert', [snapshot]);
  }
}
