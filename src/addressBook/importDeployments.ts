// Imports contracts that deployment tools record: Foundry broadcasts, Hardhat Ignition, hardhat-deploy.

import { isAddress } from '../base/hex.ts';
import { isObject } from '../base/isObject.ts';
import { t } from '../base/localize.ts';
import { importAnyJson } from './importJson.ts';
import { getChainsForId, type ImportResult, importRecords, parseJson } from './importResult.ts';

const rejectFile = (location: string, message: string): ImportResult => ({
  entries: [],
  rejected: [{ location, message }],
});

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

const isSuccessful = (receipt: unknown): boolean => isObject(receipt) && receipt['status'] !== '0x0';

/** Contracts whose first constructor argument is where they pass calls on: an implementation, or a beacon that has one. */
const PROXY_NAME =
  /^(?:ERC1967Proxy|TransparentUpgradeableProxy|AdminUpgradeabilityProxy|BeaconProxy|UpgradeableBeacon)$/;

/** Names of the contracts of a run; a proxy has that of its implementation: `Vault (proxy)`. */
function createNames(transactions: readonly unknown[]): (address: unknown, name: string) => string {
  const creations = new Map(
    transactions.filter(isObject).map(transaction => {
      const { contractAddress, contractName, arguments: args } = transaction;
      const target = Array.isArray(args) ? asText(args[0]).toLowerCase() : '';
      return [asText(contractAddress).toLowerCase(), { name: asText(contractName), target }];
    }),
  );
  return (address, name) => {
    if (!PROXY_NAME.test(name)) return name;
    let found = creations.get(asText(address).toLowerCase());
    // A proxy, its beacon, the implementation.
    for (let step = 0; step < 2 && found !== undefined && PROXY_NAME.test(found.name); step++)
      found = creations.get(found.target);
    const isNamed = found !== undefined && found.name !== '' && !PROXY_NAME.test(found.name);
    if (!isNamed || found === undefined) return name;
    return name === 'UpgradeableBeacon' ? t('{0} (beacon)', found.name) : t('{0} (proxy)', found.name);
  };
}

/** Contracts of one run: those that its transactions deploy, and those that these contracts create. */
function readFoundryRun(run: Readonly<Record<string, unknown>>, script: string, location: string) {
  const transactions: readonly unknown[] = Array.isArray(run['transactions']) ? run['transactions'] : [];
  const receipts: readonly unknown[] = Array.isArray(run['receipts']) ? run['receipts'] : [];
  const failed = new Set(
    receipts
      .filter(isObject)
      .filter(receipt => !isSuccessful(receipt))
      .map(receipt => asText(receipt['transactionHash'])),
  );
  const chains = getChainsForId(run['chain']);
  const records: { location: string; record: unknown }[] = [];
  const getName = createNames(transactions);
  const add = (address: unknown, name: unknown, fallback: string) => {
    // Addresses in a run of old versions may be null where nothing was created.
    if (typeof address !== 'string') return;
    const record = {
      address,
      name: getName(address, asText(name)) || fallback,
      kind: 'contract',
      chains,
      tags: ['foundry'],
    };
    records.push({ location, record: { ...record, notes: script === '' ? '' : t('Deployed by {0}', script) } });
  };
  for (const transaction of transactions.filter(isObject)) {
    if (failed.has(asText(transaction['hash']))) continue;
    const name = transaction['contractName'];
    if (/^CREATE2?$/.test(asText(transaction['transactionType'])))
      add(transaction['contractAddress'], name, t('Unnamed contract'));
    const more: readonly unknown[] = Array.isArray(transaction['additionalContracts'])
      ? transaction['additionalContracts']
      : [];
    for (const created of more.filter(isObject))
      add(created['address'], created['contractName'], t('Created by {0}', asText(name) || t('an unnamed contract')));
  }
  const libraries: readonly unknown[] = Array.isArray(run['libraries']) ? run['libraries'] : [];
  for (const library of libraries) {
    // src/Library.sol:Library:0x…
    const parts = asText(library).split(':');
    if (parts.length >= 3) add(parts.at(-1), parts.at(-2), t('Library'));
  }
  return records;
}

/** Whether it is one of a copy under any name. */
export const isFoundryRun = (value: unknown): boolean =>
  isObject(value) && Array.isArray(value['transactions']) && Array.isArray(value['receipts']) && 'chain' in value;

/**
 * `broadcast/<script>/<chain id>/run-latest.json`, or `broadcast/multi/<script>-latest/run.json` of several chains. Failed
 * creations and contracts without an address are left out.
 */
export function importFoundry(content: string, path: string): ImportResult {
  const run = parseJson(content);
  if (!isObject(run)) return rejectFile(path, t('This is not a run of forge script.'));
  const script = /(?<![^/])([^/]+\.s\.sol)(?:\/|-)/.exec(path)?.[1] ?? '';
  const runs: readonly unknown[] = Array.isArray(run['deployments']) ? run['deployments'] : [run];
  return importRecords(runs.filter(isObject).flatMap(one => readFoundryRun(one, script, path)));
}

