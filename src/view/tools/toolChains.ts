// The chains that a language model names in the input of a tool.
import { parseWrittenChain } from '../../api/chainNames.ts';
import { HexLensError } from '../../base/errors.ts';
import type { ToolChain } from './lookUpText.ts';

export const isChainNamed = (chain: unknown): boolean => chain !== undefined && chain !== null && chain !== '';

/** The canonical selector of a named chain; `null` for what is no chain. */
export const parseToolChain = (chain: unknown): string | null =>
  typeof chain === 'string' || typeof chain === 'number' ? parseWrittenChain(String(chain)) : null;

/** The named chain, which may have no node; all local ones when none is named, or the first. */
export function selectToolChains<C extends ToolChain>(chains: readonly C[], chain: unknown): readonly C[] {
  if (isChainNamed(chain)) {
    const named = parseToolChain(chain);
    return chains.filter(({ selector }) => selector === named);
  }
  const local = chains.filter(({ isLocal }) => isLocal);
  return local.length > 0 ? local : chains.slice(0, 1);
}

export const createUnknownChainError = (chain: unknown, chains: readonly ToolChain[]): HexLensError =>
  new HexLensError('no-node', `No node is configured for the chain ${JSON.stringify(chain).slice(0, 60)}.`, {
    fix: `Write one of the configured chains as "chain": ${chains.map(({ selector }) => selector).join(', ') || 'none'}.`,
  });
