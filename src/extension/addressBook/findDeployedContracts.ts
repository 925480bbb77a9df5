// Contracts of a chain that tools of the workspace have deployed, and that have no saved name.
import type { Uri } from 'vscode';
import { type Hex, isAddress } from '../../base/hex.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import type { AddressBook } from './addressBook.ts';
import { findImportFiles } from './findImportFiles.ts';
import { deploymentSources, readDeployedEntries } from './importEntries.ts';

export interface DeployedContracts {
  readonly count: number;
  readonly files: readonly Uri[];
  readonly sources: ReadonlySet<(typeof deploymentSources)[number]>;
}

const MAX_ADDRESSES = 200;
const CONCURRENT_REQUESTS = 8;

/** Only those that have code there: the files may be of an earlier chain. */
export async function findDeployedContracts(
  chain: string,
  { book, worker }: { readonly book: AddressBook; readonly worker: Pick<WorkerClient, 'chains' | 'lookup'> },
): Promise<DeployedContracts> {
  await book.ready();
  const sources = await findImportFiles(deploymentSources);
  const files = sources.flatMap(({ source, uris }) => uris.map(uri => ({ source, uri })));
  const found = await mapConcurrently(files, CONCURRENT_REQUESTS, async ({ source, uri }) => {
    const { entries } = await readDeployedEntries([uri], worker);
    const isUnnamed = (address: string) => isAddress(address) && book.getName(address, chain) === null;
    const addresses = entries.flatMap(({ address, chains }) =>
      chains.includes(chain) && isUnnamed(address) ? [address as Hex] : [],
    );
    return { source, uri, addresses };
  });
  const unique = [...new Set(found.flatMap(({ addresses }) => addresses))].slice(0, MAX_ADDRESSES);
  const deployed = new Set<Hex>();
  await mapConcurrently(unique, CONCURRENT_REQUESTS, async address => {
    const { code } = await worker.lookup('contractCode', { chain, address });
    if (code !== null && code !== '0x') deployed.add(address);
  });
  const named = found.filter(({ addresses }) => addresses.some(address => deployed.has(address)));
  return {
    count: deployed.size,
    files: named.map(({ uri }) => uri),
    sources: new Set(named.map(({ source }) => source)),
  };
}
