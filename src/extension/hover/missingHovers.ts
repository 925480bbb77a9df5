// What the chains together do not know of a literal: that none of them has a hash, and that the chain of a link has no node.

import { type Chain, DEVELOPMENT_CHAIN_IDS } from '../../api/chains.ts';
import { systemClock } from '../../base/clock.ts';
import { isFault } from '../../base/errors.ts';
import { t } from '../../base/localize.ts';
import { findConfiguredTitle, getChainTitleById } from '../../view/chainTitle.ts';
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
    const chainId = getLiteralChainId(literal);
    // A link leads to a chain that has it; what tools record may be gone from a chain that was started again.
    const isRecorded = literal.kind === 'hash32' && literal.recordedAs !== undefined;
    if (request?.kind !== 'hash' || (chainId !== null && !isRecorded)) return null;
    const { worker, resets, isAllowed, isOnClickOnly, getChains } = this.#deps;
    const ask = async ({ selector, isOnLoopback }: ConfiguredChain): Promise<UnknownHash | 'found' | null> => {
      const { isLocal } = await worker.identifyChain(selector, signal);
      const isUserRequested = isAllowed(selector, literal.text);
      if (chainId !== null && !isUserRequested) {
        const { chain } = await worker.lookup('chainStatus', { chain: selector }, signal);
        if (chain?.id !== chainId) return null;
      }
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
    // Their own parts say that they do not respond: one may be this chain.
    if (DEVELOPMENT_CHAIN_IDS.includes(id) && found.some(one => one.isOnLoopback && one.chain === null)) return null;
    const title = getChainTitleById(id) ?? t('Chain {0}', String(id));
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
