// A bar chart in the theme's colours, with the same told in words for whoever does not see it.
import { css, html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import type uPlot from 'uplot';
import { base } from '../styles.ts';

export interface Bars {
  readonly values: readonly number[];
  /** Of one bar, for axis and pointer. */
  readonly label: (index: number) => string;
  readonly value: (value: number) => string;
  /** Drawn in the colour of failure. */
  readonly marked?: (index: number) => boolean;
}

const HEIGHT = 220;

/** Tells `bar-choose` with the index. `words` is the chart in a sentence. */
export class Chart extends LitElement {
  static override styles = [
    base,
    css`
      figure { margin: 0; }
      .plot { position: relative; height: 220px; }
      .plot canvas { display: block; position: absolute; inset: 0; width: 100%; height: 100%; }
      .plot .u-wrap { position: relative; user-select: none; }
      .plot .u-over, .plot .u-under { position: absolute; }
      .plot .u-over { cursor: pointer; }
      .plot .u-axis { position: absolute; }
      .plot .u-legend, .plot .u-title { display: none; }
      .plot .u-cursor-x, .plot .u-cursor-y, .plot .u-select, .plot .u-cursor-pt { display: none; }
      .tip { min-height: 20px; padding: 2px 16px; font-variant-numeric: tabular-nums; }
      figcaption { padding: 4px 16px; color: var(--vscode-descriptionForeground); max-width: 900px; }
    `,
  ];
  static override properties = { bars: { attribute: false }, words: {}, label: {}, tip: { state: true } };
  declare bars: Bars;
  declare words: string;
  declare label: string;
  declare tip: string;
  #plot: uPlot | undefined;
  #resize: ResizeObserver | undefined;
  #theme: MutationObserver | undefined;

  constructor() {
    super();
    this.bars = { values: [], label: String, value: String };
    this.words = '';
    this.label = '';
    this.tip = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resize = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (width > 0) this.#plot?.setSize({ width, height: HEIGHT });
    });
    this.#resize.observe(this);
    this.#theme = new MutationObserver(() => void this.#draw());
    this.#theme.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resize?.disconnect();
    this.#theme?.disconnect();
    this.#plot?.destroy();
    this.#plot = undefined;
  }

  override updated(changed: PropertyValues<this>): void {
    if (changed.has('bars')) void this.#draw();
  }

  #colour(name: string, other: string): string {
    return getComputedStyle(this).getPropertyValue(name).trim() || other;
  }

  /** Most pages have no chart in sight: what draws them is loaded with the first. */
  async #draw(): Promise<void> {
    const { default: Plot } = await import('uplot');
    this.#plot?.destroy();
    this.#plot = undefined;
    if (!this.isConnected) return;
    const place = this.renderRoot.querySelector<HTMLElement>('.plot');
    const { values, label, value, marked } = this.bars;
    if (place === null || values.length === 0) return;
    const text = this.#colour('--vscode-foreground', '#888');
    const grid = this.#colour('--vscode-panel-border', '#8884');
    const good = this.#colour('--vscode-charts-blue', '#3794ff');
    const bad = this.#colour('--vscode-charts-red', '#f14c4c');
    const font = `11px ${this.#colour('--vscode-font-family', 'sans-serif')}`;
    const axis = { stroke: text, font, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
    const xs = values.map((_, index) => index);
    const ys = [...values];
    const parts =
      marked === undefined
        ? [ys]
        : [ys.map((y, at) => (marked(at) ? null : y)), ys.map((y, at) => (marked(at) ? y : null))];
    const bars = Plot.paths.bars?.({ size: [0.8, 60] });
    const series = parts.map((_, index) => {
      const colour = index === 0 ? good : bad;
      return { stroke: colour, fill: colour, width: 0, points: { show: false }, ...(bars && { paths: bars }) };
    });
    this.#plot = new Plot(
      {
        width: Math.max(200, Math.floor(place.clientWidth)),
        height: HEIGHT,
        padding: [12, 16, 0, 0],
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, points: { show: false } },
        scales: {
          x: { time: false, range: [-0.6, values.length - 0.4] },
          y: { range: (_, __, most) => [0, most * 1.05 || 1] },
        },
        series: [{}, ...series],
        axes: [
          {
            ...axis,
            grid: { show: false },
            incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000],
            values: (_, splits) =>
              splits.map(at => (Number.isInteger(at) && at >= 0 && at < values.length ? label(at) : '')),
          },
          { ...axis, size: 72, values: (_, splits) => splits.map(value) },
        ],
        hooks: {
          setCursor: [
            plot => {
              const at = plot.cursor.idx;
              const y = at === null || at === undefined ? undefined : values[at];
              this.tip = at === null || at === undefined || y === undefined ? '' : `${label(at)}: ${value(y)}`;
            },
          ],
        },
      },
      [xs, ...parts],
      place,
    );
    this.#plot.over.addEventListener('click', () => {
      const at = this.#plot?.cursor.idx;
      if (typeof at === 'number') this.dispatchEvent(new CustomEvent('bar-choose', { detail: at }));
    });
  }

  override render(): TemplateResult {
    return html`<figure><div class="plot" role="img" aria-label=${`${this.label}. ${this.words}`}></div><div class="tip muted" aria-hidden="true">${this.tip}</div><figcaption>${this.words}</figcaption></figure>`;
  }
}

customElements.define('hl-chart', Chart);
