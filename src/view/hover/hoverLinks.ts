// Links in hovers: the only commands that their Markdown may run. Arguments are data, never text from a chain.

import type { OperationId } from '../../api/operations/operations.ts';
import type { InputTexts } from '../../api/wire/inputTexts.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';

/** Commands that hovers may link to; exactly these are trusted. */
export const hoverCommands = {
  copy: 'hexlens.copyText',
  openExternal: 'hexlens.openExternal',
  lookUpHash: 'hexlens.lookUpHash',
  lookUpAddress: 'hexlens.lookUpAddress',
  showOutput: 'hexlens.showOutput',
  openNodeSettings: 'hexlens.openNodeSettings',
  inspect: 'hexlens.inspect',
  saveAddress: 'hexlens.saveAddress',
  editAddress: 'hexlens.editAddress',
  openSource: 'hexlens.openSource',
  openBuiltSource: 'hexlens.openBuiltSource',
  connectNode: 'hexlens.connectNode',
  cancelHover: 'hexlens.cancelHover',
  debug: 'hexlens.debugTransaction',
  buildDebugInformation: 'hexlens.buildDebugInformation',
} as const;

export type HoverCommand = (typeof hoverCommands)[keyof typeof hoverCommands];

/** What `hexlens.openExternal` opens. The URL is built from the table of chains, not taken from the link. */
export interface ExplorerTarget {
  readonly chainId: number;
  /** Selector of the chain, which may have an explorer in the settings. */
  readonly chain?: string;
  readonly kind: 'address' | 'tx' | 'block';
  readonly value: string;
}

/** The same for Aptos, whose explorer shows only public networks. */
export interface AptosExplorerTarget {
  readonly network: string;
  readonly kind: 'account' | 'object' | 'txn' | 'coin' | 'fungible_asset' | 'block';
  readonly value: string;
}

const APTOS_EXPLORER = 'https://explorer.aptoslabs.com';
const APTOS_NETWORKS: readonly string[] = ['mainnet', 'testnet', 'devnet'];

function isOnAptosExplorer(network: string): boolean {
  return APTOS_NETWORKS.includes(network);
}

const APTOS_EXPLORER_VALUES: Readonly<Record<AptosExplorerTarget['kind'], RegExp>> = {
  account: /^0x[0-9a-f]{1,64}$/,
  object: /^0x[0-9a-f]{1,64}$/,
  txn: /^(?:\d{1,20}|0x[0-9a-f]{64})$/,
  coin: /^0x[0-9a-f]{1,64}::[\w:<>, ]{1,900}$/i,
  fungible_asset: /^0x[0-9a-f]{1,64}$/,
  block: /^\d{1,20}$/,
};

export function getAptosExplorerUrl({ network, kind, value }: AptosExplorerTarget): string | null {
  // A link of others may name any kind, such as `constructor`.
  const isValid = Object.hasOwn(APTOS_EXPLORER_VALUES, kind) && APTOS_EXPLORER_VALUES[kind].test(String(value));
  if (!isOnAptosExplorer(network) || !isValid) return null;
  return `${APTOS_EXPLORER}/${kind}/${encodeURIComponent(value).replaceAll('%3A', ':')}?network=${network}`;
}

export function createAptosExplorerLink(target: AptosExplorerTarget): string | null {
  if (getAptosExplorerUrl(target) === null) return null;
  return createCommandLink(
    t('Open in {0}', new URL(APTOS_EXPLORER).hostname),
    hoverCommands.openExternal,
    [target],
    t('Open in the browser'),
  );
}

export function createInspectLink(target: OperationLinkTarget | ChainTarget): string {
  return createCommandLink(t('Inspect'), hoverCommands.inspect, [target], t('Open in the inspector'));
}

/** What a transaction changed; `count` of it is the label. */
export const createStateLink = (chain: string, hash: Hex, count: number): string =>
  createCommandLink(
    count === 1 ? t('1 state change') : t('{0} state changes', formatInteger(count)),
    hoverCommands.inspect,
    [{ kind: 'transaction', chain, hash, tab: 'state' }],
    t('Open State changes'),
  );

/** Opens the functions of a contract: what its getters return is read at once. */
export const createReadLink = (chain: string, address: Hex): string =>
  createCommandLink(
    t('Read'),
    hoverCommands.inspect,
    [{ kind: 'address', chain, address, call: { signature: '', args: [] } }],
    t('Read the contract in the inspector'),
  );

/** `label` is a text of HexLens, such as the number of logs. */
export const createLogsLink = (chain: string, hash: Hex, label: string): string =>
  createCommandLink(
    label,
    hoverCommands.inspect,
    [{ kind: 'transaction', chain, hash, tab: 'logs' }],
    t('Open the logs, with the functions that emitted them'),
  );

export const createDebugLink = (chain: string, hash: Hex): string =>
  createCommandLink(t('Debug'), hoverCommands.debug, [{ chain, hash }], t('Step through the transaction'));

/** Why a transaction failed, for which the node is queried for all that the transaction read. */
export const createExplainLink = (chain: string, hash: Hex): string =>
  createCommandLink(
    t('Explain by Replay…'),
    hoverCommands.inspect,
    [{ kind: 'transaction', chain, hash, tab: 'calls' }],
    t('Run the transaction again on this machine: the node is queried for all that it read'),
  );

/** Targets of the inspector, which validates them again (`protocol/inspectorTarget.ts`). */
export type ChainTarget =
  | { readonly kind: 'address'; readonly chain: string; readonly address: Hex }
  | { readonly kind: 'transaction'; readonly chain: string; readonly hash: Hex; readonly tab?: 'state' }
  | { readonly kind: 'block'; readonly chain: string; readonly block: string };

export interface OperationLinkTarget {
  readonly kind: 'operation';
  readonly operation: OperationId;
  readonly parameters: InputTexts;
}

/** A Markdown link that runs an allowed command. `label` and `title` must be texts of HexLens. */
export function createCommandLink(
  label: string,
  command: HoverCommand,
  args: readonly unknown[],
  title: string,
): string {
  return `[${label}](${createCommandUri(command, args)} "${title}")`;
}

/** The link's target alone. */
export function createCommandUri(command: HoverCommand, args: readonly unknown[]): string {
  const encoded = encodeURIComponent(JSON.stringify(args)).replace(
    /[()']/g,
    char => `%${char.charCodeAt(0).toString(16)}`,
  );
  return `command:${command}?${encoded}`;
}

export function createCopyLink(label: string, value: string): string {
  return createCommandLink(label, hoverCommands.copy, [value], t('Copy to the clipboard'));
}

export function createExplorerLink(target: ExplorerTarget, host: string): string {
  return createCommandLink(t('Open in {0}', host), hoverCommands.openExternal, [target], t('Open in the browser'));
}

/** URL in a block explorer; `null` when the value is invalid. */
const EXPLORER_VALUES: Readonly<Record<ExplorerTarget['kind'], RegExp>> = {
  address: /^0x[0-9a-fA-F]{40}$/,
  tx: /^0x[0-9a-fA-F]{64}$/,
  block: /^\d{1,16}$/,
};

export function getExplorerUrl(explorer: string, target: ExplorerTarget): string | null {
  // A link of others may name any kind, such as `constructor`.
  const isValid =
    Object.hasOwn(EXPLORER_VALUES, target.kind) && EXPLORER_VALUES[target.kind].test(String(target.value));
  return isValid ? `${explorer}/${target.kind}/${target.value}` : null;
}
