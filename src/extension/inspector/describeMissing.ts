// What the page of a block or transaction says that its chain does not have.
import { HexLensError, isFault } from '../../base/errors.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { t } from '../../base/localize.ts';
import { getTargetChain, type InspectorTarget } from '../../protocol/inspectorTarget.ts';
import { formatChainsNotQueried } from '../../view/chainsNotQueried.ts';
import { findConfiguredTitle } from '../../view/chainTitle.ts';
import type { ChainPorts } from './inspectorPorts.ts';

/** A fault that names the chain, and says where else to look; what a chain of this machine does not have may be from before its reset. */
export async function describeMissing(
  error: unknown,
  target: InspectorTarget,
  { chains, lookup, wasReset }: Pick<ChainPorts, 'chains' | 'lookup' | 'wasReset'>,
  signal: AbortSignal,
): Promise<unknown> {
  const chain = getTargetChain(target);
  if (chain === null || !isFault(error, 'not-found')) return error;
  const title = findConfiguredTitle(chains(), chain);
  if (await wasReset(chain, signal).catch(() => false))
    return new HexLensError('not-found', t('{0} was reset: what it had before is gone.', title), {
      fix: t('Run the script or the deployment again: what it sends now is under the latest blocks.'),
    });
  if (target.kind === 'transaction')
    return new HexLensError('not-found', t('Transaction not found on {0}', title), {
      fix: formatChainsNotQueried(chains()),
    });
  if (target.kind !== 'block') return error;
  const { head = null } = (await lookup('chainStatus', { chain }, signal).catch(() => null)) ?? {};
  const newest = head === null ? '' : `${t('Its newest block is {0}.', formatInteger(head))} `;
  return new HexLensError('not-found', t('Block not found on {0}', title), {
    fix: `${newest}${formatChainsNotQueried(chains())}`,
  });
}
