// Links on addresses and hashes of documents and terminals.
import { commands, type DocumentLink, env, l10n, Range, type TextDocument, Uri } from 'vscode';
import { DEVELOPMENT_CHAIN_IDS, getSelectorChainId } from '../../api/chains.ts';
import { findChain } from '../../api/chainTable.ts';
import type { Hex } from '../../base/hex.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { InspectorTarget } from '../../protocol/inspectorTarget.ts';
import { findLinkableLiterals, type LinkableLiteral } from '../../view/findLinkableLiterals.ts';
import { type ExplorableLiteral, findExplorerPage, selectConfiguredChains } from '../../view/literalLinkTarget.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showInformationMessage } from '../prompts/showMessage.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

/** Longer documents get no links. */
const MAX_TEXT_LENGTH = 2_000_000;

/** A line of a terminal is classified like one of a log file. */
export async function findTerminalLiterals(line: string, records: Records): Promise<readonly LinkableLiteral[]> {
  await records.prepare(line);
  return findLinkableLiterals(line, 'terminal.log', 'log', records.peek.bind(records));
}

const createCommandUri = (command: string, argument: unknown): Uri =>
  Uri.parse(`command:${command}?${encodeURIComponent(JSON.stringify([argument]))}`);

type Records = Pick<FeatureDeps['records'], 'prepare' | 'peek'>;
type Explorers = Readonly<Record<string, string>>;

const toInspectorTarget = ({ kind, value }: ExplorableLiteral, chain: string): InspectorTarget =>
  kind === 'address' ? { kind, chain, address: value } : { kind: 'transaction', chain, hash: value };

/**
 * The page of a block explorer, or the inspector when the chain has no explorer; the look-up box for what may be a key, and
 * for a transaction of a development chain, which only nodes tell to be theirs. `null` for a chain that has neither.
 */
function getLinkTarget(literal: LinkableLiteral, worker: WorkerClient, explorers: Explorers): Uri | null {
  const { kind, value, chainId } = literal;
  if (kind === 'hash') return createCommandUri(commandIds.lookUp, value);
  const selectors = worker.chains().map(({ selector }) => selector);
  const url = findExplorerPage({ kind, value, chainId }, selectors, explorers);
  if (url !== null) return Uri.parse(url, true);
  const [chain] = selectConfiguredChains(chainId, selectors);
  if (chain !== undefined)
    return createCommandUri(commandIds.inspect, toInspectorTarget({ kind, value, chainId }, chain));
  const isDevelopment = chainId !== null && DEVELOPMENT_CHAIN_IDS.includes(chainId);
  return kind === 'tx' && isDevelopment ? createCommandUri(commandIds.lookUp, value) : null;
}

/** The configured chains that the literal can be on: all where its text names none, else also a local node with its id, such as a fork. */
async function findChains({ chainId }: LinkableLiteral, worker: WorkerClient): Promise<readonly string[]> {
  const selectors = worker.chains().map(({ selector }) => selector);
  const named = selectConfiguredChains(chainId, selectors);
  if (named.length > 0) return named;
  const unnamed = selectors.filter(selector => getSelectorChainId(selector) === null);
  const statuses = await Promise.all(unnamed.map(chain => worker.lookup('chainStatus', { chain }).catch(() => null)));
  return unnamed.filter((_, at) => statuses[at]?.chain?.id === chainId);
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
export async function openLiteral(literal: LinkableLiteral, worker: WorkerClient, explorers: Explorers): Promise<void> {
  const { kind, value, chainId } = literal;
  const chains = await findChains(literal, worker);
  const [chain] = chains;
  if (chain !== undefined) {
    const target =
      kind === 'address' ? toInspectorTarget({ kind, value, chainId }, chain) : await findHash(literal, chains, worker);
    if (target === null) await commands.executeCommand(commandIds.lookUp, value);
    else await commands.executeCommand(commandIds.inspect, target);
    return;
  }
  // Another chain would show something else.
  const url = kind === 'hash' || chainId === null ? null : findExplorerPage({ kind, value, chainId }, [], explorers);
  if (url !== null) {
    await env.openExternal(Uri.parse(url, true));
    return;
  }
  if (chainId !== null) {
    const title = findChain(chainId)?.title ?? l10n.t('Chain {0}', chainId);
    void showInformationMessage(l10n.t('{0} is not configured', title));
  }
  await commands.executeCommand(commandIds.openNodeSettings);
}

export async function createDocumentLinks(
  document: TextDocument,
  worker: WorkerClient,
  records: Records,
  explorers: Explorers,
): Promise<DocumentLink[]> {
  const text = document.getText();
  if (text.length > MAX_TEXT_LENGTH) return [];
  await records.prepare(text);
  const literals = findLinkableLiterals(text, document.uri.path, document.languageId, records.peek.bind(records));
  return literals.flatMap(literal => {
    const target = getLinkTarget(literal, worker, explorers);
    if (target === null) return [];
    const range = new Range(document.positionAt(literal.start), document.positionAt(literal.end));
    return [{ range, target }];
  });
}
