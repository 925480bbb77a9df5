// The parts of a hover: what the literal shows by itself, and what each chain or Aptos network adds.
import { type CancellationToken, commands, Hover, Position, type TextDocument, workspace } from 'vscode';
import { checksumAddress } from '../../base/checksumAddress.ts';
import { systemClock } from '../../base/clock.ts';
import type { Hex } from '../../base/hex.ts';
import { memoizeLast } from '../../base/memoizeLast.ts';
import { addWorkspaceSignatures, isWorkspaceSelector } from '../../detect/addWorkspaceSignatures.ts';
import type { TextSource } from '../../detect/literalContext.ts';
import { contextKeys } from '../../manifest/identifiers.ts';
import { createHoverRequests } from '../../view/hover/hoverRequests.ts';
import { createLastHovers } from '../../view/hover/lastHovers.ts';
import { loadAbisInTime } from '../abi/loadAbisInTime.ts';
import { type DocumentLiteral, detectLiteral } from '../editor/detectLiteral.ts';
import { unlessCancelled, withAbortSignal } from '../editor/toAbortSignal.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { ChainResets } from '../worker/chainResets.ts';
import type { ConfiguredAptosNetwork, ConfiguredChain } from '../worker/configuredChains.ts';
import { type AptosHoverPart, AptosHovers } from './aptosHovers.ts';
import { ChainHovers } from './chainHovers.ts';
import { toHoverMarkdown } from './hoverMarkdown.ts';
import { LocalHovers } from './localHovers.ts';
import type { LookupPermissions } from './lookupPermissions.ts';
import { MissingHovers } from './missingHovers.ts';
import { createMoveNamedAddressReader } from './moveNamedAddresses.ts';
import { StackHovers } from './stackHovers.ts';

export interface HoversDeps
  extends Pick<FeatureDeps, 'settings' | 'worker' | 'book' | 'log' | 'abis' | 'workspaceState' | 'records'> {
  readonly permissions: LookupPermissions;
  /** The chains that hovers ask. */
  getChains(): readonly ConfiguredChain[];
}

/** Where VS Code asks for a hover. */
type HoverPlace = readonly [document: TextDocument, position: Position, token: CancellationToken];

/** What may be a selector. */
const FOUR_BYTES = /\b0x[0-9a-fA-F]{8}\b/;

/** Time for the artifacts of a workspace to be read, which tell what a selector is. */
const MAX_ABIS_MS = 1_000;

/** The same text may mean something else in another document. */
const toPlaceKey = (document: TextDocument, { range }: DocumentLiteral): string =>
  `${document.uri.toString()} ${document.version} ${document.offsetAt(range.start)}`;

/** What it is without the workspace's ABIs, which change in place. `_version` is that of the text, and how it is read. */
const detectAt = (
  document: TextDocument,
  _version: string,
  line: number,
  character: number,
  moveAddresses: TextSource['moveAddresses'],
): DocumentLiteral | null => detectLiteral(document, new Position(line, character), { moveAddresses });

export class Hovers {
  readonly #deps: HoversDeps;
  /** Requests that run: several parts of a hover share one. */
  readonly #requests = createHoverRequests(systemClock);
  /** Addresses that the manifest of a Move package names. */
  readonly #moveNamedAddresses = createMoveNamedAddressReader();
  readonly #local: LocalHovers;
  readonly #chains: ChainHovers;
  readonly #stacks: StackHovers;
  readonly #missing: MissingHovers;
  readonly #aptos: AptosHovers;
  /** VS Code asks all providers for the same place at once. */
  readonly #detectAt = memoizeLast(detectAt);
  /** Whether the context key of the walkthrough is set. */
  #hasShownHover = false;

