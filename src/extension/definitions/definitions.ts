// Where an address is defined: its entry in a committed address book, the source of its contract.

import {
  type CancellationToken,
  CompletionItem,
  CompletionItemKind,
  Location,
  l10n,
  MarkdownString,
  Position,
  Range,
  SymbolInformation,
  SymbolKind,
  type TextDocument,
  Uri,
  window,
} from 'vscode';
import type { SavedEntry } from '../../addressBook/entry.ts';
import { parseChainSelector } from '../../api/chains.ts';
import { toDisplayAddress } from '../../base/displayAddress.ts';
import { sanitizeText, shortenHex } from '../../base/displayText.ts';
import type { Disposable } from '../../base/disposable.ts';
import { type Hex, isAddress } from '../../base/hex.ts';
import { formatChains } from '../../view/chainTitle.ts';
import { checkDisclosure } from '../../view/checkDisclosure.ts';
import { getRunningBuild, type IdentifiedContract } from '../../view/contractBuild.ts';
import { findSource } from '../abi/findSource.ts';
import { identifyContract } from '../abi/identifyContract.ts';
import { getAddressBookUri, readAddressBookText } from '../addressBook/addressBookText.ts';
import { type DocumentLiteral, detectLiteral } from '../editor/detectLiteral.ts';
import { createReadOnlyDocuments } from '../editor/readOnlyDocuments.ts';
import { withAbortSignal } from '../editor/toAbortSignal.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showInformationMessage } from '../prompts/showMessage.ts';

export type DefinitionsDeps = Pick<FeatureDeps, 'worker' | 'settings' | 'abis' | 'book'>;

