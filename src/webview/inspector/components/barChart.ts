// A bar chart in the theme's colors, with a text alternative and keyboard access.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type uPlot from 'uplot';
import { type HexLensError, toFault } from '../../../base/errors.ts';
import { t } from '../../../base/localize.ts';
import { baseStyles } from '../styles.ts';

export interface Bars {
  readonly values: readonly number[];
  readonly formatLabel: (index: number) => string;
  /** Its short name on the axis; `formatLabel` without it. */
  readonly formatShortLabel?: (index: number) => string;
  /** Where bars are bins of a range: the index of the first bin counted from zero, so that the axis labels round ones. */
  readonly origin?: number;
  /** Allowed distances between two labels on the axis; 1, 2, 5, 10, ... without it. */
  readonly steps?: readonly number[];
  /** Values are counts: the axis has no fractions. */
  readonly areCounts?: boolean;
  readonly formatValue: (value: number) => string;
  /** Drawn in the theme's color of failure. */
  readonly isFailed?: (index: number) => boolean;
}

const HEIGHT = 220;
/** Minimum width of the labels of the value axis, and the width of ticks and gaps beside them. */
const MIN_AXIS_WIDTH = 40;
const AXIS_PADDING = 20;
/** Approximate width of a character on an axis. */
const CHARACTER_WIDTH = 6.4;
const ROUND_STEPS = Array.from({ length: 30 }, (_, index) => ([1, 2, 5][index % 3] ?? 1) * 10 ** Math.floor(index / 3));

/** Bars that are multiples of `step`, counted from `origin` bars before the first. */
function getLabelIndexes(step: number, origin: number, count: number): number[] {
  const every = Math.max(1, Math.round(step));
  const found: number[] = [];
  for (let index = (every - (origin % every)) % every; index < count; index += every) found.push(index);
  return found;
}

/** Pages render again as time passes: a chart with equal bars is not drawn again. */
const hasSameBars = (a: Bars, b: Bars | undefined): boolean =>
  b !== undefined &&
  a.values.length === b.values.length &&
  a.values.every((value, index) => value === b.values[index] && a.formatLabel(index) === b.formatLabel(index)) &&
  (a.isFailed === undefined) === (b.isFailed === undefined);

