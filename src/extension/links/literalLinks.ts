// Links on addresses and transaction hashes of documents and terminals.
import { type DocumentLink, Range, type TextDocument, Uri } from 'vscode';
import { getChainById, getChainByName } from '../../api/chains.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { InspectorTarget } from '../../protocol/inspectorTarget.ts';
import { findLinkableLiterals, type LinkableLiteral } from '../../view/findLinkableLiterals.ts';
import { getExplorerUrl } from '../../view/hover/hoverLinks.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

/** Longer documents get no links. */
const MAX_TEXT_LENGTH = 2_000_000;

/** A line of a terminal is classified like one of a log file. */
export const findTerminalLiterals = (line: string): readonly LinkableLiteral[] =>
  findLinkableLiterals(line, 'terminal.log', 'log');

/** The page of a block explorer, or the inspector when no chain has an explorer. */
function getLinkTarget({ kind, value, chainId }: LinkableLiteral, worker: WorkerClient): Uri | null {
  const selectors = worker.chains().map(({ selector }) => selector);
  const explorers = [chainId === null ? null : getChainById(chainId), ...selectors.map(name => getChainByName(name))];
  const explorer = explorers.find(chain => chain?.explorer)?.explorer;
  const url = explorer ? getExplorerUrl(explorer, { chainId: chainId ?? 0, kind, value }) : null;
  if (url !== null) return Uri.parse(url, true);
  const [chain] = selectors;
  if (chain === undefined) return null;
  const target: InspectorTarget =
    kind === 'address' ? { kind, chain, address: value } : { kind: 'transaction', chain, hash: value };
  return Uri.parse(`command:${commandIds.inspect}?${encodeURIComponent(JSON.stringify([target]))}`);
}

export function createDocumentLinks(document: TextDocument, worker: WorkerClient): DocumentLink[] {
  const text = document.getText();
  if (text.length > MAX_TEXT_LENGTH) return [];
  return findLinkableLiterals(text, document.uri.path, document.languageId).flatMap(literal => {
    const target = getLinkTarget(literal, worker);
    if (target === null) return [];
    const range = new Range(document.positionAt(literal.start), document.positionAt(literal.end));
    return [{ range, target }];
  });
}
