// What a simulated call returned and would move.
import { css, html, nothing, type TemplateResult } from 'lit';
import type { Simulation } from '../../../api/traceTarget.ts';
import { shortenHex } from '../../../base/displayText.ts';
import { t } from '../../../base/localize.ts';
import type { MovedText, SimulationDetails } from '../../../protocol/messages.ts';
import { PageElement } from '../pageElement.ts';
import { RequestController } from '../requestController.ts';
import { toVisibleText } from '../rows/cellFormat.ts';
import { baseStyles } from '../styles.ts';
import { renderTargetLink } from './targetLink.ts';

export class SimulationView extends PageElement {
  static override styles = [
    baseStyles,
    css`
      :host { display: block; padding: 0 16px 8px; }
      h2 { margin: 6px 0 4px; font-size: 1em; font-weight: 600; }
      pre { margin: 0; padding: 6px 10px; overflow-wrap: anywhere; white-space: pre-wrap; max-height: 240px; overflow: auto; background: var(--vscode-textCodeBlock-background, transparent); }
      table { border-collapse: collapse; } td { padding: 2px 16px 2px 0; }
      td.amount { text-align: right; font-variant-numeric: tabular-nums; }
    `,
  ];
  static override properties = { simulation: { attribute: false } };
  declare simulation: Simulation;
  #details: SimulationDetails | null = null;
  readonly #request = new RequestController(this, 'simulationResult', details => {
    this.#details = details;
  });

  override willUpdate(): void {
    const { channel, chain, refreshCount } = this.context;
    this.#request.request(channel, { chain, simulation: this.simulation }, refreshCount);
  }

  #renderMovement({ account, name, amount, asset, token }: MovedText): TemplateResult {
    const link = (address: string, text: string) =>
      renderTargetLink(this.context, { kind: 'address', chain: this.context.chain, address }, text, {});
    return html`<tr><td title=${account}>${link(account, name === null ? shortenHex(account) : toVisibleText(name, 80))}</td>
      <td class="amount mono">${amount}</td><td>${token === null ? toVisibleText(asset, 80) : link(token, toVisibleText(asset, 80))}</td></tr>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (this.#details === null) return nothing;
    const { returned, movements } = this.#details;
    return html`${returned === null ? nothing : html`<h2>${t('Returned')}</h2><pre class="mono">${toVisibleText(returned, 8_000)}</pre>`}
      ${movements.length === 0 ? nothing : html`<h2>${t('What would move')}</h2><table>${movements.map(each => this.#renderMovement(each))}</table>`}`;
  }
}

customElements.define('hl-simulation', SimulationView);