/** Dispatches `bar-select` with the index, by pointer or Enter. `summary` is the text alternative, `hint` explains the keys. */
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
    bars: { attribute: false, hasChanged: (a: Bars, b: Bars | undefined) => !hasSameBars(a, b) },
    summary: {},
    label: {},
    hint: {},
    activeBar: { state: true },
    isFocused: { state: true },
    fault: { state: true },
  };
  bars: Bars = { values: [], formatLabel: String, formatValue: String };
  summary = '';
  label = '';
  hint: string = t('Arrow keys move between bars, Enter opens one.');
  /** The bar under the pointer, or reached by keys. */
  activeBar: number | null = null;
  isFocused = false;
  fault: HexLensError | null = null;
  #plot: uPlot | undefined;
  #resize: ResizeObserver | undefined;
  #theme: MutationObserver | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resize = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (width > 0) this.#plot?.setSize({ width, height: HEIGHT });
    });
    this.#resize.observe(this);
    this.#theme = new MutationObserver(() => this.#drawOrReport());
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
    if (changed.has('bars')) this.#drawOrReport();
  }

  /** The chart library may be missing, such as after an update of the extension: the values are still in the summary. */
  #drawOrReport(): void {
    this.fault = null;
    this.#draw().catch(error => {
      this.fault = toFault(error);
    });
  }

  #color(name: string, other: string): string {
    return getComputedStyle(this).getPropertyValue(name).trim() || other;
  }

  /** The chart library is loaded with the first chart: most pages have none. */
  async #draw(): Promise<void> {
    // Without a canvas the summary and the keys still give all values.
    const ruler = document.createElement('canvas').getContext('2d');
    if (ruler === null) return;
    const { default: Plot } = await import('uplot');
    this.#plot?.destroy();
    this.#plot = undefined;
    if (!this.isConnected) return;
    const container = this.renderRoot.querySelector<HTMLElement>('.plot');
    if (container === null || this.bars.values.length === 0) return;
    const { values, isFailed } = this.bars;
    const ys = [...values];
    const bars =
      isFailed === undefined
        ? [ys]
        : [ys.map((y, index) => (isFailed(index) ? null : y)), ys.map((y, index) => (isFailed(index) ? y : null))];
    const colors = [this.#color('--vscode-charts-blue', '#3794ff'), this.#color('--vscode-charts-red', '#f14c4c')];
    const paths = Plot.paths.bars?.({ size: [0.8, 60] });
    const series = bars.map((_, index) => {
      const color = colors[index] as string;
      return { stroke: color, fill: color, width: 0, points: { show: false }, ...(paths && { paths }) };
    });
    const setCursor = (plot: uPlot) => {
      this.activeBar = plot.cursor.idx ?? null;
    };
    this.#plot = new Plot(
      {
        width: Math.max(200, Math.floor(container.clientWidth)),
        height: HEIGHT,
        padding: [12, 16, 0, 0],
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, points: { show: false } },
        scales: {
          x: { time: false, range: [-0.6, values.length - 0.4] },
          y: { range: (_, __, most) => [0, most * 1.05 || 1] },
        },
        series: [{}, ...series],
        axes: this.#createAxes(ruler),
        hooks: { setCursor: [setCursor] },
      },
      [values.map((_, index) => index), ...bars],
      container,
    );
    this.#plot.over.addEventListener('click', () => this.#select(this.#plot?.cursor.idx));
    if (this.isFocused && this.activeBar !== null) this.#activate(this.activeBar);
  }

  #createAxes(ruler: CanvasRenderingContext2D): uPlot.Axis[] {
    const { values, formatLabel, formatShortLabel = formatLabel, formatValue } = this.bars;
    const { areCounts = false, origin = 0, steps = ROUND_STEPS } = this.bars;
    const grid = this.#color('--vscode-panel-border', '#8884');
    const font = `11px ${this.#color('--vscode-font-family', 'sans-serif')}`;
    const stroke = this.#color('--vscode-foreground', '#888');
    const axis = { stroke, font, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
    ruler.font = font;
    // As wide as the widest label: amounts have five characters on one chain and fifteen on another.
    const getWidth = (_: uPlot, names: readonly string[] | null) =>
      Math.ceil(Math.max(MIN_AXIS_WIDTH, ...(names ?? []).map(name => ruler.measureText(name).width)) + AXIS_PADDING);
    return [
      {
        ...axis,
        grid: { show: false },
        size: 30,
        incrs: [...steps],
        splits: (_, __, ___, ____, step) => getLabelIndexes(step, origin, values.length),
        // The width of the longest label, so that labels never overlap.
        space: Math.max(50, ...values.map((_, index) => formatShortLabel(index).length * CHARACTER_WIDTH + 18)),
        values: (_, splits) => splits.map(formatShortLabel),
      },
      {
        ...axis,
        size: getWidth,
        ...(areCounts && { incrs: ROUND_STEPS }),
        values: (_, splits) => splits.map(formatValue),
      },
    ];
  }

  #select(index: number | null | undefined): void {
    if (typeof index === 'number') this.dispatchEvent(new CustomEvent('bar-select', { detail: index }));
  }

  #retry(event: Event): void {
    event.stopPropagation(); // the rows that are there stay
    this.fault = null;
    void this.updateComplete.then(() => this.#drawOrReport());
  }

  #activate(index: number): void {
    this.activeBar = Math.max(0, Math.min(this.bars.values.length - 1, index));
    this.#plot?.setCursor({ left: this.#plot.valToPos(this.activeBar, 'x'), top: 0 }, false);
  }

  #handleKey(event: KeyboardEvent): void {
    const { activeBar: index } = this;
    const last = this.bars.values.length - 1;
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: (index ?? -1) + 1,
      ArrowUp: (index ?? -1) + 1,
      ArrowLeft: (index ?? last + 1) - 1,
      ArrowDown: (index ?? last + 1) - 1,
      PageUp: (index ?? 0) + 10,
      PageDown: (index ?? last) - 10,
      Home: 0,
      End: last,
    };
    const to = steps[event.key];
    if (to !== undefined) this.#activate(to);
    else if (event.key === 'Enter' || event.key === ' ') this.#select(index);
    else return;
    event.preventDefault();
  }

  /** Label and value of the active bar, as a slider over all bars. */
  #renderTip(): TemplateResult {
    const { activeBar: index } = this;
    const { values, formatLabel, formatValue } = this.bars;
    const y = index === null ? undefined : values[index];
    const tip = index === null || y === undefined ? '' : `${formatLabel(index)}: ${formatValue(y)}`;
    return html`<div class="tip muted" role="slider" tabindex="0" aria-label=${this.label} aria-valuemin="1" aria-valuemax=${values.length}
      aria-valuenow=${(index ?? 0) + 1} aria-valuetext=${tip || this.hint} @keydown=${this.#handleKey}
      @focus=${() => {
        this.isFocused = true;
      }} @blur=${() => {
        this.isFocused = false;
      }}>${tip || (this.isFocused ? this.hint : '')}</div>`;
  }

  override render(): TemplateResult {
    if (this.fault !== null)
      return html`<hl-fault-message .fault=${this.fault} @fault-retry=${this.#retry}></hl-fault-message><p class="tip">${this.summary}</p>`;
    return html`<figure><div class="plot" role="img" aria-label=${`${this.label}. ${this.summary}`}></div>${this.bars.values.length === 0 ? nothing : this.#renderTip()}<figcaption>${this.summary}</figcaption></figure>`;
  }
}

customElements.define('hl-bar-chart', BarChart);
