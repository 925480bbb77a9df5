// Contracts that deployment tools write down: Foundry's broadcasts, Hardhat Ignition, hardhat-deploy.
import { t } from '../../base/localize.ts';
import { chainsOfId, type Imported, importRecords, isRecord, parsed } from './imported.ts';

const nothing = (where: string, message: string): Imported => ({ entries: [], refused: [{ where, message }] });

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const succeeded = (receipt: unknown): boolean => isRecord(receipt) && receipt['status'] !== '0x0';

/** Contracts of one run: those of its own transactions, and those that were created by them. */
function ofRun(run: Readonly<Record<string, unknown>>, script: string, where: string) {
  const transactions: readonly unknown[] = Array.isArray(run['transactions']) ? run['transactions'] : [];
  const receipts: readonly unknown[] = Array.isArray(run['receipts']) ? run['receipts'] : [];
  const failed = new Set(
    receipts
      .filter(isRecord)
      .filter(receipt => !succeeded(receipt))
      .map(receipt => text(receipt['transactionHash'])),
  );
  const chains = chainsOfId(run['chain']);
  const records: { where: string; record: unknown }[] = [];
  const add = (address: unknown, name: unknown, fallback: string) => {
    // Addresses in a run of old versions may be null where nothing was created.
    if (typeof address !== 'string') return;
    const record = { address, name: text(name) || fallback, kind: 'contract', chains, tags: ['foundry'] };
    records.push({ where, record: { ...record, notes: script === '' ? '' : t('Deployed by {0}', script) } });
  };
  for (const transaction of transactions.filter(isRecord)) {
    if (failed.has(text(transaction['hash']))) continue;
    const name = transaction['contractName'];
    if (/^CREATE2?$/.test(text(transaction['transactionType'])))
      add(transaction['contractAddress'], name, t('Unnamed contract'));
    const more: readonly unknown[] = Array.isArray(transaction['additionalContracts'])
      ? transaction['additionalContracts']
      : [];
    for (const created of more.filter(isRecord))
      add(created['address'], created['contractName'], t('Created by {0}', text(name) || t('an unnamed contract')));
  }
  const libraries: readonly unknown[] = Array.isArray(run['libraries']) ? run['libraries'] : [];
  for (const library of libraries) {
    // src/Library.sol:Library:0x…
    const parts = text(library).split(':');
    if (parts.length >= 3) add(parts.at(-1), parts.at(-2), t('Library'));
  }
  return records;
}

/**
 * `broadcast/<script>/<chain id>/run-latest.json`, or `broadcast/multi/<script>-latest/run.json` of several chains. Failed
 * creations and contracts without an address are left out.
 */
export function importFoundry(content: string, path: string): Imported {
  const run = parsed(content);
  if (!isRecord(run)) return nothing(path, t('This is no run of forge script.'));
  const script = /([^/]+\.s\.sol)(?:\/|-)/.exec(path)?.[1] ?? '';
  const runs: readonly unknown[] = Array.isArray(run['deployments']) ? run['deployments'] : [run];
  return importRecords(runs.filter(isRecord).flatMap(one => ofRun(one, script, path)));
}

interface Future {
  readonly contractName: string;
}

/** Ignition's journal: one JSON object per line, of which the chain id and the contracts' names matter here. */
function readJournal(journal: string): { readonly chainId: unknown; readonly futures: ReadonlyMap<string, Future> } {
  const futures = new Map<string, Future>();
  let chainId: unknown;
  for (const line of journal.split('\n')) {
    const entry = line.trim() === '' ? null : parsed(line);
    if (!isRecord(entry)) continue; // the last line may be cut: Ignition was stopped while it wrote
    if (entry['type'] === 'DEPLOYMENT_INITIALIZE') chainId = entry['chainId'];
    const id = text(entry['futureId']);
    if (id !== '' && text(entry['contractName']) !== '') futures.set(id, { contractName: text(entry['contractName']) });
  }
  return { chainId, futures };
}

/** `ignition/deployments/<id>/deployed_addresses.json` and, where there is one, `journal.jsonl` beside it. */
export function importIgnition(content: string, path: string, journal = ''): Imported {
  const addresses = parsed(content);
  if (!isRecord(addresses)) return nothing(path, t('This is no list of addresses of Hardhat Ignition.'));
  const { chainId, futures } = readJournal(journal);
  const chains = chainsOfId(chainId ?? /\/chain-(\d+)\//.exec(path)?.[1]);
  return importRecords(
    Object.entries(addresses).map(([future, address]) => {
      const contract = futures.get(future)?.contractName;
      const name = future.split('#').at(-1) || future;
      const what = contract === undefined || contract === name ? '' : `${contract}. `;
      const notes = `${what}${t('Deployed by {0}', future)}`;
      return {
        where: `${path}: ${future}`,
        record: { address, name, kind: 'contract', chains, tags: ['ignition'], notes },
      };
    }),
  );
}

/** `deployments/<network>/<name>.json` of hardhat-deploy; `chainId` is the text of `.chainId` beside it. */
export function importHardhatDeploy(content: string, path: string, chainId: string): Imported {
  const deployment = parsed(content);
  if (!isRecord(deployment) || deployment['address'] === undefined)
    return nothing(path, t('This is no deployment of hardhat-deploy.'));
  const [network = '', file = ''] = path.split('/').slice(-2);
  const name = file.replace(/\.json$/i, '');
  const chains = chainsOfId(chainId);
  const notes = t('Deployed on {0}', network);
  const record = { address: deployment['address'], name, kind: 'contract', chains, tags: ['hardhat-deploy'], notes };
  return importRecords([{ where: path, record }]);
}
