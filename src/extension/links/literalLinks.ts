// Links on addresses and transaction hashes of documents and terminals.
import { type DocumentLink, Range, type TextDocument, Uri } from 'vscode';
import { getChainById, getChainByName } from '../../api/chains.ts';
import { classifyAptosLiteral } from '../../detect/aptos/classifyAptos.ts';
import { classifyLiteral } from '../../detect/classifyLiteral.ts';
import type { HexLiteral } from '../../detect/hexLiteral.ts';
import { scanLiterals } from '../../detect/scanLiterals.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { InspectorTarget } from '../../protocol/inspectorTarget.ts';
import { getExplorerUrl } from '../../view/hover/hoverLinks.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

export interface LinkableLiteral {
  readonly start: number;
  readonly end: number;
  readonly kind: 'address' | 'tx';
  readonly value: string;
  readonly chainId: number | null;
}

/** Longer documents get no links. */
const MAX_TEXT_LENGTH = 2_000_000;
const MAX_LINKS = 5_000;

function toLinkableLiteral(literal: HexLiteral | null): LinkableLiteral | null {
  if (literal === null) return null;
  const { start, end } = literal;
  if (literal.kind === 'address' && literal.canLookUp)
    return { start, end, kind: 'address', value: literal.address, chainId: literal.chainId };
  // 32 bytes may be a private key unless the text shows that they are a transaction hash: no link for them.
  if (literal.kind === 'hash32' && literal.secretWord === null && literal.lookupOrder.includes('transaction'))
    return { start, end, kind: 'tx', value: literal.hash, chainId: literal.chainId };
  return null;
}

/** Addresses and transaction hashes of a text, in order. */
export function findLinkableLiterals(text: string, fileName: string, languageId: string): readonly LinkableLiteral[] {
  const linkable: LinkableLiteral[] = [];
  const source = { fileName, languageId };
  for (const scanned of scanLiterals(text, { only: 'literals' })) {
    if (linkable.length >= MAX_LINKS) break;
    // Literals of Aptos have no page in explorers of EVM chains.
    const isAptos =
      scanned.shape === 'bytes32' && classifyAptosLiteral(text, scanned.start, scanned.end, source) !== null;
    const literal = isAptos ? null : toLinkableLiteral(classifyLiteral(text, scanned, source));
    if (literal !== null) linkable.push(literal);
  }
  return linkable;
}

/** The page of a block explorer, or the inspector when no chain has an explorer. */
export function getLinkTarget({ kind, value, chainId }: LinkableLiteral, worker: WorkerClient): Uri | null {
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
  const fileName = document.uri.path.split('/').at(-1) ?? '';
  return findLinkableLiterals(text, fileName, document.languageId).flatMap(literal => {
    const target = getLinkTarget(literal, worker);
    if (target === null) return [];
    const range = new Range(document.positionAt(literal.start), document.positionAt(literal.end));
    return [{ range, target }];
  });
}