  constructor(deps: HoversDeps) {
    this.#deps = deps;
    const { settings, worker, workspaceState, permissions, getChains } = deps;
    const lastHovers = createLastHovers(systemClock);
    worker.onDidChangeConnections(lastHovers.clear);
    const isWorkspaceTrusted = () => workspace.isTrusted;
    const parts = { ...deps, lastHovers, requests: this.#requests, isWorkspaceTrusted };
    this.#missing = new MissingHovers({
      worker,
      resets: new ChainResets(workspaceState, worker),
      isAllowed: permissions.isAllowed,
      isOnClickOnly: () => settings.current().privacy.lookUp === 'onClick',
      getChains,
    });
    this.#local = new LocalHovers({ ...deps, missing: this.#missing });
    this.#chains = new ChainHovers(parts);
    this.#stacks = new StackHovers(deps);
    this.#aptos = new AptosHovers(parts);
  }

  async provideLocal(document: TextDocument, position: Position): Promise<Hover | null> {
    const found = await this.#detect(document, position, true);
    const text = found === null ? null : await this.#local.render(found, document, position);
    if (found === null || text === null) return null;
    if (!this.#hasShownHover) {
      this.#hasShownHover = true;
      void commands.executeCommand('setContext', contextKeys.hovered, true);
    }
    return new Hover(toHoverMarkdown(text), found.range);
  }

  provideForChain(chain: ConfiguredChain, ...at: HoverPlace): Promise<Hover | null> {
    return this.#provide(at, (found, signal) => this.#chains.render(chain, found, toPlaceKey(at[0], found), signal));
  }

  /** Says that the node of a chain has not responded for a while; `null` when it responds before. */
  provideSlow(chain: ConfiguredChain, ...at: HoverPlace): Promise<Hover | null> {
    return this.#provide(at, (found, signal) =>
      this.#chains.renderSlow(chain, found, toPlaceKey(at[0], found), signal),
    );
  }

  /** The lines of Solidity where a transaction failed, on a chain of this machine. */
  provideStack(chain: ConfiguredChain, ...at: HoverPlace): Promise<Hover | null> {
    // The part of the chain says what is wrong.
    return this.#provide(at, (found, signal) => this.#stacks.render(chain, found, signal).catch(() => null));
  }

  /** Says that none of the chains that were asked has a hash. */
  provideNotFound(...at: HoverPlace): Promise<Hover | null> {
    // The parts of the chains say what is wrong.
    return this.#provide(at, (found, signal) => this.#missing.describeHash(found, signal).catch(() => null));
  }

  provideForAptos(network: ConfiguredAptosNetwork, part: AptosHoverPart, ...at: HoverPlace): Promise<Hover | null> {
    return this.#provide(at, (found, signal) => this.#aptos.render(network, part, found, signal));
  }

  /** Links that query Aptos, below the answers of the chains. */
  async provideAptosLinks(document: TextDocument, position: Position): Promise<Hover | null> {
    const found = this.#deps.settings.current().hover.parts.actions ? await this.#detect(document, position) : null;
    const links = found === null ? '' : await this.#aptos.createLookUpLinks(found);
    return found === null || links === '' ? null : new Hover(toHoverMarkdown(links), found.range);
  }

  /** Cancels a request by the key in a hover's link, and hides the hover; where it has ended, the hover has its answer. */
  async cancel(key: string): Promise<void> {
    if (this.#requests.cancel(key)) await commands.executeCommand('editor.action.hideHover');
  }

  /** The address at a position in EIP-55 form. */
  getChecksummedAddress(document: TextDocument, position: Position): Hex | null {
    const literal = detectLiteral(document, position)?.literal;
    return literal?.kind === 'address' || literal?.kind === 'paddedAddress' ? checksumAddress(literal.address) : null;
  }

  /** The text of a part about the literal at a place, until VS Code cancels it. */
  async #provide(
    [document, position, token]: HoverPlace,
    render: (found: DocumentLiteral, signal: AbortSignal) => Promise<string | null>,
  ): Promise<Hover | null> {
    const found = await this.#detect(document, position);
    if (found === null) return null;
    const text = await withAbortSignal(token, signal => unlessCancelled(render(found, signal), null));
    return text === null ? null : new Hover(toHoverMarkdown(text), found.range);
  }

  /** `isLocalPart`: no node waits for what is found. */
  async #detect(document: TextDocument, position: Position, isLocalPart = false): Promise<DocumentLiteral | null> {
    const { settings, abis } = this.#deps;
    if (!settings.current().hover.enabled) return null;
    const isMove = document.languageId === 'move' || document.uri.path.endsWith('.move');
    const moveAddresses = isMove ? ((await this.#moveNamedAddresses.read(document)) ?? undefined) : undefined;
    const isFourBytes = document.getWordRangeAtPosition(position, FOUR_BYTES) !== undefined;
    // Only the workspace tells what most selectors are.
    const registry = isFourBytes ? await loadAbisInTime(abis, systemClock, MAX_ABIS_MS) : abis.current();
    const found = isFourBytes
      ? detectLiteral(document, position, {
          moveAddresses,
          isKnownSelector: selector => registry !== null && isWorkspaceSelector(selector, registry),
        })
      : this.#detectAt(
          document,
          `${document.version} ${document.languageId}`,
          position.line,
          position.character,
          moveAddresses,
        );
    const literal = found && addWorkspaceSignatures(found.literal, registry);
    return literal && this.#deps.records.add({ ...found, literal }, isLocalPart);
  }
}
