// Decoded values: addresses as links with their names, amounts in their units, tuples and lists line by line.
import { css, html, nothing, type TemplateResult } from 'lit';
import { formatTokenAmount } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import type { AmountUnit, AmountUnits } from '../../../protocol/amountUnits.ts';
import type { DecodedArgument } from '../../../protocol/decoderPort.ts';
import type { HexNames } from '../../../protocol/hexNames.ts';
import type { PageContext } from '../pageContext.ts';
import { toVisibleText } from '../rows/cellFormat.ts';
import { renderTargetLink } from './targetLink.ts';

export const valueStyles = css`
  code { font-family: var(--vscode-editor-font-family, monospace); overflow-wrap: anywhere; }
  table { border-collapse: collapse; width: 100%; margin-top: 6px; }
  th, td { text-align: left; padding: 3px 10px 3px 0; vertical-align: top; font-weight: normal; overflow-wrap: anywhere; }
  th, td.muted { max-width: 190px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  td.mono { width: 100%; }
  thead th { font-size: 11px; color: var(--vscode-descriptionForeground); }
  .amount { font-weight: 600; unicode-bidi: isolate; }
  .raw { margin-left: 6px; }
  button.copy { line-height: 1; vertical-align: middle; white-space: normal; }
`;

/** What values are shown with. */
export interface ValueView {
  readonly context: PageContext;
  readonly names: HexNames['addresses'];
  readonly units: AmountUnits;
}

/** `tuple[]` for a tuple, whose members are in the lines below. */
export const shortenType = (type: string): string => toVisibleText(type.replace(/^\(.*\)/, 'tuple'), 80);

/** The unit of a token (an address) or of the chain's coin; `null` while it is unknown. */
export const getValueUnit = (token: string, units: AmountUnits): AmountUnit | null =>
  units[token.toLowerCase()] ?? null;

export function renderCopyButton({ channel }: PageContext, text: string, label: string): TemplateResult {
  return html`<button class="plain copy" title=${label} aria-label=${label} @click=${(event: Event) => {
    event.stopPropagation();
    channel.notify('copy', { text });
  }}><vscode-icon name="copy" size="14" aria-hidden="true"></vscode-icon></button>`;
}

function renderAddress(value: string, { context, names }: ValueView): TemplateResult | string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(value)) return toVisibleText(value, 4_000);
  const name = names[value.toLowerCase()];
  const link = renderTargetLink(context, { kind: 'address', chain: context.chain, address: value }, value);
  return html`${link}${name === undefined ? nothing : html` <span class="chip">${toVisibleText(name, 64)}</span>`}`;
}

export function renderValue({ value, isHash, meaning, unit: token }: DecodedArgument, view: ValueView): TemplateResult {
  if (isHash && meaning === undefined)
    return html`<span class="muted">${t('hash')}</span> ${toVisibleText(value, 4_000)}`;
  if (meaning !== undefined)
    return html`${toVisibleText(meaning, 1_000)} <span class="muted raw">${toVisibleText(value, 4_000)}</span>`;
  const unit = token === undefined || !/^\d+$/.test(value) ? null : getValueUnit(token, view.units);
  if (unit === null) return html`${renderAddress(value, view)}`;
  return html`<span class="amount">${formatTokenAmount(BigInt(value), unit)}</span> <span class="muted raw">${value}</span>${renderCopyButton(view.context, value, t('Copy the raw number'))}`;
}

export function renderValueTable(args: readonly DecodedArgument[], view: ValueView): TemplateResult {
  return html`<table><thead><tr><th scope="col">${t('Name')}</th><th scope="col">${t('Type')}</th><th scope="col">${t('Value')}</th></tr></thead><tbody>${args.map(
    (argument, index) =>
      html`<tr><th scope="row" .style=${`padding-left:${argument.depth * 14}px`}>${toVisibleText(argument.name, 120) || `#${index}`}</th><td class="muted" title=${toVisibleText(argument.type, 400)}>${shortenType(argument.type)}</td><td class="mono">${renderValue(argument, view)}</td></tr>`,
  )}</tbody></table>`;
}
