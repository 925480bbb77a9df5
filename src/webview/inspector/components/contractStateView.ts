// The tab State of a contract: its variables at a block, beside those at another one where the user compares.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import type { CallPart, ContractStateDetails, ContractStateGroup } from '../../../protocol/messages.ts';
import type { ContractStateRow } from '../../../view/source/contractStateRows.ts';
import { FocusGuard } from '../focusGuard.ts';
import type { PageContext } from '../pageContext.ts';
import { RequestController } from '../requestController.ts';
import { getNumberClass, toVisibleText } from '../rows/cellFormat.ts';
import { baseStyles } from '../styles.ts';

/** What has more members is closed at first. */
const MAX_OPEN_MEMBERS = 8;

/** Members that were asked for: under a key, or from an element on. */
interface Wanted {
  readonly from: string;
  readonly key: string | null;
}

/** What was asked for inside of one row, with what came. */
interface Loaded {
  readonly group: ContractStateGroup;
  readonly row: ContractStateRow;
  readonly wanted: Wanted;
  rows: readonly ContractStateRow[];
  next: string | null;
  problem: string;
  isLoading: boolean;
  cancel: () => void;
}

/** A line of the table; `isInside`: the boxes below all that an open one has inside. */
interface Line {
  readonly isInside: boolean;
  readonly id: string;
  readonly depth: number;
  readonly row: ContractStateRow;
  readonly group: ContractStateGroup;
  readonly isOpen: boolean;
}

const canOpen = ({ place }: ContractStateRow): boolean => place !== null;

