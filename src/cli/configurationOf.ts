// The backend's configuration from the options that say where answers come from.
import { type Configuration, defaultConfiguration } from '../api/configuration.ts';
import type { CheckedGroup } from '../server/readiness.ts';
import { toAptosNetworks } from './aptosOptions.ts';
import type { OptionValues } from './options.ts';
import type { sourceOptions } from './serveOptions.ts';

export function toConfiguration(values: OptionValues<typeof sourceOptions>): Configuration {
  return {
    ...defaultConfiguration,
    nodes: values.node ?? defaultConfiguration.nodes,
    aptos: toAptosNetworks(values.aptos, values.aptosIndexer),
    siwe: { expectedDomains: values.domain ?? [], singleUse: values.repeatSignIn !== true },
    dataFolder: values.data ?? null,
    storeUrl: values.store ?? null,
    metadata: { hosts: values.metadataHost ?? [], ipfsGateway: values.ipfsGateway ?? null },
    timeoutMs: values.timeout ?? defaultConfiguration.timeoutMs,
  };
}

/** What readiness is judged by: what was named; the local chain where nothing was. */
export function getCheckedGroups({
  node,
  aptos,
  aptosIndexer,
}: OptionValues<typeof sourceOptions>): readonly CheckedGroup[] {
  const named = aptos !== undefined || aptosIndexer !== undefined;
  return [...(node !== undefined || !named ? (['evm'] as const) : []), ...(named ? (['aptos'] as const) : [])];
}
