// What the chains together do not know of a literal: that none of them has a hash, and that the chain of a link has no node.

import type { Chain } from '../../api/chains.ts';
import { findChain } from '../../api/chainTable.ts';
import { systemClock } from '../../base/clock.ts';
import { isFault } from '../../base/errors.ts';
import { t } from '../../base/localize.ts';
import { findConfiguredTitle } from '../../view/chainTitle.ts';
import { checkDisclosure } from '../../view/checkDisclosure.ts';
import { createCommandLink, hoverCommands } from '../../view/hover/hoverLinks.ts';
import { getHoverLookup, getLiteralChainId } from '../../view/hover/hoverLookups.ts';
import { REMOTE_DELAY_MS } from '../../view/hover/hoverRequests.ts';
import { escapeMarkdown } from '../../view/hover/markdown.ts';
import { createLookUpLink } from '../../view/hover/requestLines.ts';
import { formatNotFound, type UnknownHash } from '../../view/hover/summaryHover.ts';
import type { DocumentLiteral } from '../editor/detectLiteral.ts';
import type { ChainResets } from '../worker/chainResets.ts';
import type { ConfiguredChain } from '../worker/configuredChains.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

export interface MissingHoversDeps {
  readonly worker: WorkerClient;
  readonly resets: ChainResets;
  isAllowed(chain: string, text: string): boolean;
  /** Whether addresses are sent to remote nodes only after a click. */
  isOnClickOnly(): boolean;
  /** The chains that hovers ask. */
  getChains(): readonly ConfiguredChain[];
}

/** Chains of this machine that a hover offers instead of the one that is missing. */
const MAX_OFFERED = 3;

export class MissingHovers {
  readonly #deps: MissingHoversDeps;

  constructor(deps: MissingHoversDeps) {
    this.#deps = deps;
  }

  /** The chains that were asked for a hash, when none of them has it; `null` when one has, and where none may be asked. */
  async describeHash({ literal, fileName }: DocumentLiteral, signal: AbortSignal): Promise<string | null> {
    const request = getHoverLookup(literal);
    if (request?.kind !== 'hash' || getLiteralChainId(literal) !== null) return null;
    const { worker, resets, isAllowed, isOnClickOnly, getChains } = this.#deps;
    const ask = async ({ selector, isOnLoopback }: ConfiguredChain): Promise<UnknownHash | 'found' | null> => {
      const { isLocal } = await worker.identifyChain(selector, signal);
      const isUserRequested = isAllowed(selector, literal.text);
      const rules = { fileName, addressesOnClick: isOnClickOnly() };
      if (checkDisclosure(literal, { isLocal, isUserRequested }, rules).decision !== 'yes') return null;
      if (!isOnLoopback) await systemClock.sleep(REMOTE_DELAY_MS, signal);
      const found = await worker.lookup('hashSummary', { chain: selector, hash: request.hash }, signal);
      const now = Date.now();
      const resetAt = isOnLoopback ? await resets.getResetTime(selector, now, signal).catch(() => null) : null;
      return found.kind === 'nothing' ? { chain: found.chain, resetAt } : 'found';
    };
    const answers = await Promise.all(
      getChains().map(chain =>
        ask(chain).catch(error => {
          if (isFault(error, 'cancelled')) throw error;
          return null; // the chain's own part says what is wrong
        }),
      ),
    );
    const unknown = answers.filter(answer => answer !== null && answer !== 'found');
    return answers.includes('found') || unknown.length === 0 ? null : formatNotFound(unknown, Date.now());
  }

  /** That the chain of a link has no node, and where else its literal can be looked up; `null` when it has one. */
  async describeChain({ literal }: DocumentLiteral, signal: AbortSignal): Promise<string | null> {
    const id = getLiteralChainId(literal);
    const request = getHoverLookup(literal);
    if (id === null || request === null) return null;
    const { worker } = this.#deps;
    const chains = worker.chains();
    const fetchChain = async ({ selector }: ConfiguredChain): Promise<Chain | null> =>
      (await worker.lookup('chainStatus', { chain: selector }, signal).catch(() => null))?.chain ?? null;
    const found = await Promise.all(chains.map(async chain => ({ ...chain, chain: await fetchChain(chain) })));
    signal.throwIfAborted();
    if (found.some(({ chain }) => chain?.id === id)) return null;
    const title = findChain(id)?.title ?? t('Chain {0}', String(id));
    const offers =
      request.kind === 'block' ? [] : found.filter(({ isOnLoopback }) => isOnLoopback).slice(0, MAX_OFFERED);
    const links = [
      createCommandLink(t('Connect a node'), hoverCommands.connectNode, [], t('Add a node to the settings')),
      ...offers.map(({ selector }) => {
        const label = t('Look up on {0}', escapeMarkdown(findConfiguredTitle(worker.chains(), selector)));
        return createLookUpLink(request, selector, literal.text, label);
      }),
    ];
    return `$(plug) ${escapeMarkdown(t('{0} is not configured', title))} · ${links.join(' · ')}`;
  }
}
