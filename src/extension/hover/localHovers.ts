// The part of a hover that shows what a literal says by itself.
import { languages, type Position, type TextDocument, workspace } from 'vscode';
import { sortByChain } from '../../addressBook/addressBookIndex.ts';
import { getNamedSelector } from '../../api/chains.ts';
import { HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { isAptosLiteral } from '../../detect/hexLiteral.ts';
import { getWellKnownName } from '../../detect/wellKnownName.ts';
import { checkDisclosure } from '../../view/checkDisclosure.ts';
import { decodeDataLiteral } from '../../view/decodedLiteral.ts';
import { getLiteralChainId } from '../../view/hover/hoverLookups.ts';
import { renderLocalHover } from '../../view/hover/localHover.ts';
import type { DocumentLiteral } from '../editor/detectLiteral.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import type { ConfiguredChain } from '../worker/configuredChains.ts';
import type { MissingHovers } from './missingHovers.ts';

export interface LocalHoversDeps extends Pick<FeatureDeps, 'settings' | 'worker' | 'book' | 'abis'> {
  readonly missing: MissingHovers;
}

/** A node that takes longer does not delay what is known without it. */
const MAX_FIND_MS = 400;

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
    const { literal } = found;
    const chain = getNamedSelector(getLiteralChainId(literal));
    const getSavedName = (address: string) => book.getName(address, chain ?? undefined);
    const getName = (address: Hex) => getSavedName(address) ?? getWellKnownName(address);
    const localText = renderLocalHover(literal, {
      parts: { ...parts, checksum: parts.checksum && !hasDiagnostic(document, position) },
      decoded: literal.kind === 'data' ? decodeDataLiteral(literal, { registry: await abis.load(), getName }) : [],
      found: await this.#findHashKind(found),
      getName: isAptosLiteral(literal) ? getSavedName : getName,
      isWorkspaceTrusted: workspace.isTrusted,
      getEntries: address => sortByChain(book.findByAddress(address), chain),
      hasAptosNetworks: worker.aptosNetworks().length > 0 && worker.aptosUse.isUsed(),
    });
    const missingChain = await missing.describeChain(found, AbortSignal.timeout(MAX_FIND_MS)).catch(() => null);
    return [localText, missingChain].filter(Boolean).join('\n\n') || null;
  }

  /** What a chain of this machine has under a hash, where the text does not say of what it is; `null` when that takes long. */
  async #findHashKind({ literal, fileName }: DocumentLiteral): Promise<'transaction' | 'block' | null> {
    if (literal.kind !== 'hash32' || (literal.hint !== null && literal.hint.kind !== 'hash')) return null;
    const { settings, worker } = this.#deps;
    const signal = AbortSignal.timeout(MAX_FIND_MS);
    const find = async ({ selector }: ConfiguredChain) => {
      const { isLocal } = await worker.identifyChain(selector, signal);
      const rules = { fileName, addressesOnClick: settings.current().privacy.lookUp === 'onClick' };
      const { decision } = checkDisclosure(literal, { isLocal, isUserRequested: false }, rules);
      if (!isLocal || decision !== 'yes')
        throw new HexLensError('egress-refused', 'Only nodes on this machine are queried.');
      const { kind } = await worker.lookup('hashSummary', { chain: selector, hash: literal.hash }, signal);
      if (kind === 'nothing') throw new HexLensError('not-found', 'This chain does not have the hash.');
      return kind;
    };
    const chains = worker.chains().filter(({ isOnLoopback }) => isOnLoopback);
    return Promise.any(chains.map(find)).catch(() => null);
  }
}