export class ContractStateView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host { padding: 8px 16px 24px; }
      .bar { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; padding-bottom: 6px; }
      .bar label { display: inline-flex; gap: 6px; align-items: center; }
      .bar input[type='text'] { width: 11em; }
      h2 { margin: 14px 0 4px; font-size: 1.05em; font-weight: 600; overflow-wrap: anywhere; }
      .row { display: grid; grid-template-columns: minmax(180px, 3fr) minmax(80px, 2fr) minmax(0, 4fr); gap: 0 16px; padding: 3px 4px; border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent)); }
      .two .row { grid-template-columns: minmax(180px, 3fr) minmax(80px, 2fr) minmax(0, 3fr) minmax(0, 3fr); }
      .row > * { overflow-wrap: anywhere; min-width: 0; }
      .row.head { font-size: 11px; color: var(--vscode-descriptionForeground); }
      .row:not(.head):hover { background: var(--vscode-list-hoverBackground); }
      .row:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
      .name { display: flex; align-items: baseline; }
      .name .twist { flex: none; width: 16px; text-align: center; cursor: pointer; color: var(--vscode-descriptionForeground); }
      .value { white-space: pre-wrap; font-variant-numeric: tabular-nums; }
      .number { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
      .changed .value { font-weight: 600; }
      .mark { color: var(--vscode-gitDecoration-modifiedResourceForeground, var(--vscode-charts-yellow)); font-weight: 600; flex: none; padding-right: 4px; }
      form { display: inline-flex; gap: 6px; align-items: center; padding: 3px 0; flex-wrap: wrap; }
      form input { font-family: var(--vscode-editor-font-family, monospace); width: 26em; max-width: 60vw; }
      form input.index { width: 12em; }
      .inside { border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent)); }
      .problem { color: var(--vscode-errorForeground); }
      .loading { display: flex; gap: 10px; align-items: center; padding: 16px 0; color: var(--vscode-descriptionForeground); }
      p { margin: 8px 0; }
      button.link { color: var(--vscode-textLink-foreground); padding: 0; } button.link:hover { text-decoration: underline; }
      @media (max-width: 620px) {
        .row { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } .two .row { grid-template-columns: repeat(3, minmax(0, 1fr)); }
        .type { display: none; }
      }
    `,
  ];
  static override properties = { context: { attribute: false }, address: {}, head: { attribute: false } };
  declare context: PageContext;
  address = '';
  /** The newest block of a chain that is followed. */
  head: number | null = null;
  #details: ContractStateDetails | null = null;
  /** The user has asked for the state of a chain that is not of this machine. */
  #isAsked = false;
  /** What the user opened or closed, by the line's id. */
  readonly #opened = new Map<string, boolean>();
  /** By the line's id. */
  readonly #loaded = new Map<string, Loaded[]>();
  /** Id of the line that has the focus of the table. */
  #current = '';
  readonly #request = new RequestController(this, 'contractState', details => {
    this.#details = details;
    for (const each of [...this.#loaded.values()].flat()) this.#load(each);
  });
  readonly focusGuard = new FocusGuard(this);

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const each of [...this.#loaded.values()].flat()) each.cancel();
  }

  /** As the user wrote it; empty without one. */
  #block(name: 'block' | 'compare'): string {
    return (this.context.pageState[name] ?? '').trim();
  }

  get #blocks(): readonly string[] {
    const isNumber = (text: string) => /^\d{1,15}$/.test(text);
    const [block, compare] = [this.#block('block'), this.#block('compare')];
    const first = isNumber(block) ? block : 'latest';
    return isNumber(compare) || compare === 'latest' ? [compare, first] : [first];
  }

  get #mayAsk(): boolean {
    return this.#isAsked || this.context.chains.some(each => each.selector === this.context.chain && each.isOnLoopback);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('address')) {
      this.#opened.clear();
      this.#loaded.clear();
      this.#details = null;
    }
    const { channel, chain, refreshCount } = this.context;
    const params = this.#mayAsk ? { chain, address: this.address, blocks: this.#blocks } : null;
    this.#request.request(channel, params, refreshCount, this.#blocks.includes('latest') ? this.head : null);
  }

  #load(loaded: Loaded): void {
    const { place } = loaded.row;
    const { channel, chain } = this.context;
    const { layout } = loaded.group;
    if (place === null || layout === null) return;
    loaded.cancel();
    loaded.isLoading = true;
    const blocks = (this.#details?.blocks ?? []).map(String);
    const end = (change: Partial<Loaded>) => {
      Object.assign(loaded, { isLoading: false, ...change });
      this.requestUpdate();
    };
    loaded.cancel = channel.start(
      'stateMembers',
      { chain, address: this.address, blocks, layout, place, ...loaded.wanted },
      {
        onPart: ({ rows, next, problem }: CallPart<'stateMembers'>) => end({ rows, next, problem }),
        onDone: () => end({}),
        onFault: fault => end({ problem: fault.message }),
      },
    );
    this.requestUpdate();
  }

  #want({ id, row, group }: Line, wanted: Wanted): void {
    const list = this.#loaded.get(id) ?? [];
    if (list.some(each => each.wanted.key === wanted.key && each.wanted.from === wanted.from)) return;
    const loaded: Loaded = {
      group,
      row,
      wanted,
      rows: [],
      next: null,
      problem: '',
      isLoading: true,
      cancel: () => {},
    };
    this.#loaded.set(id, [...list, loaded]);
    this.#load(loaded);
  }

  #isOpen(id: string, row: ContractStateRow, depth: number): boolean {
    const chosen = this.#opened.get(id);
    if (chosen !== undefined) return chosen;
    if (row.members === null || row.members.length === 0) return false;
    const isCompared = (this.#details?.blocks.length ?? 1) > 1;
    return (isCompared && row.differs) || (depth < 3 && row.members.length <= MAX_OPEN_MEMBERS);
  }

  #toggle(line: Line, isOpen = !line.isOpen): void {
    this.#opened.set(line.id, isOpen);
    if (isOpen && line.row.members === null && !this.#loaded.has(line.id)) this.#want(line, { from: '0', key: null });
    this.requestUpdate();
  }

  /** Moves as in the trees of VS Code. */
  #onKeyDown(event: KeyboardEvent, lines: readonly Line[], index: number): void {
    const line = lines[index];
    if (line === undefined || event.target !== event.currentTarget) return;
    const parent = lines.slice(0, index).findLastIndex(({ depth }) => depth < line.depth);
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: lines.length - 1,
    };
    let next = targets[event.key];
    if (event.key === 'ArrowRight' && canOpen(line.row)) {
      if (line.isOpen) next = index + 1;
      else this.#toggle(line, true);
    } else if (event.key === 'ArrowLeft') {
      if (line.isOpen) this.#toggle(line, false);
      else if (parent >= 0) next = parent;
    } else if ((event.key === 'Enter' || event.key === ' ') && canOpen(line.row)) this.#toggle(line);
    else if (next === undefined) return;
    event.preventDefault();
    const target = next === undefined ? undefined : lines[next];
    if (target === undefined) return;
    this.#current = target.id;
    this.requestUpdate();
    void this.updateComplete.then(() =>
      [...(this.renderRoot.querySelectorAll<HTMLElement>('.row[data-id]') ?? [])]
        .find(each => each.dataset['id'] === target.id)
        ?.focus(),
    );
  }

  #isShown(row: ContractStateRow): boolean {
    if ((this.#details?.blocks.length ?? 1) > 1 && this.context.pageState['changed'] === 'on' && !row.differs)
      return false;
    return true;
  }

  /** All lines, in their order. */
  #listLines(group: ContractStateGroup, rows: readonly ContractStateRow[], parent: string, depth: number): Line[] {
    return rows
      .filter(row => this.#isShown(row))
      .flatMap((row): Line[] => {
        const id = `${parent}${row.label}`;
        const isOpen = canOpen(row) && this.#isOpen(id, row, depth);
        const line: Line = { id, depth, row, group, isOpen, isInside: false };
        if (!isOpen) return [line];
        const loaded = (this.#loaded.get(id) ?? []).flatMap(each => each.rows);
        const known = new Set((row.members ?? []).map(({ label }) => label));
        const all = [...(row.members ?? []), ...loaded.filter(({ label }) => !known.has(label))];
        return [line, ...this.#listLines(group, all, `${id} `, depth + 1), { ...line, isInside: true }];
      });
  }

  #renderBar(): TemplateResult {
    const { pageState, setPageState } = this.context;
    const input = (name: 'block' | 'compare', label: string, placeholder: string) => {
      const text = this.#block(name);
      const isInvalid = text !== '' && text !== 'latest' && !/^\d{1,15}$/.test(text);
      return html`<label>${label} <input type="text" inputmode="numeric" spellcheck="false" autocomplete="off" placeholder=${placeholder} aria-invalid=${isInvalid ? 'true' : nothing} .value=${text} @change=${(event: Event) => setPageState(name, (event.target as HTMLInputElement).value.trim().replace(/[.,_' ]/g, ''))}></label>${isInvalid ? html`<span class="problem" role="alert">${t('A block is a number, or latest.')}</span>` : nothing}`;
    };
    const isCompared = this.#blocks.length > 1;
    return html`<div class="bar">${input('block', t('At block'), 'latest')}${input('compare', t('Compare with block'), t('none'))}
      ${isCompared ? html`<label><input type="checkbox" .checked=${pageState['changed'] === 'on'} @change=${(event: Event) => setPageState('changed', (event.target as HTMLInputElement).checked ? 'on' : '')}> ${t('Only differences')}</label>` : nothing}</div>`;
  }

  #renderLine(line: Line, lines: readonly Line[], index: number): TemplateResult {
    const { id, depth, row, isOpen } = line;
    const opens = canOpen(row);
    const isCurrent = id === this.#current || (index === 0 && !lines.some(each => each.id === this.#current));
    const isCompared = (this.#details?.blocks.length ?? 1) > 1;
    const isChanged = isCompared && row.differs;
    const mark = isChanged
      ? html`<span class="mark" title=${t('Differs')} aria-label=${t('Differs')}>≠</span>`
      : nothing;
    return html`<div class="row ${isChanged ? 'changed' : ''}" role="row" data-id=${id} tabindex=${isCurrent ? 0 : -1} aria-level=${depth + 1} aria-expanded=${opens ? String(isOpen) : nothing}
        title=${toVisibleText(row.title, 2_000)} @keydown=${(event: KeyboardEvent) => this.#onKeyDown(event, lines, index)}>
      <span class="name mono" role="rowheader" .style=${`padding-left:${16 * depth}px`}><span class="twist" @click=${() => opens && this.#toggle(line)}>${opens ? html`<vscode-icon name=${isOpen ? 'chevron-down' : 'chevron-right'} size="14" aria-hidden="true"></vscode-icon>` : nothing}</span>${mark}<span>${toVisibleText(row.label, 300)}</span></span>
      <span class="type mono muted" role="gridcell">${toVisibleText(row.type, 200)}</span>
      ${row.values.map(value => html`<span class="value mono ${getNumberClass(value)}" role="gridcell" title=${getNumberClass(value) === '' ? nothing : value}>${toVisibleText(value, 4_000)}</span>`)}</div>`;
  }

  /** What an open line has beside its members: boxes for keys and elements, and what they wait for. */
  #renderInside(line: Line): TemplateResult | typeof nothing {
    const { id, row, depth } = line;
    const loaded = this.#loaded.get(id) ?? [];
    const isLoading = loaded.some(each => each.isLoading);
    const problems = loaded.filter(each => each.problem !== '');
    const next = loaded.findLast(each => each.wanted.key === null && each.problem === '')?.next ?? row.next;
    if (row.keyType === null && !row.isArray && !isLoading && problems.length === 0) return nothing;
    const submit = (event: SubmitEvent) => {
      event.preventDefault();
      const input = (event.currentTarget as HTMLFormElement).querySelector('input');
      const text = input?.value.trim() ?? '';
      const isString = row.keyType === 'string' || row.keyType === 'bytes';
      if (input === null || (text === '' && !isString)) return;
      if (row.isArray && !/^\d{1,78}$/.test(text)) return;
      this.#loaded.set(
        id,
        loaded.filter(each => each.problem === ''),
      );
      this.#want(line, row.isArray ? { from: text, key: null } : { from: '0', key: isString ? input.value : text });
      input.value = '';
    };
    const label = row.isArray ? t('Index of an element') : t('Key of the mapping');
    const box =
      row.keyType === null && row.next === null
        ? nothing
        : html`<form @submit=${submit}><input class=${row.isArray ? 'index' : ''} type="text" spellcheck="false" autocomplete="off" aria-label=${label} placeholder=${row.isArray ? t('Index') : (row.keyType ?? '')}><button class="action second" type="submit">${row.isArray ? t('Show from There') : t('Show Key')}</button></form>`;
    const more =
      next === null
        ? nothing
        : html`<button class="plain link" @click=${() => this.#want(line, { from: next, key: null })}>${t('Show More')}</button>`;
    return html`<div class="inside" role="row"><div role="gridcell" .style=${`padding-left:${16 * (depth + 1) + 20}px`}>${box} ${more}
      ${isLoading ? html`<span class="muted" role="status">${t('Reading…')}</span>` : nothing}${problems.map(each => html`<span class="problem" role="alert">${toVisibleText(each.problem, 300)}</span>`)}</div></div>`;
  }

  #renderGroup(group: ContractStateGroup, blocks: readonly number[]): TemplateResult | typeof nothing {
    const lines = this.#listLines(group, group.rows, `${group.layout ?? ''} `, 0);
    const title = toVisibleText(group.title, 100);
    if (lines.length === 0) return nothing;
    const headers = blocks.map(block => (blocks.length === 1 ? t('Value') : t('At block {0}', formatInteger(block))));
    const rows = lines.filter(({ isInside }) => !isInside);
    return html`<h2>${title}</h2><div class=${blocks.length > 1 ? 'two' : ''} role="treegrid" aria-label=${title}>
      <div class="row head" role="row"><span role="columnheader">${t('Variable')}</span><span class="type" role="columnheader">${t('Type')}</span>${headers.map(each => html`<span role="columnheader">${each}</span>`)}</div>
      ${repeat(
        lines,
        ({ id, isInside }) => `${id}${isInside ? ' …' : ''}`,
        line => (line.isInside ? this.#renderInside(line) : this.#renderLine(line, rows, rows.indexOf(line))),
      )}</div>`;
  }

  override render(): TemplateResult {
    const { isLoading, fault } = this.#request;
    if (!this.#mayAsk) {
      const ask = () => {
        this.#isAsked = true;
        this.requestUpdate();
      };
      return html`<p class="muted">${t('The node of this chain learns which slots of the contract you read.')}</p><button class="action" @click=${ask}>${t('Read the State')}</button>`;
    }
    const details = this.#details;
    const cancel = () => this.#request.cancel();
    const build = () => this.context.channel.notify('buildDebugInformation', null);
    return html`${this.#renderBar()}${fault === null ? nothing : html`<hl-fault-message .fault=${fault}></hl-fault-message>`}
      ${
        details === null
          ? isLoading
            ? html`<div class="loading" role="status"><vscode-progress-ring aria-hidden="true"></vscode-progress-ring><span>${t('Reading the state of the contract…')}</span><button class="plain" @click=${cancel}>${t('Cancel')}</button></div>`
            : nothing
          : html`${details.lacksLayout ? html`<p class="muted">${t('Names of variables need build information:')} <button class="plain link" @click=${build}>${t('Build')}</button></p>` : nothing}
            ${details.notes.map(note => html`<p class="muted">${toVisibleText(note, 500)}</p>`)}
            ${details.groups.map(group => this.#renderGroup(group, details.blocks))}`
      }`;
  }
}

customElements.define('hl-contract-state', ContractStateView);
