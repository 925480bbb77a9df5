// What the cursor of the active editor stands on, for commands that take no argument.
import { window } from 'vscode';
import { getChainById } from '../../api/chains.ts';
import type { HexLiteral } from '../../detect/hexLiteral.ts';
import type { ExplorerTarget } from '../../view/hover/hoverLinks.ts';
import { getLiteralChainId } from '../../view/hover/lookupRequests.ts';
import { detectLiteral } from '../editor/detectLiteral.ts';

export function detectLiteralAtCursor(): HexLiteral | null {
  const editor = window.activeTextEditor;
  return editor === undefined ? null : (detectLiteral(editor.document, editor.selection.active)?.literal ?? null);
}

/** The page of an explorer that a subject has; on the chain that the text names, else on `fallback`. */
export function toExplorerTarget(subject: HexLiteral, fallback: number): ExplorerTarget | null {
  const named = getLiteralChainId(subject);
  const chainId = named !== null && getChainById(named)?.explorer ? named : fallback;
  if (subject.kind === 'address' || subject.kind === 'paddedAddress')
    return { chainId, kind: 'address', value: subject.address };
  if (subject.kind === 'blockNumber') return { chainId, kind: 'block', value: String(subject.number) };
  if (subject.kind !== 'hash32' || subject.secretWord !== null) return null;
  return { chainId, kind: 'tx', value: subject.hash };
}
