// A bar chart in the theme's colours, with the same told in words for whoever does not see it.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type uPlot from 'uplot';
import { t } from '../../../base/localize.ts';
import { baseStyles } from '../styles.ts';

export interface Bars {
  readonly values: readonly number[];
  /** Of one bar, for pointer and keys. */
  readonly formatLabel: (index: number) => string;
  /** The same on the axis, where little room is; `label` without it. */
  readonly formatShortLabel?: (index: number) => string;
  /** Bars are parts of a range: how many of them would stand before the first, so that the axis names round ones. */
  readonly origin?: number;
  /** How many bars may lie between two names on the axis; 1, 2, 5, 10, ... without it. */
  readonly steps?: readonly number[];
  /** Values are counts: between two of them is nothing. */
  readonly areCounts?: boolean;
  readonly formatValue: (value: number) => string;
  /** Drawn in the colour of failure. */
  readonly isFailed?: (index: number) => boolean;
}

const HEIGHT = 220;
/** Width of the names of the upright axis at least, and of the ticks and gaps beside them. */
const LEAST_AXIS = 40;
const BESIDE_AXIS = 20;
/** About as wide as a character of an axis is. */
const CHARACTER = 6.4;
const ROUND_STEPS = Array.from({ length: 30 }, (_, at) => ([1, 2, 5][at % 3] ?? 1) * 10 ** Math.floor(at / 3));

/** Bars that are multiples of `step`, counted from `origin` bars before the first. */
function indexesAt(step: number, origin: number, count: number): number[] {
  const every = Math.max(1, Math.round(step));
  const found: number[] = [];
  for (let at = (every - (origin % every)) % every; at < count; at += every) found.push(at);
  return found;
}

/** The page is drawn anew as time goes by: a chart that says the same stays as it is. */
const sameBars = (a: Bars, b: Bars | undefined): boolean =>
  b !== undefined &&
  a.values.length === b.values.length &&
  a.values.every((value, at) => value === b.values[at] && a.formatLabel(at) === b.formatLabel(at)) &&
  (a.isFailed === undefined) === (b.isFailed === undefined);

/** Tells `bar-choose` with the index, by pointer or Enter. `words` is the chart in a sentence, `hint` what keys do. */
export class BarChart extends LitElement {
  static override styles = [
    baseStyles,
    css`
      figure { margin: 0; }
      .plot { position: relative; height: 220px; }
      .plot canvas { display: block; position: absolute; inset: 0; width: 100%; height: 100%; }
      .plot .u-wrap { position: relative; user-select: none; }
      .plot .u-over, .plot .u-under { position: absolute; }
      .plot .u-over { cursor: pointer; }
      .plot .u-axis { position: absolute; }
      .plot .u-legend, .plot .u-title { display: none; }
      .plot .u-cursor-y, .plot .u-select, .plot .u-cursor-pt, .plot .u-off { display: none; }
      .plot .u-cursor-x { position: absolute; left: 0; top: 0; height: 100%; pointer-events: none; border-right: 1px dashed var(--vscode-foreground); }
      .tip { min-height: 22px; padding: 2px 8px; margin: 0 8px; border-radius: 4px; font-variant-numeric: tabular-nums; width: max-content; min-width: 200px; max-width: calc(100% - 16px); }
      figcaption { padding: 4px 16px; color: var(--vscode-descriptionForeground); max-width: 900px; }
    `,
  ];
  static override properties = {
    bars: { attribute: false, hasChanged: (a: Bars, b: Bars | undefined) => !sameBars(a, b) },
    words: {},
    label: {},
    hint: {},
    at: { state: true },
    focused: { state: true },
  };
  declare bars: Bars;
  declare words: string;
  declare label: string;
  declare hint: string;
  /** The bar under the pointer or chosen by keys. */
  declare at: number | null;
  declare focused: boolean;
  #plot: uPlot | undefined;
  #resize: ResizeObserver | undefined;
  #theme: MutationObserver | undefined;

