// Hashes of transactions and blocks that deployment tools record in files of a project, with what the transaction did.
import { findChainIdByWord } from '../api/chainNames.ts';
import { type Hex, isAddress, isHash, toLowerHex } from '../base/hex.ts';
import { isObject } from '../base/isObject.ts';
import {
  asFields,
  asText,
  type Fields,
  type FoundryRun,
  getFutureName,
  parseFoundryRuns,
  readChainId,
  readJournal,
} from './importDeployments.ts';
import { detectImportSource, type ImportableFile, isOfProject } from './importFile.ts';
import { parseChainId, parseJson } from './importResult.ts';

export interface RecordedHash {
  /** In lower case. */
  readonly hash: Hex;
  /** `block`: the block of a recorded transaction. */
  readonly kind: 'transaction' | 'block';
  /** EIP-155 id; `null` where the tool does not tell it. */
  readonly chainId: number | null;
  /** What a transaction did: created a contract, or called one; `null` where it failed and where the tool does not tell it. */
  readonly action: { readonly kind: 'creates' | 'calls'; readonly name: string } | null;
}

type RecordTool = 'foundry' | 'ignition' | 'hardhat-deploy' | 'openzeppelin';

/** Glob pattern of VS Code for what `detectRecordTool` takes, and more. */
export const RECORD_FILES =
  '**/{broadcast/**/*.json,ignition/deployments/*/journal.jsonl,deployments/*/*.json,.openzeppelin/*.json}';

/** Folders in which these files are, with what is in them. */
export const RECORD_FOLDERS = '**/{broadcast,broadcast/**,deployments,deployments/**,.openzeppelin,.openzeppelin/**}';

/** The tool that records transactions in the file; `null` for other files, copies in dependencies and dry runs. `path` has `/`. */
export function detectRecordTool(path: string): RecordTool | null {
  if (!isOfProject(path)) return null;
  if (/(?:^|\/)ignition\/deployments\/[^/]+\/journal\.jsonl$/.test(path)) return 'ignition';
  if (/(?:^|\/)\.openzeppelin\/[^/]+\.json$/.test(path)) return 'openzeppelin';
  const source = detectImportSource(path);
  return source === 'foundry' || source === 'hardhat-deploy' ? source : null;
}

const toRecorded = (
  hashes: readonly unknown[],
  rest: Omit<RecordedHash, 'hash' | 'kind'>,
  kind: RecordedHash['kind'] = 'transaction',
): readonly RecordedHash[] => hashes.filter(isHash).map(hash => ({ hash: toLowerHex(hash), kind, ...rest }));

const toBlocks = (receipt: unknown, chainId: number | null): readonly RecordedHash[] =>
  isObject(receipt) ? toRecorded([receipt['blockHash']], { chainId, action: null }, 'block') : [];

const joinNames = (contract: string, functionName: string): string =>
  [contract, functionName].filter(Boolean).join('.');

function readFoundryRun(run: FoundryRun): readonly RecordedHash[] {
  const chainId = parseChainId(run.chain);
  if (chainId === null) return [];
  const getAction = (transaction: Fields): RecordedHash['action'] => {
    const name = asText(transaction['contractName']);
    if (run.failed.has(asText(transaction['hash']))) return null;
    if (/^CREATE2?$/.test(asText(transaction['transactionType'])))
      return name === '' ? null : { kind: 'creates', name: run.getName(transaction['contractAddress'], name) };
    const called = joinNames(name, asText(transaction['function']));
    return called === '' ? null : { kind: 'calls', name: called };
  };
  return [
    ...run.transactions.flatMap(transaction =>
      toRecorded([transaction['hash']], { chainId, action: getAction(transaction) }),
    ),
    ...run.receipts.flatMap(receipt => [
      ...toRecorded([receipt['transactionHash']], { chainId, action: null }),
      ...toBlocks(receipt, chainId),
    ]),
  ];
}

