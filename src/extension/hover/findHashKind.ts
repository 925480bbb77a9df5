// What chains of this machine have under a hash.
import { HexLensError } from '../../base/errors.ts';
import { checkDisclosure } from '../../view/checkDisclosure.ts';
import type { DocumentLiteral } from '../editor/detectLiteral.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import type { ConfiguredChain } from '../worker/configuredChains.ts';

export type FindHashDeps = Pick<FeatureDeps, 'settings' | 'worker'>;

/** A node that takes longer does not delay what is known without it. */
export const MAX_FIND_MS = 400;

/** `null` where none has it, and where the literal is no hash; `late` where that takes long. */
export async function findHashKind(
  { literal, fileName }: DocumentLiteral,
  { settings, worker }: FindHashDeps,
): Promise<'transaction' | 'block' | 'late' | null> {
  if (literal.kind !== 'hash32') return null;
  const signal = AbortSignal.timeout(MAX_FIND_MS);
  const find = async ({ selector }: ConfiguredChain) => {
    const { isLocal } = await worker.identifyChain(selector, signal);
    const rules = { fileName, addressesOnClick: settings.current().privacy.lookUp === 'onClick' };
    const { decision } = checkDisclosure(literal, { isLocal, isUserRequested: false }, rules);
    if (!isLocal || decision !== 'yes')
      throw new HexLensError('egress-refused', 'Only nodes on this machine are queried.');
    const { kind } = await worker.lookup('hashSummary', { chain: selector, hash: literal.hash }, signal);
    if (kind === 'nothing') throw new HexLensError('not-found', 'This chain does not have the hash.');
    return kind;
  };
  const chains = worker.chains().filter(({ isOnLoopback }) => isOnLoopback);
  return Promise.any(chains.map(find)).catch(() => (signal.aborted ? 'late' : null));
}

/** Whether a chain of this machine is known to have the hash. */
export const isFoundKind = (kind: Awaited<ReturnType<typeof findHashKind>>): boolean =>
  kind === 'transaction' || kind === 'block';