  constructor() {
    super();
    this.bars = { values: [], formatLabel: String, formatValue: String };
    this.words = '';
    this.label = '';
    this.hint = t('Arrow keys go from bar to bar, Enter opens it.');
    this.at = null;
    this.focused = false;
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
    // Where nothing can be drawn, words and keys still say all of it.
    const ruler = document.createElement('canvas').getContext('2d');
    if (ruler === null) return;
    const { default: Plot } = await import('uplot');
    this.#plot?.destroy();
    this.#plot = undefined;
    if (!this.isConnected) return;
    const place = this.renderRoot.querySelector<HTMLElement>('.plot');
    const {
      values,
      formatLabel: label,
      formatShortLabel: short = label,
      formatValue: value,
      isFailed: marked,
      areCounts: whole = false,
      origin = 0,
      steps = ROUND_STEPS,
    } = this.bars;
    if (place === null || values.length === 0) return;
    const text = this.#colour('--vscode-foreground', '#888');
    const grid = this.#colour('--vscode-panel-border', '#8884');
    const good = this.#colour('--vscode-charts-blue', '#3794ff');
    const bad = this.#colour('--vscode-charts-red', '#f14c4c');
    const font = `11px ${this.#colour('--vscode-font-family', 'sans-serif')}`;
    const axis = { stroke: text, font, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
    ruler.font = font;
    /** As wide as the widest of its names: a chain's amounts are five characters long, or fifteen. */
    const widthOf = (_: uPlot, names: readonly string[] | null) =>
      Math.ceil(Math.max(LEAST_AXIS, ...(names ?? []).map(name => ruler.measureText(name).width)) + BESIDE_AXIS);
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
            size: 30,
            incrs: [...steps],
            splits: (_, __, ___, ____, step) => indexesAt(step, origin, values.length),
            // As much as the longest name takes: names that run into each other are none.
            space: Math.max(50, ...values.map((_, at) => short(at).length * CHARACTER + 18)),
            values: (_, splits) => splits.map(short),
          },
          { ...axis, size: widthOf, ...(whole && { incrs: ROUND_STEPS }), values: (_, splits) => splits.map(value) },
        ],
        hooks: {
          setCursor: [
            plot => {
              this.at = plot.cursor.idx ?? null;
            },
          ],
        },
      },
      [xs, ...parts],
      place,
    );
    this.#plot.over.addEventListener('click', () => this.#choose(this.#plot?.cursor.idx));
    if (this.focused && this.at !== null) this.#goTo(this.at);
  }

  #choose(at: number | null | undefined): void {
    if (typeof at === 'number') this.dispatchEvent(new CustomEvent('bar-choose', { detail: at }));
  }

  #goTo(at: number): void {
    this.at = Math.max(0, Math.min(this.bars.values.length - 1, at));
    this.#plot?.setCursor({ left: this.#plot.valToPos(this.at, 'x'), top: 0 }, false);
  }

  #onKey(event: KeyboardEvent): void {
    const { at } = this;
    const last = this.bars.values.length - 1;
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: (at ?? -1) + 1,
      ArrowUp: (at ?? -1) + 1,
      ArrowLeft: (at ?? last + 1) - 1,
      ArrowDown: (at ?? last + 1) - 1,
      PageUp: (at ?? 0) + 10,
      PageDown: (at ?? last) - 10,
      Home: 0,
      End: last,
    };
    const to = steps[event.key];
    if (to !== undefined) this.#goTo(to);
    else if (event.key === 'Enter' || event.key === ' ') this.#choose(at);
    else return;
    event.preventDefault();
  }

  /** What is said of the chosen bar; by keys one comes to each of them. */
  #tip(): TemplateResult {
    const { at } = this;
    const { values, formatLabel: label, formatValue: value } = this.bars;
    const y = at === null ? undefined : values[at];
    const tip = at === null || y === undefined ? '' : `${label(at)}: ${value(y)}`;
    return html`<div class="tip muted" role="slider" tabindex="0" aria-label=${this.label} aria-valuemin="1" aria-valuemax=${values.length}
      aria-valuenow=${(at ?? 0) + 1} aria-valuetext=${tip || this.hint} @keydown=${this.#onKey}
      @focus=${() => {
        this.focused = true;
      }} @blur=${() => {
        this.focused = false;
      }}>${tip || (this.focused ? this.hint : '')}</div>`;
  }

  override render(): TemplateResult {
    return html`<figure><div class="plot" role="img" aria-label=${`${this.label}. ${this.words}`}></div>${this.bars.values.length === 0 ? nothing : this.#tip()}<figcaption>${this.words}</figcaption></figure>`;
  }
}

customElements.define('hl-chart', BarChart);
