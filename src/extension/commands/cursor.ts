// What the cursor of the active editor stands on, for commands that take no argument.
import { window } from 'vscode';
import { chainById } from '../../api/chains.ts';
import type { Subject } from '../../detect/hexLiteral.ts';
import type { ExternalTarget } from '../../view/hover/hoverLinks.ts';
import { chainIdOf } from '../../view/hover/lookupRequests.ts';
import { subjectAt } from '../editor/detectLiteral.ts';

export function subjectAtCursor(): Subject | null {
  const editor = window.activeTextEditor;
  return editor === undefined ? null : (subjectAt(editor.document, editor.selection.active)?.subject ?? null);
}

/** The page of an explorer that a subject has; on the chain that the text names, else on `fallback`. */
export function externalTargetOf(subject: Subject, fallback: number): ExternalTarget | null {
  const named = chainIdOf(subject);
  const chainId = named !== null && chainById(named)?.explorer ? named : fallback;
  if (subject.kind === 'address' || subject.kind === 'paddedAddress')
    return { chainId, kind: 'address', value: subject.address };
  if (subject.kind === 'blockNumber') return { chainId, kind: 'block', value: String(subject.number) };
  if (subject.kind !== 'hash32' || subject.secret !== null) return null;
  return { chainId, kind: 'tx', value: subject.hash };
}
