// Chains beyond those of the description, which are read when one of them is met.
import { lazy } from '../base/lazy.ts';
import { type Chain, getChainById, toHexChainId } from './chains.ts';

const loadLines = lazy(async (): Promise<ReadonlyMap<number, string>> => {
  const { CHAIN_DATA } = await import('./chainData.ts');
  return new Map(
    CHAIN_DATA.trim()
      .split(/[\n;]/)
      .map(line => [Number.parseInt(line, 10), line]),
  );
});

/** The chain with this id: from the description's table, else from the bundled list; `undefined` for unknown ones. */
export async function findChain(id: number): Promise<Chain | undefined> {
  const listed = getChainById(id);
  if (listed !== undefined) return listed;
  const line = (await loadLines()).get(id);
  if (line === undefined) return undefined;
  const [, title = '', coin = '', decimals = '', explorer = ''] = line.split('|');
  return {
    name: toHexChainId(id),
    id,
    title,
    coin: coin || 'ETH',
    decimals: decimals === '' ? 18 : Number(decimals),
    explorer: explorer === '' ? null : `https://${explorer}`,
  };
}
