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

export type Fields = Readonly<Record<string, unknown>>;

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

export const asFields = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);

const isSuccessful = (receipt: unknown): boolean => isObject(receipt) && receipt['status'] !== '0x0';

/** Contracts whose first constructor argument is where they pass calls on: an implementation, or a beacon that has one. */
const PROXY_NAME =
  /^(?:ERC1967Proxy|TransparentUpgradeableProxy|AdminUpgradeabilityProxy|BeaconProxy|UpgradeableBeacon)$/;

/** Names of the contracts of a run; a proxy has that of its implementation: `Vault (proxy)`. */
function createNames(transactions: readonly Fields[]): (address: unknown, name: string) => string {
  const creations = new Map(
    transactions.map(transaction => {
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

/** A run of `forge script` on one chain. */
export interface FoundryRun {
  readonly chain: unknown;
  readonly transactions: readonly Fields[];
  readonly receipts: readonly Fields[];
  readonly libraries: readonly unknown[];
  /** Hashes of the transactions that failed. */
  readonly failed: ReadonlySet<string>;
  /** A proxy has the name of its implementation: `Vault (proxy)`. */
  getName(address: unknown, name: string): string;
}

function parseFoundryRun(run: Fields): FoundryRun {
  const transactions = asFields(run['transactions']);
  const receipts = asFields(run['receipts']);
  const failed = receipts.filter(receipt => !isSuccessful(receipt)).map(receipt => asText(receipt['transactionHash']));
  return {
    chain: run['chain'],
    transactions,
    receipts,
    libraries: Array.isArray(run['libraries']) ? run['libraries'] : [],
    failed: new Set(failed),
    getName: createNames(transactions),
  };
}

/** The runs of a file: one, or one for each of several chains; `null` for no file of forge. */
export function parseFoundryRuns(content: string): readonly FoundryRun[] | null {
  const run = parseJson(content);
  if (!isObject(run)) return null;
  return (Array.isArray(run['deployments']) ? asFields(run['deployments']) : [run]).map(parseFoundryRun);
}

/** Contracts of one run: those that its transactions deploy, and those that these contracts create. */
function readFoundryRun(run: FoundryRun, script: string, location: string) {
  const chains = getChainsForId(run.chain);
  const records: { location: string; record: unknown }[] = [];
  const add = (address: unknown, name: unknown, fallback: string) => {
    // Addresses in a run of old versions may be null where nothing was created.
    if (typeof address !== 'string') return;
    const record = {
      address,
      name: run.getName(address, asText(name)) || fallback,
      kind: 'contract',
      chains,
      tags: ['foundry'],
    };
    records.push({ location, record: { ...record, notes: script === '' ? '' : t('Deployed by {0}', script) } });
  };
  for (const transaction of run.transactions) {
    if (run.failed.has(asText(transaction['hash']))) continue;
    const name = transaction['contractName'];
    if (/^CREATE2?$/.test(asText(transaction['transactionType'])))
      add(transaction['contractAddress'], name, t('Unnamed contract'));
    for (const created of asFields(transaction['additionalContracts']))
      add(created['address'], created['contractName'], t('Created by {0}', asText(name) || t('an unnamed contract')));
  }
  for (const library of run.libraries) {
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
  const runs = parseFoundryRuns(content);
  if (runs === null) return rejectFile(path, t('This is not a run of forge script.'));
  const script = /(?<![^/])([^/]+\.s\.sol)(?:\/|-)/.exec(path)?.[1] ?? '';
  return importRecords(runs.flatMap(run => readFoundryRun(run, script, path)));
}

interface Future {
  readonly contractName: string;
  /** Attached by address (`m.contractAt`) instead of deployed. */
  readonly attached: boolean;
  /** The function that it calls; empty where it calls none. */
  readonly functionName: string;
}

interface Journal {
  readonly chainId: unknown;
  readonly futures: ReadonlyMap<string, Future>;
  /** The messages of transactions that were sent and confirmed. */
  readonly transactions: readonly Fields[];
}

/** Ignition's journal: one JSON object per line. */
export function readJournal(journal: string): Journal {
  const futures = new Map<string, Future>();
  const transactions: Fields[] = [];
  let chainId: unknown;
  for (const line of journal.split('\n')) {
    const entry = line.trim() === '' ? null : parseJson(line);
    if (!isObject(entry)) continue; // the last line may be incomplete if Ignition was stopped
    const { type } = entry;
    if (type === 'DEPLOYMENT_INITIALIZE') chainId = entry['chainId'];
    if (type === 'TRANSACTION_SEND' || type === 'TRANSACTION_CONFIRM') transactions.push(entry);
    const [id, functionName] = [asText(entry['futureId']), asText(entry['functionName'])];
    // A call names the future of its contract.
    const own = asText(entry['contractName']);
    const contractName = own === '' ? (futures.get(asText(entry['artifactId']))?.contractName ?? '') : own;
    const attached = type === 'CONTRACT_AT_EXECUTION_STATE_INITIALIZE';
    if (id !== '' && (own !== '' || functionName !== '')) futures.set(id, { contractName, attached, functionName });
  }
  return { chainId, futures, transactions };
}

export const getFutureName = (id: string): string => id.split('#').at(-1) || id;

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
export async function readChainId(readSibling: ReadSibling): Promise<unknown> {
  const chain = parseJson((await readSibling('.chain')) ?? '');
  return isObject(chain) ? chain['chainId'] : await readSibling('.chainId');
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
    chains: getChainsForId(await readChainId(readSibling)),
    tags: ['hardhat-deploy'],
    notes: [
      t('Deployed on {0}', network),
      ...(isAddress(implementation) ? [t('Proxy of {0}', implementation)] : []),
    ].join('\n'),
  };
  return importRecords([{ location: path, record }]);
}
