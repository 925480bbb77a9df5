// The hover of a chain, with the extension's own code over a backend and without an editor.
import { type Configuration, defaultConfiguration } from '../../src/api/configuration.ts';
import type { LookupId, LookupInput, LookupOutput } from '../../src/api/lookups.ts';
import type { WireReply, WireRequest } from '../../src/api/wire/request.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { type AbiRegistry, createAbiRegistry } from '../../src/decode/abiRegistry.ts';
import { addRecord, type LiteralRecord } from '../../src/detect/addRecord.ts';
import { detectLiterals } from '../../src/detect/detectLiterals.ts';
import { ChainHovers, type ChainHoversDeps } from '../../src/extension/hover/chainHovers.ts';
import { createLookupPermissions } from '../../src/extension/hover/lookupPermissions.ts';
import { ConfiguredNetworks } from '../../src/extension/worker/configuredChains.ts';
import { hoverPartNames } from '../../src/manifest/settingDefaults.ts';
import { createHoverRequests } from '../../src/view/hover/hoverRequests.ts';
import { createLastHovers } from '../../src/view/hover/lastHovers.ts';

export interface ChainHoverPorts {
  readonly nodes: Configuration['nodes'];
  lookup<Id extends LookupId>(id: Id, input: LookupInput<Id>): Promise<LookupOutput<Id>>;
  call(request: WireRequest): Promise<WireReply>;
  /** Of the workspace. */
  readonly registry?: AbiRegistry;
  /** What a deployment tool has recorded of the literal. */
  readonly record?: LiteralRecord;
}

/** What the first chain says about the first literal of a text, in a window that has not asked its node before. */
export function renderChainHover(text: string, { nodes, lookup, call, registry, record }: ChainHoverPorts) {
  const configuration = { ...defaultConfiguration, nodes };
  const networks = new ConfiguredNetworks({ configuration: () => configuration, userAptosNetworks: () => new Set() });
  const chains = () => networks.get().chains;
  const send: ChainHoverPorts['lookup'] = async (id, input) => {
    const output = await lookup(id, input);
    if (id === 'chainStatus') networks.noteStatus(output as LookupOutput<'chainStatus'>);
    return output;
  };
  const [chain] = chains();
  const [literal] = detectLiterals(text);
  if (chain === undefined || literal === undefined) throw new Error(`There is nothing to look up in ${text}.`);
  const abis = registry ?? createAbiRegistry();
  const deps = {
    settings: {
      current: () => ({
        hover: { parts: Object.fromEntries(hoverPartNames.map(name => [name, true])), contractValues: [] },
        privacy: { lookUp: 'always', ensNames: false },
        explorers: {},
      }),
    },
    worker: {
      chains,
      lookup: send,
      transport: { send: call },
      async identifyChain(selector: string) {
        if (!networks.isIdentified(selector)) await send('chainStatus', { chain: selector });
        return chains().find(one => one.selector === selector);
      },
    },
    book: { getName: () => null, findByAddress: () => [] },
    abis: {
      current: () => abis,
      load: async () => abis,
      builds: async () => ({ find: async () => null, findCreationBlock: async () => null }),
    },
    log: silentLog,
    permissions: createLookupPermissions(),
    lastHovers: createLastHovers(systemClock),
    requests: createHoverRequests(systemClock),
    isWorkspaceTrusted: () => true,
  } as unknown as ChainHoversDeps;
  const found = {
    literal: record === undefined ? literal : addRecord(literal, record),
    fileName: 'notes.ts',
    isLinkText: false,
  } as Parameters<ChainHovers['render']>[1];
  return new ChainHovers(deps).render(chain, found, 'notes.ts 0', new AbortController().signal);
}
