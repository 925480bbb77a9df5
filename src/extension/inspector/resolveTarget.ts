// Resolves the text of the inspector's look-up box: an address, a hash, a block number, or a deep link's JSON.
import { HexLensError } from '../../base/errors.ts';
import { isAddress, isHash } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { type InspectorTarget, parseInspectorTarget } from '../../protocol/inspectorTarget.ts';
import type { DataPorts } from './inspectorPorts.ts';

/** Rejects with `bad-input` when the text cannot be looked up, with `not-found` when the chain does not have the hash. */
export async function resolveTarget(
  typed: string,
  chain: string,
  { lookup }: Pick<DataPorts, 'lookup'>,
  signal: AbortSignal,
): Promise<InspectorTarget> {
  const text = typed.trim().replace(/^["'`]|["'`]$/g, '');
  if (isAddress(text)) return { kind: 'address', chain, address: text.toLowerCase() };
  const digits = text.replace(/[,_\s]/g, '');
  if (/^\d{1,15}$/.test(digits)) return { kind: 'block', chain, block: String(Number(digits)) };
  if (/^(latest|head)$/i.test(text)) return { kind: 'block', chain, block: 'latest' };
  if (isHash(text)) {
    // Entering the hash is the user action that is required before 32 bytes are sent to a node.
    const found = await lookup('hashSummary', { chain, hash: text }, signal);
    if (found.kind === 'transaction') return { kind: 'transaction', chain, hash: found.hash };
    if (found.kind === 'block') return { kind: 'block', chain, block: found.hash };
    throw new HexLensError('not-found', t('No transaction and no block on {0} has this hash.', chain), {
      fix: t('Check the chain in the toolbar.'),
    });
  }
  const target = text.startsWith('{') ? parseJsonTarget(text) : null;
  if (target !== null) return target;
  throw new HexLensError('bad-input', t('This cannot be looked up.'), {
    fix: t('Type an address (0x and 40 digits), a hash (0x and 64 digits), a block number or "latest".'),
  });
}

function parseJsonTarget(text: string): InspectorTarget | null {
  try {
    return parseInspectorTarget(JSON.parse(text));
  } catch {
    return null;
  }
}
