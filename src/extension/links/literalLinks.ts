// Links on addresses and hashes of documents and terminals. Loaded with the first text that may hold one.
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

/** A literal that something can be shown of. */
export interface LinkableLiteral {
  readonly start: number;
  readonly end: number;
  readonly kind: 'address' | 'tx';
  readonly value: string;
  readonly chainId: number | null;
}

/** Documents beyond this get no links: nobody follows them there. */
const MOST_CHARACTERS = 2_000_000;
const MOST_LINKS = 5_000;

function linkedOf(subject: HexLiteral | null): LinkableLiteral | null {
  if (subject === null) return null;
  const { start, end } = subject;
  if (subject.kind === 'address' && subject.canLookUp)
    return { start, end, kind: 'address', value: subject.address, chainId: subject.chainId };
  // Without evidence of a transaction 32 bytes may be a private key: no link sends it anywhere.
  if (subject.kind === 'hash32' && subject.secretWord === null && subject.lookupOrder.includes('transaction'))
    return { start, end, kind: 'tx', value: subject.hash, chainId: subject.chainId };
  return null;
}

/** Addresses and transaction hashes of a text, by position. */
export function findLinkableLiterals(text: string, fileName: string, languageId: string): readonly LinkableLiteral[] {
  const found: LinkableLiteral[] = [];
  const source = { fileName, languageId };
  for (const place of scanLiterals(text, { only: 'literals' })) {
    if (found.length >= MOST_LINKS) break;
    // Explorers of EVM chains know nothing of Aptos.
    const ofAptos = place.shape === 'bytes32' && classifyAptosLiteral(text, place.start, place.end, source) !== null;
    const linked = ofAptos ? null : linkedOf(classifyLiteral(text, place, source));
    if (linked !== null) found.push(linked);
  }
  return found;
}

/** The page of a public explorer; on a chain without one, the inspector. */
export function getLinkTarget({ kind, value, chainId }: LinkableLiteral, backend: WorkerClient): Uri | null {
  const selectors = backend.chains().map(({ selector }) => selector);
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

export function createDocumentLinks(document: TextDocument, backend: WorkerClient): DocumentLink[] {
  const text = document.getText();
  if (text.length > MOST_CHARACTERS) return [];
  const fileName = document.uri.path.split('/').at(-1) ?? '';
  return findLinkableLiterals(text, fileName, document.languageId).flatMap(linked => {
    const target = getLinkTarget(linked, backend);
    if (target === null) return [];
    const range = new Range(document.positionAt(linked.start), document.positionAt(linked.end));
    return [{ range, target }];
  });
}
