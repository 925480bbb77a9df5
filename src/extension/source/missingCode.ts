// Information at addresses in files that have nothing on the chain that the file names: no code, balance or transaction.

import { DiagnosticSeverity, l10n, Range, type TextDocument } from 'vscode';
import { Owner } from '../../base/disposable.ts';
import { isFault } from '../../base/errors.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import type { NamedChain } from '../../detect/chainKeys.ts';
import { detectLiterals } from '../../detect/detectLiterals.ts';
import type { AddressLiteral } from '../../detect/hexLiteral.ts';
import { findNamedChain } from '../../detect/namedChain.ts';
import { findConfiguredTitle } from '../../view/chainTitle.ts';
import { checkDisclosure } from '../../view/checkDisclosure.ts';
import { createDocumentProblems, type DocumentProblem } from '../editor/documentProblems.ts';
import type { FeatureDeps } from '../featureDeps.ts';

export interface MissingCodeDeps extends Pick<FeatureDeps, 'worker' | 'settings'> {
  /** Whether the user has asked for this address on this chain. */
  isAllowed(chain: string, address: string): boolean;
}

/** Of one document. */
const MAX_ADDRESSES = 200;
const CONCURRENT_REQUESTS = 8;

interface NamedAddress {
  readonly literal: AddressLiteral;
  readonly chain: NamedChain;
}

export class MissingCode extends Owner {
  readonly #deps: MissingCodeDeps;
  readonly #problems = this.store.add(
    createDocumentProblems<DocumentProblem>({
      collectionName: 'hexlens-missing-code',
      selector: '*',
      actionKinds: [],
      createActions: () => [],
    }),
  );

  constructor(deps: MissingCodeDeps) {
    super();
    this.#deps = deps;
  }

  clear(document: TextDocument): void {
    this.#problems.clear(document.uri);
  }

  async check(document: TextDocument): Promise<void> {
    const { version } = document;
    const fileName = document.uri.path;
    const text = document.getText();
    const named = detectLiterals(text, { fileName, languageId: document.languageId })
      .filter(literal => literal.kind === 'address' && literal.canLookUp && literal.name === null)
      .flatMap((literal): readonly NamedAddress[] => {
        if (literal.kind !== 'address') return [];
        const chain = literal.chainId ?? findNamedChain(text, literal.start, fileName);
        return chain === null ? [] : [{ literal, chain }];
      })
      .slice(0, MAX_ADDRESSES);
    const found = await mapConcurrently(named, CONCURRENT_REQUESTS, each => this.#find(each, fileName));
    if (document.isClosed || document.version !== version) return;
    const problems = found.flatMap((title, index): readonly DocumentProblem[] => {
      const literal = named[index]?.literal;
      if (title === null || literal === undefined) return [];
      return [
        {
          range: new Range(document.positionAt(literal.start), document.positionAt(literal.end)),
          message: l10n.t('This address has no code, balance or transaction on {0}.', title),
          severity: DiagnosticSeverity.Information,
          code: 'missing-code',
        },
      ];
    });
    this.#problems.set(document, problems);
  }

  /** The title of the chain on which there is nothing; `null` where there is something, and where that may not be asked. */
  async #find({ literal, chain: named }: NamedAddress, fileName: string): Promise<string | null> {
    const { worker, settings } = this.#deps;
    try {
      for (const { selector, isOnLoopback } of worker.chains()) {
        const isUserRequested = this.#deps.isAllowed(selector, literal.address);
        if (!isOnLoopback && !isUserRequested) continue;
        const { chain, isLocal = false } = await worker.lookup('chainStatus', { chain: selector });
        if (named === 'local' ? !isLocal : chain?.id !== named) continue;
        const rules = { fileName, addressesOnClick: settings.current().privacy.lookUp === 'onClick' };
        const verdict = checkDisclosure(literal, { isLocal, isUserRequested }, rules);
        if ((!isLocal && !isUserRequested) || verdict.decision !== 'yes') continue;
        const summary = await worker.lookup('addressSummary', { chain: selector, address: literal.address });
        const { codeSize, balance, nonce } = summary;
        return codeSize === 0 && balance === 0n && nonce === 0 ? findConfiguredTitle(worker.chains(), selector) : null;
      }
    } catch (error) {
      if (isFault(error, 'internal')) throw error; // without an answer nothing is claimed
    }
    return null;
  }
}