const MAX_SYMBOLS = 200;
const MAX_COMPLETIONS = 500;
/** What may be before the `@` of a name: it is no e-mail address and no part of a word. */
const NAME_BEFORE_CURSOR = /(^|[\s"'`(=,:[{])(@[\w.-]*)$/;
/** Languages in which a line may begin with a name; in others `@` begins a decorator or an annotation there. */
const TEXT_LANGUAGES = ['plaintext', 'markdown', 'yaml', 'json', 'jsonc', 'shellscript', 'csv'];

class EntrySymbol extends SymbolInformation {
  readonly entry: SavedEntry;

  constructor(entry: SavedEntry) {
    const where = entry.chains.length === 0 ? entry.folder : formatChains(entry.chains);
    // The location is found when the symbol is opened.
    super(
      sanitizeText(entry.name),
      SymbolKind.Constant,
      where,
      new Location(Uri.parse('hexlens:'), new Position(0, 0)),
    );
    this.entry = entry;
  }
}

/** In the file of its workspace folder; `null` for personal entries, which are in no file. */
async function findEntry({ storage, address, name }: SavedEntry): Promise<Location | null> {
  if (storage.kind !== 'workspace') return null;
  const uri = getAddressBookUri(Uri.parse(storage.folder));
  const { text } = await readAddressBookText(uri);
  const offsets = [...text.toLowerCase().matchAll(new RegExp(`"${address}"`, 'g'))].map(({ index }) => index);
  // An address may have an entry for each of several chains: the one whose name is near.
  const offset = offsets.find(at => text.slice(Math.max(0, at - 400), at + 400).includes(JSON.stringify(name)));
  const found = offset ?? offsets[0];
  if (found === undefined) return null;
  const linesBefore = text.slice(0, found + 1).split('\n');
  return new Location(uri, new Position(linesBefore.length - 1, linesBefore.at(-1)?.length ?? 0));
}

async function findSourceOf(contract: IdentifiedContract | null): Promise<Location | null> {
  const build = contract === null ? null : getRunningBuild(contract);
  return build === null ? null : findSource(build);
}

export class Definitions implements Disposable {
  readonly #deps: DefinitionsDeps;
  readonly #documents = createReadOnlyDocuments({ authority: 'entry', expiredText: '' });

  constructor(deps: DefinitionsDeps) {
    this.#deps = deps;
  }

  dispose(): void {
    this.#documents.dispose();
  }

  /** Unchecked arguments of the command. */
  async openSource(chain: unknown, address: unknown): Promise<void> {
    const { worker, abis, book } = this.#deps;
    const selector = typeof chain === 'string' ? parseChainSelector(chain) : null;
    const contract =
      selector === null || !isAddress(address)
        ? null
        : await identifyContract(selector, address, { worker, abis, book });
    const source = await findSourceOf(contract);
    if (source === null) {
      void showInformationMessage(l10n.t('The source of this contract is not in the workspace.'));
      return;
    }
    await window.showTextDocument(source.uri, { selection: source.range });
  }

  async provideDefinition(document: TextDocument, position: Position, token: CancellationToken): Promise<Location[]> {
    const found = detectLiteral(document, position);
    const { literal } = found ?? {};
    if (found === null || (literal?.kind !== 'address' && literal?.kind !== 'paddedAddress')) return [];
    const [entries, contracts] = await Promise.all([
      Promise.all(this.#deps.book.findByAddress(literal.address).map(findEntry)),
      // An entry is found without a node.
      withAbortSignal(token, signal => this.#identify(found, literal.address, signal).catch(() => [])),
    ]);
    const sources = await Promise.all(contracts.map(findSourceOf));
    return [...sources, ...entries].filter(location => location !== null);
  }

  /** Saved addresses whose name or address contains the query. */
  provideSymbols(query: string): SymbolInformation[] {
    const wanted = query.trim().toLowerCase();
    const matches = this.#deps.book
      .trustedEntries()
      .filter(({ name, address }) => name.toLowerCase().includes(wanted) || address.includes(wanted));
    return matches.slice(0, MAX_SYMBOLS).map(entry => new EntrySymbol(entry));
  }

  async resolveSymbol(symbol: SymbolInformation): Promise<SymbolInformation> {
    if (!(symbol instanceof EntrySymbol)) return symbol;
    const { entry } = symbol;
    const location = await findEntry(entry);
    if (location !== null) symbol.location = location;
    else {
      const text = [entry.name, toDisplayAddress(entry.address), formatChains(entry.chains), entry.notes];
      const document = await this.#documents.open(
        `${entry.name.replace(/[^\w.-]+/g, '-')}.txt`,
        `${text.filter(line => line !== '').join('\n')}\n`,
      );
      symbol.location = new Location(document.uri, new Position(1, 0));
    }
    return symbol;
  }

  /** Saved names after `@`. */
  provideNames(document: TextDocument, position: Position): CompletionItem[] {
    const line = document.lineAt(position.line).text.slice(Math.max(0, position.character - 100), position.character);
    const [, before, typed] = NAME_BEFORE_CURSOR.exec(line) ?? [];
    if (typed === undefined) return [];
    const isLineStart = line.trimStart() === typed && before !== '"' && before !== "'";
    if (isLineStart && !TEXT_LANGUAGES.includes(document.languageId)) return [];
    const range = new Range(position.translate(0, -typed.length), position);
    return this.#deps.book
      .trustedEntries()
      .slice(0, MAX_COMPLETIONS)
      .map(entry => {
        const address = toDisplayAddress(entry.address);
        const name = sanitizeText(entry.name, 60);
        const item = new CompletionItem(
          { label: `@${name}`, description: shortenHex(address) },
          CompletionItemKind.Constant,
        );
        item.range = range;
        item.filterText = `@${name.replace(/\s+/g, '-')}`;
        item.insertText = address;
        item.detail = address;
        if (entry.notes !== '') item.documentation = new MarkdownString().appendText(entry.notes);
        return item;
      });
  }

  /** Without a click: on chains that may get the literal at once. */
  async #identify(
    { literal, fileName }: DocumentLiteral,
    address: Hex,
    signal: AbortSignal,
  ): Promise<IdentifiedContract[]> {
    const { settings, worker, abis, book } = this.#deps;
    const addressesOnClick = settings.current().privacy.lookUp === 'onClick';
    const contracts = await Promise.all(
      worker.chains().map(async ({ selector }) => {
        const { isLocal } = await worker.identifyChain(selector, signal);
        const verdict = checkDisclosure(literal, { isLocal, isUserRequested: false }, { fileName, addressesOnClick });
        return verdict.decision === 'yes' ? identifyContract(selector, address, { worker, abis, book }, signal) : null;
      }),
    );
    return contracts.filter(contract => contract !== null);
  }
}
