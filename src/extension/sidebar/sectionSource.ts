// What the sections of the Addresses view show: facts of a contract, which decide about its sections, and pages of rows.

import type { Chain } from '../../api/chains.ts';
import type { TokenUnit } from '../../api/lookups.ts';
import { parseInputTexts } from '../../api/wire/inputTexts.ts';
import { getReplyNotes } from '../../api/wire/replyNotes.ts';
import { encodeRequest } from '../../api/wire/request.ts';
import { getFaultCode } from '../../base/errors.ts';
import { type Hex, isAddress, isHash } from '../../base/hex.ts';
import { raceAbort } from '../../base/raceAbort.ts';
import { decodeOutput } from '../../client/client.ts';
import type { AbiRegistry } from '../../decode/abiRegistry.ts';
import { bundledAbis } from '../../decode/bundledAbis.ts';
import { toAmountUnit } from '../../protocol/amountUnits.ts';
import { getRecords, type SectionPage, toSectionPage } from '../../view/tree/sectionRows.ts';
import type { RowContext, TreeSection } from '../../view/tree/treeRow.ts';
import type { AbiProvider } from '../abi/abiProvider.ts';
import { learnBuildNames } from '../abi/buildNames.ts';
import { findFailurePlace } from '../abi/findFailurePlace.ts';
import { getArtifactIds, identifyContract } from '../abi/identifyContract.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { isMinedHere } from '../worker/configuredChains.ts';
import type { EntryNode, SectionFacts } from './addressTreeNodes.ts';
import type { ChainMonitor } from './chainMonitor.ts';

export interface SectionSourceDeps extends Pick<FeatureDeps, 'book' | 'worker' | 'settings' | 'log'> {
  readonly chainMonitor: ChainMonitor;
  readonly abis: Pick<AbiProvider, 'load' | 'builds' | 'sources'>;
}

export const unknownFacts: SectionFacts = { traits: null, isLocal: false };

/** The addresses in the fields of a reply's records. */
const getAddresses = (output: unknown): readonly string[] =>
  getRecords(output).flatMap(record => Object.values((record ?? {}) as object).filter(isAddress));

/** Failed transactions of a page whose place in the source is looked for. */
const MAX_PLACES = 20;
/** For so long a page waits for them. */
const MAX_PLACES_MS = 500;

/** Where in the workspace's source transactions of a chain of this machine failed, by hash. Never rejects. */
async function findPlaces(
  chain: string,
  output: unknown,
  { worker, abis }: Pick<SectionSourceDeps, 'worker' | 'abis'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const places = new Map<string, string>();
  const configured = worker.chains().find(({ selector }) => selector === chain);
  if (configured === undefined) return places;
  const failed = getRecords(output).flatMap(record => {
    const { hash, receiptStatus, blockNumber } = (record ?? {}) as Readonly<Record<string, unknown>>;
    const isHere = isMinedHere(configured, typeof blockNumber === 'number' ? blockNumber : null);
    return receiptStatus === 0 && isHash(hash) && isHere ? [hash] : [];
  });
  if (failed.length === 0) return places;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_PLACES_MS)]);
  const find = async (hash: Hex) => {
    const place = await findFailurePlace(chain, hash, { worker, abis }, limit);
    if (place !== null) places.set(hash, place);
  };
  await raceAbort(Promise.all(failed.slice(0, MAX_PLACES).map(find)), limit).catch(() => null);
  return places;
}

export type SectionSource = ReturnType<typeof createSectionSource>;

export function createSectionSource(deps: SectionSourceDeps) {
  const { book, worker, settings, chainMonitor, abis, log } = deps;
  const networks = () => Object.keys(settings.configuration().aptos ?? {});

  const createRowContext = (
    chain: string,
    { coin, decimals }: Chain,
    ownAddress: string,
    registry: AbiRegistry,
    unit: TokenUnit | null,
    getBuildName: (address: string) => string | null,
  ): RowContext => {
    const getName = (address: string) => book.getName(address, chain) ?? getBuildName(address);
    return {
      now: Date.now(),
      chain,
      coin,
      decimals,
      ownAddress,
      getName,
      format: {
        registry,
        getName,
        getUnit: token => (unit !== null && token === ownAddress.toLowerCase() ? toAmountUnit(unit) : null),
      },
    };
  };

  /** The ABIs of the workspace, in which those of the contract decide. */
  const loadContractRegistry = async (chain: string, address: Hex, signal: AbortSignal): Promise<AbiRegistry> => {
    const registry = await abis.load();
    const contract = await identifyContract(chain, address, { worker, abis, book }, signal);
    return registry.prefer(contract === null ? new Set(registry.idsOf(chain, address)) : getArtifactIds(contract));
  };

  return {
    /** What the entry is on the chain; a node that does not respond leaves it all sections. Never rejects. */
    async fetchFacts({ entry }: EntryNode, chain: string): Promise<SectionFacts> {
      if (entry.kind !== 'contract' || chainMonitor.getStatus(chain)?.problem) return unknownFacts;
      try {
        const { isLocal } = await worker.identifyChain(chain);
        return { traits: await worker.lookup('addressSummary', { chain, address: entry.address as Hex }), isLocal };
      } catch (error) {
        log.debug(`Sections of ${chain} in the sidebar: ${getFaultCode(error)}`);
        return unknownFacts;
      }
    },
    /** The entry's own chains, else all configured chains or Aptos networks. */
    getChains({ entry }: EntryNode): readonly string[] {
      if (entry.chains.length > 0) return entry.chains;
      // Without a configured network the service uses its default network.
      if (entry.kind === 'aptos') return networks().length === 0 ? [''] : networks();
      return worker.chains().map(({ selector }) => selector);
    },
    /** The rows from `cursor` on, from the first one on for `null`. */
    async fetchPage(
      section: TreeSection,
      { entry }: EntryNode,
      chain: string,
      cursor: string | null,
      signal: AbortSignal,
    ): Promise<SectionPage> {
      const { operation, parameters } = section.request;
      const texts = cursor === null ? parameters : { ...parameters, cursor };
      const address = entry.address as Hex;
      const isLogs = section.rows === 'log';
      const loadRegistry = async () => {
        if (isLogs || (section.rows === 'transaction' && entry.kind === 'contract'))
          return loadContractRegistry(chain, address, signal);
        return section.rows === 'transaction' ? abis.load() : bundledAbis;
      };
      const fetchReply = async () => {
        const request = encodeRequest(operation, parseInputTexts(operation, texts));
        const reply = await worker.transport.send(request, { signal });
        return { output: decodeOutput(operation, reply), notes: getReplyNotes(reply) };
      };
      const [{ output, notes }, facts, registry, unit] = await Promise.all([
        fetchReply(),
        entry.kind === 'aptos' ? chainMonitor.getChain(chain) : chainMonitor.fetchChain(chain, signal),
        loadRegistry().catch(() => bundledAbis),
        // Amounts of a token that does not answer stay raw numbers.
        isLogs ? worker.lookup('tokenUnit', { chain, address }, signal).catch(() => null) : null,
      ]);
      const [getBuildName, places] = await Promise.all([
        learnBuildNames(chain, getAddresses(output), { worker, abis, book }, signal),
        section.rows === 'transaction' ? findPlaces(chain, output, { worker, abis }, signal) : new Map(),
      ]);
      const context = { ...createRowContext(chain, facts, address, registry, unit, getBuildName), places };
      return toSectionPage(section, output, context, notes);
    },
  };
}
