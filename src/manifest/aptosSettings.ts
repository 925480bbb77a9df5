// The networks of Aptos in the settings, judged: a node, an indexer, or both per network.

import { type AptosNetwork, publicAptosNetworks } from '../api/configuration.ts';
import { quote } from '../base/quote.ts';
import { defaults } from './settingDefaults.ts';
import { isObject, type ReportProblem, validateUrl } from './validateUrl.ts';

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

/** The known indexer of a public node, so that its address alone is enough. */
const indexerOf = (node: string): string | null =>
  Object.values(publicAptosNetworks).find(known => known.node === node)?.indexer ?? null;

/** Networks in lower case, in the order they were written; what can not be used is left out and told. */
export function readAptosNetworks(value: unknown, complain: ReportProblem): Readonly<Record<string, AptosNetwork>> {
  const name = 'hexlens.aptos.networks';
  if (!isObject(value)) {
    complain(
      `${name} must be an object of networks and URLs, such as { "local": "http://127.0.0.1:8080/v1" }; the default is used.`,
    );
    return readAptosNetworks(defaults[name], complain);
  }
  const networks: Record<string, AptosNetwork> = {};
  for (const [written, entry] of Object.entries(value)) {
    const network = written.trim().toLowerCase();
    const ends = isObject(entry) ? entry : { node: entry };
    const judge = (end: 'node' | 'indexer', example: string): string | null | undefined => {
      if (isEmpty(ends[end])) return null;
      const judged = validateUrl(ends[end]);
      if ('url' in judged) return judged.url.href.replace(/\/+$/, '');
      complain(
        `The ${end} of ${quote(written)} in ${name} ${judged.wrong}: write its whole address, such as ${example}.`,
      );
      return undefined;
    };
    const node = judge('node', 'http://127.0.0.1:8080/v1');
    const indexer = judge('indexer', 'http://127.0.0.1:8090/v1/graphql');
    if (node === undefined || indexer === undefined || (node === null && indexer === null)) continue; // told, or taken out
    if (!/^[a-z][a-z0-9-]{0,31}$/.test(network))
      complain(
        `${quote(written)} in ${name} is no name of a network: use mainnet, testnet, devnet, local or your own word.`,
      );
    else if (Object.hasOwn(networks, network))
      complain(`${quote(written)} in ${name} is ${network} once more: keep one of the two; the first is used.`);
    else networks[network] = { node, indexer: indexer ?? (node === null || isObject(entry) ? null : indexerOf(node)) };
  }
  return networks;
}
