// Links on addresses and hashes of documents and terminals.
import { commands, type DocumentLink, Range, type TextDocument, Uri } from 'vscode';
import { getChainById, getChainByName, getSelectorChainId } from '../../api/chains.ts';
import type { Hex } from '../../base/hex.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { InspectorTarget } from '../../protocol/inspectorTarget.ts';
import { findLinkableLiterals, type LinkableLiteral } from '../../view/findLinkableLiterals.ts';
import { type ExplorerTarget, getExplorerUrl } from '../../view/hover/hoverLinks.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

/** Longer documents get no links. */
const MAX_TEXT_LENGTH = 2_000_000;

/** A line of a terminal is classified like one of a log file. */
export const findTerminalLiterals = (line: string): readonly LinkableLiteral[] =>
  findLinkableLiterals(line, 'terminal.log', 'log');

const createCommandUri = (command: string, argument: unknown): Uri =>
  Uri.parse(`command:${command}?${encodeURIComponent(JSON.stringify([argument]))}`);

/** The configured chains that the literal can be on: all where its text names none. */
const findChains = ({ chainId }: LinkableLiteral, worker: Pick<WorkerClient, 'chains'>): readonly string[] =>
  worker
    .chains()
    .map(({ selector }) => selector)
    .filter(selector => chainId === null || getSelectorChainId(selector) === chainId);

/** The page of a block explorer, or the inspector when no chain has an explorer; the look-up box for what may be a key. */
function getLinkTarget(literal: LinkableLiteral, worker: WorkerClient): Uri | null {
  const { kind, value, chainId } = literal;
  if (kind === 'hash') return createCommandUri(commandIds.lookUp, value);
  const selectors = findChains(literal, worker);
  const explorers = [chainId === null ? null : getChainById(chainId), ...selectors.map(name => getChainByName(name))];
  const explorer = explorers.find(chain => chain?.explorer)?.explorer;
  const url = explorer ? getExplorerUrl(explorer, { chainId: chainId ?? 0, kind, value }) : null;
  if (url !== null) return Uri.parse(url, true);
  const [chain] = selectors;
  if (chain === undefined) return null;
  const target: InspectorTarget =
    kind === 'address' ? { kind, chain, address: value } : { kind: 'transaction', chain, hash: value };
  return createCommandUri(commandIds.inspect, target);
}

/** What the first of the chains has under the hash; `null` when none of those that may be asked has it. */
async function findHash(
  { kind, value }: LinkableLiteral,
  chains: readonly string[],
  worker: WorkerClient,
): Promise<InspectorTarget | null> {
  for (const selector of chains) {
    const { isLocal } = await worker.identifyChain(selector);
    if (kind === 'hash' && !isLocal) continue;
    const found = await worker.lookup('hashSummary', { chain: selector, hash: value as Hex }).catch(() => null);
    if (found?.kind === 'transaction') return { kind: 'transaction', chain: selector, hash: value };
    if (found?.kind === 'block') return { kind: 'block', chain: selector, block: value };
  }
  return null;
}

/** Opens what was clicked in a terminal: its page, that of an explorer, or the look-up box, which says what is missing. */
export async function openLiteral(literal: LinkableLiteral, worker: WorkerClient): Promise<void> {
  const { kind, value, chainId } = literal;
  const chains = findChains(literal, worker);
  const [chain] = chains;
  if (chain === undefined && chainId !== null && kind !== 'hash') {
    const page: ExplorerTarget = { chainId, kind, value };
    await commands.executeCommand(commandIds.openExternal, page);
  } else if (chain === undefined) await commands.executeCommand(commandIds.openNodeSettings);
  else {
    const target: InspectorTarget | null =
      kind === 'address' ? { kind, chain, address: value } : await findHash(literal, chains, worker);
    if (target === null) await commands.executeCommand(commandIds.lookUp, value);
    else await commands.executeCommand(commandIds.inspect, target);
  }
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
