// The part of a hover that shows what a literal says by itself.
import { languages, type Position, type TextDocument, workspace } from 'vscode';
import { sortByChain } from '../../addressBook/addressBookIndex.ts';
import { getNamedSelector } from '../../api/chains.ts';
import type { Hex } from '../../base/hex.ts';
import { isAptosLiteral } from '../../detect/hexLiteral.ts';
import { getWellKnownName } from '../../detect/wellKnownName.ts';
import { decodeDataLiteral } from '../../view/decodedLiteral.ts';
import { getLiteralChainId } from '../../view/hover/hoverLookups.ts';
import { renderLocalHover } from '../../view/hover/localHover.ts';
import type { DocumentLiteral } from '../editor/detectLiteral.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { findHashKind, MAX_FIND_MS } from './findHashKind.ts';
import type { MissingHovers } from './missingHovers.ts';

export interface LocalHoversDeps extends Pick<FeatureDeps, 'settings' | 'worker' | 'book' | 'abis'> {
  readonly missing: MissingHovers;
}

/** A wrong checksum that a diagnostic in the same hover already reports is not repeated. */
const hasDiagnostic = ({ uri }: TextDocument, position: Position): boolean =>
  languages.getDiagnostics(uri).some(({ source, range }) => source === 'HexLens' && range.contains(position));

export class LocalHovers {
  readonly #deps: LocalHoversDeps;

  constructor(deps: LocalHoversDeps) {
    this.#deps = deps;
  }

  /** `null` when all parts are switched off. */
  async render(found: DocumentLiteral, document: TextDocument, position: Position): Promise<string | null> {
    const { settings, worker, book, abis, missing } = this.#deps;
    const { parts } = settings.current().hover;
    const { literal, record } = found;
    const chain = getNamedSelector(getLiteralChainId(literal));
    const getSavedName = (address: string) => book.getName(address, chain ?? undefined);
    const getName = (address: Hex) => getSavedName(address) ?? getWellKnownName(address);
    const localText = renderLocalHover(literal, {
      parts: { ...parts, checksum: parts.checksum && !hasDiagnostic(document, position) },
      decoded: literal.kind === 'data' ? decodeDataLiteral(literal, { registry: await abis.load(), getName }) : [],
      recorded: record && { ...record, path: workspace.asRelativePath(record.uri), uri: record.uri.toString() },
      // Where the text says what it is, that is shown at once.
      found:
        literal.kind === 'hash32' && !record && (literal.hint === null || literal.hint.kind === 'hash')
          ? await findHashKind(found, this.#deps)
          : null,
      getName: isAptosLiteral(literal) ? getSavedName : getName,
      isWorkspaceTrusted: workspace.isTrusted,
      getEntries: address => sortByChain(book.findByAddress(address), chain),
      hasAptosNetworks: worker.aptosNetworks().length > 0 && worker.aptosUse.isUsed(),
    });
    const missingChain = await missing.describeChain(found, AbortSignal.timeout(MAX_FIND_MS)).catch(() => null);
    return [localText, missingChain].filter(Boolean).join('\n\n') || null;
  }
}