function readIgnition(text: string): readonly RecordedHash[] {
  const journal = readJournal(text);
  const chainId = parseChainId(journal.chainId);
  const isFailed = (receipt: unknown) => isObject(receipt) && receipt['status'] !== 'SUCCESS';
  const failed = new Set(
    journal.transactions.filter(({ receipt }) => isFailed(receipt)).map(({ futureId }) => futureId),
  );
  return journal.transactions.flatMap(message => {
    const id = asText(message['futureId']);
    const { contractName = '', functionName = '' } = journal.futures.get(id) ?? {};
    const name = functionName === '' ? contractName || getFutureName(id) : joinNames(contractName, functionName);
    const kind = functionName === '' ? ('creates' as const) : ('calls' as const);
    const sent = message['transaction'];
    return [
      ...toRecorded([message['hash'], isObject(sent) ? sent['hash'] : null], {
        chainId,
        // Of data that is sent the journal names neither.
        action: failed.has(message['futureId']) || contractName === '' ? null : { kind, name },
      }),
      ...toBlocks(message['receipt'], chainId),
    ];
  });
}

async function readHardhatDeploy({ path, text, readSibling }: ImportableFile): Promise<readonly RecordedHash[]> {
  const deployment = parseJson(text);
  if (!isObject(deployment) || !isAddress(deployment['address'])) return [];
  const { address, receipt, transaction } = deployment;
  const [network = '', file = ''] = path.split('/').slice(-2);
  const chainId = parseChainId(await readChainId(readSibling)) ?? findChainIdByWord(network);
  const created = isObject(receipt) ? asText(receipt['contractAddress']).toLowerCase() : '';
  const name = file.replace(/\.json$/i, '');
  const hashes = [
    deployment['transactionHash'],
    isObject(receipt) ? receipt['transactionHash'] : null,
    // Of rocketh, which hardhat-deploy 2 writes with.
    isObject(transaction) ? transaction['hash'] : null,
  ];
  const action =
    created !== '' && created === asText(address).toLowerCase() ? { kind: 'creates' as const, name } : null;
  return [...toRecorded(hashes, { chainId, action }), ...toBlocks(receipt, chainId)];
}

/** The contracts that the plugin deploys for each kind of proxy. */
const PROXIES: Readonly<Record<string, string>> = {
  transparent: 'TransparentUpgradeableProxy',
  uups: 'ERC1967Proxy',
  beacon: 'BeaconProxy',
};

/** `.openzeppelin/sepolia.json`, or `unknown-1234.json` for chains that the plugin has no name for. */
function readOpenZeppelin(text: string, path: string): readonly RecordedHash[] {
  const manifest = parseJson(text);
  if (!isObject(manifest) || typeof manifest['manifestVersion'] !== 'string') return [];
  const network = (path.split('/').at(-1) ?? '').replace(/\.json$/i, '');
  const chainId = parseChainId(/^unknown-(\d+)$/.exec(network)?.[1]) ?? findChainIdByWord(network);
  const { admin, impls } = manifest;
  const toCreation = (entry: unknown, name: string | undefined) =>
    isObject(entry)
      ? toRecorded([entry['txHash']], { chainId, action: name === undefined ? null : { kind: 'creates', name } })
      : [];
  return [
    ...asFields(manifest['proxies']).flatMap(proxy => toCreation(proxy, PROXIES[asText(proxy['kind'])])),
    ...toCreation(admin, 'ProxyAdmin'),
    ...(isObject(impls) ? Object.values(impls).flatMap(entry => toCreation(entry, undefined)) : []),
  ];
}

/** Only of fields that the tool writes, where it writes them. Never rejects because of the file's content. */
export async function readRecordedHashes(file: ImportableFile): Promise<readonly RecordedHash[]> {
  switch (detectRecordTool(file.path)) {
    case 'foundry':
      return (parseFoundryRuns(file.text) ?? []).flatMap(readFoundryRun);
    case 'ignition':
      return readIgnition(file.text);
    case 'hardhat-deploy':
      return readHardhatDeploy(file);
    case 'openzeppelin':
      return readOpenZeppelin(file.text, file.path);
    case null:
      return [];
  }
}
