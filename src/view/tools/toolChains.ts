// The chains that a language model names in the input of a tool.
import { parseWrittenChain } from '../../api/chainNames.ts';
import { HexLensError } from '../../base/errors.ts';

export const isChainNamed = (chain: unknown): boolean => chain !== undefined && chain !== null && chain !== '';

/** The canonical selector of a named chain; `null` for what is no chain. */
export const parseToolChain = (chain: unknown): string | null =>
  typeof chain === 'string' || typeof chain === 'number' ? parseWrittenChain(String(chain)) : null;

interface HasSelector {
  readonly selector: string;
}

/** The named chain, which may have no node; when none is named all that `isDefault`, or the first. */
export function selectToolChains<C extends HasSelector>(
  chains: readonly C[],
  chain: unknown,
  isDefault: (chain: C) => boolean,
): readonly C[] {
  if (isChainNamed(chain)) {
    const named = parseToolChain(chain);
    return chains.filter(({ selector }) => selector === named);
  }
  const defaults = chains.filter(isDefault);
  return defaults.length > 0 ? defaults : chains.slice(0, 1);
}

export const createUnknownChainError = (chain: unknown, chains: readonly HasSelector[]): HexLensError =>
  new HexLensError('no-node', `No node is configured for the chain ${JSON.stringify(chain).slice(0, 60)}.`, {
    fix: `Write one of the configured chains as "chain": ${chains.map(({ selector }) => selector).join(', ') || 'none'}.`,
  });
