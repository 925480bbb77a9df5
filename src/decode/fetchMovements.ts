// What was moved, with the units of the tokens: for agents, the command line and pages.
import type { Chain } from '../api/chains.ts';
import type { TokenUnit } from '../api/lookups.ts';
import { formatUnits } from '../base/formatUnits.ts';
import type { Hex } from '../base/hex.ts';
import { type AssetMovement, getAssetMovements, getTransferTokens, type MovementSource } from './assetMovements.ts';

export interface MovedAsset {
  readonly account: Hex;
  readonly nameInAddressBook?: string;
  readonly asset: string;
  readonly token?: Hex;
  readonly tokenId?: bigint;
  /** In whole units where the token tells its decimals. */
  readonly change: string | bigint;
  readonly smallestUnits?: bigint;
}

/** Units are read of so many tokens. */
const MAX_TOKENS = 20;
const ETHER_DECIMALS = 18;

/** Tokens that amounts were moved of. */
const getAmountTokens = (movements: readonly AssetMovement[]): ReadonlySet<Hex> =>
  new Set(movements.flatMap(({ kind, token }) => (kind === 'token' && token !== null ? [token] : [])));

/** `fetchUnit` may reject: the token's unit is unknown then. */
export async function fetchMovements(
  source: Pick<MovementSource, 'coins' | 'logs'>,
  chain: Pick<Chain, 'decimals'> | null,
  fetchUnit: (token: Hex) => Promise<TokenUnit>,
  getName: (account: Hex) => string | undefined = () => undefined,
): Promise<readonly MovedAsset[]> {
  const fetchUnits = async (tokens: ReadonlySet<Hex>) =>
    new Map(
      await Promise.all(
        [...tokens].slice(0, MAX_TOKENS).map(async token => [token, await fetchUnit(token).catch(() => null)] as const),
      ),
    );
  const standards = await fetchUnits(getTransferTokens(source.logs));
  const movements = getAssetMovements({ ...source, getStandard: token => standards.get(token)?.standard ?? null });
  const units = await fetchUnits(getAmountTokens(movements));
  return movements.map(({ account, kind, token, tokenId, change }) => {
    const name = getName(account);
    const unit = token === null ? null : units.get(token);
    const coinDecimals = chain?.decimals ?? ETHER_DECIMALS;
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
  });
}