interface Future {
  readonly contractName: string;
  /** Attached by address (`m.contractAt`) instead of deployed. */
  readonly attached: boolean;
}

/** Ignition's journal: one JSON object per line, of which the chain id and the contracts' names matter here. */
function readJournal(journal: string): { readonly chainId: unknown; readonly futures: ReadonlyMap<string, Future> } {
  const futures = new Map<string, Future>();
  let chainId: unknown;
  for (const line of journal.split('\n')) {
    const entry = line.trim() === '' ? null : parseJson(line);
    if (!isObject(entry)) continue; // the last line may be incomplete if Ignition was stopped
    if (entry['type'] === 'DEPLOYMENT_INITIALIZE') chainId = entry['chainId'];
    const [id, contractName] = [asText(entry['futureId']), asText(entry['contractName'])];
    const attached = entry['type'] === 'CONTRACT_AT_EXECUTION_STATE_INITIALIZE';
    if (id !== '' && contractName !== '') futures.set(id, { contractName, attached });
  }
  return { chainId, futures };
}

const getFutureName = (id: string): string => id.split('#').at(-1) || id;

/** Futures by address: a proxy has its own future and one for its implementation. */
function groupByAddress(
  addresses: Readonly<Record<string, unknown>>,
): readonly (readonly [unknown, readonly string[]])[] {
  const found = new Map<unknown, [unknown, string[]]>();
  for (const [future, address] of Object.entries(addresses)) {
    const key = typeof address === 'string' ? address.toLowerCase() : address;
    const known = found.get(key);
    if (known === undefined) found.set(key, [address, [future]]);
    else known[1].push(future);
  }
  return [...found.values()];
}

/** `ignition/deployments/<id>/deployed_addresses.json` and, if it exists, `journal.jsonl` beside it. */
export function importIgnition(content: string, path: string, journal = ''): ImportResult {
  const addresses = parseJson(content);
  if (!isObject(addresses)) return rejectFile(path, t('This is not a list of addresses from Hardhat Ignition.'));
  const { chainId, futures } = readJournal(journal);
  const chains = getChainsForId(chainId ?? /\/chain-(\d+)\//.exec(path)?.[1]);
  const describeFuture = (id: string) => {
    const { contractName = '', attached = false } = futures.get(id) ?? {};
    const what = contractName === '' || contractName === getFutureName(id) ? '' : `${contractName}. `;
    return `${what}${attached ? t('Used as {0}', id) : t('Deployed as {0}', id)}`;
  };
  return importRecords(
    groupByAddress(addresses).map(([address, ids]) => ({
      location: `${path}: ${ids.join(', ')}`,
      record: {
        address,
        // The last future of a proxy is its implementation.
        name: getFutureName(ids.at(-1) ?? ''),
        kind: 'contract',
        chains,
        tags: ['ignition'],
        notes: ids.map(describeFuture).join('\n'),
      },
    })),
  );
}

/** Reads a file in the same folder by its name; `null` if it does not exist. */
export type ReadSibling = (name: string) => Promise<string | null>;

/** hardhat-deploy 1 writes the chain's id as text, 2 (rocketh) writes it as JSON. */
async function readChain(readSibling: ReadSibling): Promise<readonly string[]> {
  const chain = parseJson((await readSibling('.chain')) ?? '');
  return getChainsForId(isObject(chain) ? chain['chainId'] : await readSibling('.chainId'));
}

/**
 * `deployments/<network>/<name>.json` of hardhat-deploy. A proxy is recorded twice, as `Box_Proxy` with its own ABI and as
 * `Box` with that of its implementation: both are `Box`.
 */
export async function importHardhatDeploy(
  content: string,
  path: string,
  readSibling: ReadSibling,
): Promise<ImportResult> {
  const deployment = parseJson(content);
  if (!isObject(deployment) || deployment['address'] === undefined) {
    const found = importAnyJson(deployment, path);
    return found.entries.length > 0 ? found : rejectFile(path, t('This is not a deployment of hardhat-deploy.'));
  }
  const [network = '', file = ''] = path.split('/').slice(-2);
  const own = file.replace(/\.json$/i, '');
  const proxied = /^(.+)_Proxy$/.exec(own)?.[1];
  const implementationFile =
    proxied === undefined ? deployment : parseJson((await readSibling(`${proxied}.json`)) ?? '');
  const isSameAddress = isObject(implementationFile) && implementationFile['address'] === deployment['address'];
  const implementation = isSameAddress ? asText(implementationFile['implementation']) : '';
  const record = {
    address: deployment['address'],
    name: isSameAddress ? (proxied ?? own) : own,
    kind: 'contract',
    chains: await readChain(readSibling),
    tags: ['hardhat-deploy'],
    notes: [
      t('Deployed on {0}', network),
      ...(isAddress(implementation) ? [t('Proxy of {0}', implementation)] : []),
    ].join('\n'),
  };
  return importRecords([{ location: path, record }]);
}
