// Contracts that deployment tools write down: Foundry's broadcasts, Hardhat Ignition, hardhat-deploy.
import { isAddress } from '../base/hex.ts';
import { t } from '../base/localize.ts';
import { getChainsForId, type ImportResult, importRecords, isJsonObject, parseJson } from './importResult.ts';

const nothing = (where: string, message: string): ImportResult => ({
  entries: [],
  rejected: [{ location: where, message }],
});

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

const succeeded = (receipt: unknown): boolean => isJsonObject(receipt) && receipt['status'] !== '0x0';

/** Contracts of one run: those of its own transactions, and those that were created by them. */
function ofRun(run: Readonly<Record<string, unknown>>, script: string, where: string) {
  const transactions: readonly unknown[] = Array.isArray(run['transactions']) ? run['transactions'] : [];
  const receipts: readonly unknown[] = Array.isArray(run['receipts']) ? run['receipts'] : [];
  const failed = new Set(
    receipts
      .filter(isJsonObject)
      .filter(receipt => !succeeded(receipt))
      .map(receipt => asText(receipt['transactionHash'])),
  );
  const chains = getChainsForId(run['chain']);
  const records: { where: string; record: unknown }[] = [];
  const add = (address: unknown, name: unknown, fallback: string) => {
    // Addresses in a run of old versions may be null where nothing was created.
    if (typeof address !== 'string') return;
    const record = { address, name: asText(name) || fallback, kind: 'contract', chains, tags: ['foundry'] };
    records.push({ where, record: { ...record, notes: script === '' ? '' : t('Deployed by {0}', script) } });
  };
  for (const transaction of transactions.filter(isJsonObject)) {
    if (failed.has(asText(transaction['hash']))) continue;
    const name = transaction['contractName'];
    if (/^CREATE2?$/.test(asText(transaction['transactionType'])))
      add(transaction['contractAddress'], name, t('Unnamed contract'));
    const more: readonly unknown[] = Array.isArray(transaction['additionalContracts'])
      ? transaction['additionalContracts']
      : [];
    for (const created of more.filter(isJsonObject))
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

/**
 * `broadcast/<script>/<chain id>/run-latest.json`, or `broadcast/multi/<script>-latest/run.json` of several chains. Failed
 * creations and contracts without an address are left out.
 */
export function importFoundry(content: string, path: string): ImportResult {
  const run = parseJson(content);
  if (!isJsonObject(run)) return nothing(path, t('This is no run of forge script.'));
  const script = /([^/]+\.s\.sol)(?:\/|-)/.exec(path)?.[1] ?? '';
  const runs: readonly unknown[] = Array.isArray(run['deployments']) ? run['deployments'] : [run];
  return importRecords(runs.filter(isJsonObject).flatMap(one => ofRun(one, script, path)));
}

interface Future {
  readonly contractName: string;
  /** Given an address (`m.contractAt`) rather than deployed. */
  readonly attached: boolean;
}

/** Ignition's journal: one JSON object per line, of which the chain id and the contracts' names matter here. */
function readJournal(journal: string): { readonly chainId: unknown; readonly futures: ReadonlyMap<string, Future> } {
  const futures = new Map<string, Future>();
  let chainId: unknown;
  for (const line of journal.split('\n')) {
    const entry = line.trim() === '' ? null : parseJson(line);
    if (!isJsonObject(entry)) continue; // the last line may be cut: Ignition was stopped while it wrote
    if (entry['type'] === 'DEPLOYMENT_INITIALIZE') chainId = entry['chainId'];
    const [id, contractName] = [asText(entry['futureId']), asText(entry['contractName'])];
    const attached = entry['type'] === 'CONTRACT_AT_EXECUTION_STATE_INITIALIZE';
    if (id !== '' && contractName !== '') futures.set(id, { contractName, attached });
  }
  return { chainId, futures };
}

const nameOfFuture = (id: string): string => id.split('#').at(-1) || id;

/** Futures by their address: a proxy has one of its own, and one for the contract behind it. */
function byAddress(addresses: Readonly<Record<string, unknown>>): readonly (readonly [unknown, readonly string[]])[] {
  const found = new Map<unknown, [unknown, string[]]>();
  for (const [future, address] of Object.entries(addresses)) {
    const key = typeof address === 'string' ? address.toLowerCase() : address;
    const same = found.get(key);
    if (same === undefined) found.set(key, [address, [future]]);
    else same[1].push(future);
  }
  return [...found.values()];
}

/** `ignition/deployments/<id>/deployed_addresses.json` and, where there is one, `journal.jsonl` beside it. */
export function importIgnition(content: string, path: string, journal = ''): ImportResult {
  const addresses = parseJson(content);
  if (!isJsonObject(addresses)) return nothing(path, t('This is no list of addresses of Hardhat Ignition.'));
  const { chainId, futures } = readJournal(journal);
  const chains = getChainsForId(chainId ?? /\/chain-(\d+)\//.exec(path)?.[1]);
  const noteOf = (id: string) => {
    const { contractName = '', attached = false } = futures.get(id) ?? {};
    const what = contractName === '' || contractName === nameOfFuture(id) ? '' : `${contractName}. `;
    return `${what}${attached ? t('Used as {0}', id) : t('Deployed by {0}', id)}`;
  };
  return importRecords(
    byAddress(addresses).map(([address, ids]) => ({
      where: `${path}: ${ids.join(', ')}`,
      record: {
        address,
        // The last one says what is behind a proxy.
        name: nameOfFuture(ids.at(-1) ?? ''),
        kind: 'contract',
        chains,
        tags: ['ignition'],
        notes: ids.map(noteOf).join('\n'),
      },
    })),
  );
}

/** The text of a file beside the one that is read, by its name; `null` when there is none. */
export type ReadSibling = (name: string) => Promise<string | null>;

/** hardhat-deploy 1 writes the chain's id as text, 2 (rocketh) writes it as JSON. */
async function chainBeside(beside: ReadSibling): Promise<readonly string[]> {
  const chain = parseJson((await beside('.chain')) ?? '');
  return getChainsForId(isJsonObject(chain) ? chain['chainId'] : await beside('.chainId'));
}

/**
 * `deployments/<network>/<name>.json` of hardhat-deploy. A proxy is written twice, as `Box_Proxy` with its own ABI and as
 * `Box` with the one behind it: both are `Box`.
 */
export async function importHardhatDeploy(content: string, path: string, beside: ReadSibling): Promise<ImportResult> {
  const deployment = parseJson(content);
  if (!isJsonObject(deployment) || deployment['address'] === undefined)
    return nothing(path, t('This is no deployment of hardhat-deploy.'));
  const [network = '', file = ''] = path.split('/').slice(-2);
  const own = file.replace(/\.json$/i, '');
  const behind = /^(.+)_Proxy$/.exec(own)?.[1];
  const whole = behind === undefined ? deployment : parseJson((await beside(`${behind}.json`)) ?? '');
  const same = isJsonObject(whole) && whole['address'] === deployment['address'];
  const implementation = same ? asText(whole['implementation']) : '';
  const record = {
    address: deployment['address'],
    name: same ? (behind ?? own) : own,
    kind: 'contract',
    chains: await chainBeside(beside),
    tags: ['hardhat-deploy'],
    notes: [
      t('Deployed on {0}', network),
      ...(isAddress(implementation) ? [t('Proxy of {0}', implementation)] : []),
    ].join('\n'),
  };
  return importRecords([{ where: path, record }]);
}
