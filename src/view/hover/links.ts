// Links of a hover: the only commands that Markdown of ours may run, with arguments that are data, never text from a chain.
import { t } from '../../base/localize.ts';

/** Commands that hovers may link to; the host trusts exactly these. */
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
} as const;

export type HoverCommand = (typeof hoverCommands)[keyof typeof hoverCommands];

/** What `hexlens.openExternal` opens: the address of the page is made from the chain table, never from the link. */
export interface ExternalTarget {
  readonly chainId: number;
  readonly kind: 'address' | 'tx' | 'block';
  readonly value: string;
}

/** A Markdown link that runs an allowed command. `label` and `title` are words of ours. */
export function commandLink(label: string, command: HoverCommand, args: readonly unknown[], title: string): string {
  const encoded = encodeURIComponent(JSON.stringify(args)).replace(
    /[()']/g,
    char => `%${char.charCodeAt(0).toString(16)}`,
  );
  return `[${label}](command:${command}?${encoded} "${title}")`;
}

export function copyLink(label: string, value: string): string {
  return commandLink(label, hoverCommands.copy, [value], t('Copy to the clipboard'));
}

export function externalLink(target: ExternalTarget, host: string): string {
  return commandLink(t('Open in {0}', host), hoverCommands.openExternal, [target], t('Open in the browser'));
}

/** Page of a block explorer for what was hovered; `null` where the value is not what it says it is. */
export function explorerUrl(explorer: string, target: ExternalTarget): string | null {
  const valid = {
    address: /^0x[0-9a-fA-F]{40}$/,
    tx: /^0x[0-9a-fA-F]{64}$/,
    block: /^\d{1,16}$/,
  }[target.kind];
  return valid?.test(target.value) ? `${explorer}/${target.kind}/${target.value}` : null;
}
