// How many rows fall on each block of a range, or on each part of it where it is long: logs per block, transfers over time.
import { html, LitElement, type TemplateResult } from 'lit';
import { t } from '../../../base/localize.ts';
import { formatInteger } from '../../../base/units.ts';
import type { GrownTable } from '../collected.ts';
import { spread } from '../rows/spread.ts';
import type { Shared } from '../shared.ts';
import type { Bars } from './chart.ts';
import './chart.ts';

export class PerBlock extends LitElement {
  static override properties = { table: { attribute: false }, shared: { attribute: false } };
  declare table: GrownTable;
  declare shared: Shared;

  override render(): TemplateResult {
    const at = this.table.columns.findIndex(({ key }) => key === 'blockNumber');
    const blocks = this.table.rows.flatMap(row => (typeof row[at] === 'number' ? [row[at]] : []));
    const { counts, first, width } = spread(blocks, 120);
    const name = (index: number) => {
      const from = first + index * width;
      return width === 1 ? formatInteger(from) : `${formatInteger(from)}–${formatInteger(from + width - 1)}`;
    };
    const most = counts.reduce((best, count, index) => (count > (counts[best] ?? 0) ? index : best), 0);
    const words =
      blocks.length === 0
        ? t('No rows with a block.')
        : t(
            '{0} rows in blocks {1} to {2}. Most of them in {3}: {4}.',
            formatInteger(blocks.length),
            formatInteger(first),
            formatInteger(first + counts.length * width - 1),
            name(most),
            formatInteger(counts[most] ?? 0),
          );
    const bars: Bars = { values: counts, label: name, value: value => formatInteger(Math.round(value)) };
    return html`<hl-chart .bars=${bars} words=${words} label=${t('Rows per block')} @bar-choose=${(
      event: CustomEvent<number>,
    ) =>
      this.shared.navigate({
        kind: 'block',
        chain: this.shared.chain,
        block: String(first + event.detail * width),
      })}></hl-chart>`;
  }
}

customElements.define('hl-per-block', PerBlock);
