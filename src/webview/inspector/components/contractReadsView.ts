// The tab Read and Simulate: functions with what they return; read-only ones without arguments are read at once.
import { css, html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import {
  type ContractFunction,
  type FunctionCall,
  type FunctionParameter,
  type FunctionResult,
  MAX_CALLS_PER_READ,
  MAX_DECLARED_FUNCTIONS,
  MAX_SIGNATURE_LENGTH,
} from '../../../protocol/contractReads.ts';
import { AmountUnitsController } from '../amountUnitsController.ts';
import { FocusGuard } from '../focusGuard.ts';
import type { PageContext } from '../pageContext.ts';
import { PageElement } from '../pageElement.ts';
import { RequestController } from '../requestController.ts';
import { toVisibleText } from '../rows/cellFormat.ts';
import { baseStyles } from '../styles.ts';
import { renderTargetLink } from './targetLink.ts';
import { renderCopyButton, renderValue, renderValueTable, shortenType, valueStyles } from './valueTable.ts';

const readStyles = css`
  .result { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 6px; min-width: 0; }
  .result > .value { min-width: 0; overflow-wrap: anywhere; white-space: pre-wrap; max-height: 320px; overflow: auto; }
  .result.list { flex-wrap: nowrap; align-items: flex-start; }
  .result table { margin-top: 0; }
  .problem { color: var(--vscode-errorForeground); overflow-wrap: anywhere; }
  .signature { overflow-wrap: anywhere; }
  .signature b { font-weight: 600; }
  .waiting { color: var(--vscode-descriptionForeground); }
  .simulated a { text-decoration: underline; }
`;

const formatParameters = (parameters: readonly FunctionParameter[]): string =>
  parameters
    .map(({ name, type }) => `${shortenType(type)}${name === '' ? '' : ` ${toVisibleText(name, 80)}`}`)
    .join(', ');

/** `balanceOf(address owner) → uint256`. */
const renderSignature = ({ name, inputs, outputs }: ContractFunction): TemplateResult =>
  html`<span class="signature mono"><b>${toVisibleText(name, 128)}</b>(${formatParameters(inputs)}) ${outputs.length === 0 ? nothing : html`<span class="muted">→ ${formatParameters(outputs)}</span>`}</span>`;

/** A list of texts that a page state holds as JSON. */
function parseTexts(json: string | undefined): readonly string[] | null {
  try {
    const texts: unknown = JSON.parse(json ?? 'null');
    return Array.isArray(texts) && texts.every(text => typeof text === 'string') ? texts : null;
  } catch {
    return null; // of another version
  }
}

const getCount = (refresh: string): string => refresh.split('.')[0] ?? '';

/**
 * Refreshes are `count.head`: the user's, which changes the count, is followed at once; a new head after the calls under
 * way have been answered, and not at all after the user has cancelled them (at the count `cancelled`).
 */
const followsRefresh = (shown: string, refresh: string, isLoading: boolean, cancelled: string | null): boolean =>
  getCount(shown) !== getCount(refresh) || (!isLoading && cancelled !== getCount(refresh));

const getUnitTokens = (results: Iterable<FunctionResult>): readonly string[] =>
  [...results].flatMap(({ values }) => values.flatMap(({ unit }) => unit ?? []));

function renderResult(
  { name, outputs }: ContractFunction,
  result: FunctionResult,
  context: PageContext,
  { units }: AmountUnitsController,
): TemplateResult {
  const { outcome, values, names, message, text, omitted } = result;
  const label = t('Copy the result of {0}', toVisibleText(name, 128));
  if (outcome !== 'returned') {
    const reason =
      outcome === 'invalid' ? t('Nothing was sent: correct the marked arguments.') : toVisibleText(message, 1_000);
    return html`<div class="result"><span class="problem"><vscode-icon name="error" size="14" aria-hidden="true"></vscode-icon> ${outcome === 'reverted' ? t('Reverted: {0}', reason) : reason}</span>${outcome === 'invalid' ? nothing : renderCopyButton(context, text, label)}</div>`;
  }
  const view = { context, names, units };
  const [only] = values;
  const isSimple = values.length === 1 && only !== undefined && !/[\])]$/.test(only.type);
  // The only value is a list or a tuple without a name: its members say all.
  const isBare = only?.name === '' && values.every(({ depth }, index) => index === 0 || depth > 0);
  const shown = isBare ? values.slice(1).map(value => ({ ...value, depth: value.depth - 1 })) : values;
  const value = isSimple
    ? html`<span class="value mono">${renderValue(only, view)}</span>`
    : shown.length === 0
      ? html`<span class="muted">${outputs.length === 0 ? t('Success') : t('an empty list')}</span>`
      : renderValueTable(shown, view);
  const rest =
    omitted === 0
      ? nothing
      : html`<p class="muted">${omitted === 1 ? t('1 more value is not shown; the copy button copies all of them.') : t('{0} more values are not shown; the copy button copies all of them.', formatInteger(omitted))}</p>`;
  return html`<div class="result ${isSimple || shown.length === 0 ? '' : 'list'}">${value}${renderCopyButton(context, text, label)}</div>${rest}`;
}

/** What a simulated call would use and do, as its own page shows it. */
function renderSimulationLink(
  { simulation, gasUsed }: FunctionResult,
  context: PageContext,
): TemplateResult | typeof nothing {
  if (simulation === undefined || gasUsed === undefined) return nothing;
  const target = { kind: 'simulation', chain: context.chain, simulation } as const;
  return html`<p class="muted simulated">${t('Simulated, never sent: {0} gas.', formatInteger(BigInt(gasUsed)))} ${renderTargetLink(context, target, t('Show calls, logs and state changes'), {})}</p>`;
}

/** What an input of the type shows while it is empty. */
function getPlaceholder(type: string): string {
  if (type.endsWith(']')) return type.includes('(') ? '[(…), (…)]' : '[…, …]';
  if (type.startsWith('(')) return '(…, …)';
  if (type === 'address') return t('0x… or a saved name');
  return type.startsWith('bytes') ? '0x…' : type === 'string' ? '' : '0';
}

/** A function with parameters: a form, and below it what the last call of it returned. */
export class ContractFunctionView extends PageElement {
  static override styles = [
    baseStyles,
    valueStyles,
    readStyles,
    css`
      summary { cursor: pointer; padding: 5px 0; }
      form { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(340px, 100%), 1fr)); gap: 8px 14px; padding: 4px 0 8px 16px; }
      .field { display: flex; flex-direction: column; gap: 3px; min-width: 0; }
      .field label { font-size: 11px; color: var(--vscode-descriptionForeground); overflow-wrap: anywhere; }
      .field .issue { color: var(--vscode-errorForeground); font-size: 11px; overflow-wrap: anywhere; }
      .field input, .field textarea { font-family: var(--vscode-editor-font-family, monospace); font-size: 0.95em; }
      .submit { align-self: end; }
      .outcome { padding: 0 0 8px 16px; }
    `,
  ];
  static override properties = {
    item: { attribute: false },
    address: {},
    block: {},
    call: { attribute: false },
    refresh: {},
    sender: {},
  };
  /** Who calls unless the user names another. */
  declare sender: string;
  declare item: ContractFunction;
  declare address: string;
  /** A number in decimal, or `latest`. */
  declare block: string;
  /** A call that the page was opened for. */
  declare call: FunctionCall | null;
  declare refresh: string;
  #result: FunctionResult | null = null;
  /** The contract and the block that `#result` was read at. */
  #resultKey = '';
  #refresh = '';
  #cancelled: string | null = null;
  #submitCount = 0;
  /** Of the call that was simulated last. */
  #sender = { from: '', value: '0' };
  /** Arguments typed here: the page state learns of them and comes back with the next update. */
  #typed: readonly string[] | null = null;
  readonly #tokens = new AmountUnitsController(this);
  readonly #onResult = (result: FunctionResult): void => {
    this.#result = result;
    this.#tokens.request(this.context.channel, this.context.chain, getUnitTokens([result]));
  };
  readonly #read = new RequestController(this, 'readContract', this.#onResult);
  readonly #simulation = new RequestController(this, 'simulateCall', this.#onResult);

  get #request(): Pick<RequestController<'readContract' | 'simulateCall'>, 'fault' | 'isLoading' | 'cancel'> {
    return this.item.isWriting ? this.#simulation : this.#read;
  }

  get #args(): readonly string[] {
    return this.#typed ?? parseTexts(this.context.pageState[`args ${this.item.signature}`]) ?? this.call?.args ?? [];
  }

  /** The arguments of the last call, which is made again when the user returns to the page. */
  get #calledArgs(): readonly string[] | null {
    const called = this.context.pageState[`call ${this.item.signature}`];
    return called === undefined ? (this.call?.args ?? null) : parseTexts(called);
  }

  get #isOpen(): boolean {
    const state = this.context.pageState[`open ${this.item.signature}`];
    return state === undefined ? this.call !== null : state === 'open';
  }

  override willUpdate(): void {
    const { channel, chain } = this.context;
    const args = this.#isOpen ? this.#calledArgs : null;
    const { address, block } = this;
    const resultKey = `${address} ${block}`;
    if (args === null || resultKey !== this.#resultKey) this.#result = null;
    this.#resultKey = resultKey;
    if (followsRefresh(this.#refresh, this.refresh, this.#request.isLoading, this.#cancelled))
      this.#refresh = this.refresh;
    const { signature, isWriting } = this.item;
    const refresh = `${this.#refresh} ${this.#submitCount}`;
    const call = args === null ? null : { signature, args };
    // A simulation is run at the user's click only, and stays as it was when blocks follow.
    const isAsked = isWriting && call !== null && this.#submitCount > 0;
    const simulated = isAsked ? { chain, address, block, call, ...this.#sender } : null;
    this.#simulation.request(channel, simulated, this.#submitCount);
    this.#read.request(channel, call === null || isWriting ? null : { chain, address, block, calls: [call] }, refresh);
  }

  override firstUpdated(): void {
    if (this.call !== null) this.scrollIntoView({ block: 'nearest' });
  }

  #set(name: 'args' | 'call' | 'open', value: string): void {
    this.context.setPageState(`${name} ${this.item.signature}`, value);
  }

  #submit(event: SubmitEvent): void {
    event.preventDefault();
    const args = JSON.stringify(this.item.inputs.map((_, index) => this.#args[index] ?? ''));
    this.#submitCount++;
    this.#cancelled = null;
    this.#result = null;
    const { from = '', value = '' } = this.context.pageState;
    this.#sender = { from: from.trim() || this.sender, value: value.trim() || '0' };
    this.#set('call', args);
  }

  #cancel(): void {
    this.#cancelled = getCount(this.refresh);
    this.#request.cancel();
  }

  #renderField({ name, type }: FunctionParameter, index: number): TemplateResult {
    const id = `argument${index}`;
    const value = this.#args[index] ?? '';
    const issue = this.#result?.issues[index] ?? null;
    const invalid = issue === null ? nothing : 'true';
    const describedBy = issue === null ? nothing : `${id}-issue`;
    const handleInput = (event: Event) => {
      const args = this.item.inputs.map((_, at) => this.#args[at] ?? '');
      args[index] = (event.target as HTMLInputElement).value;
      this.#typed = args;
      this.#set('args', JSON.stringify(args));
    };
    const control =
      type === 'bool'
        ? html`<select id=${id} aria-invalid=${invalid} aria-describedby=${describedBy} @change=${handleInput}>${['', 'true', 'false'].map(choice => html`<option value=${choice} ?selected=${choice === value}>${choice}</option>`)}</select>`
        : type === 'string' || type === 'bytes' || /[\])]$/.test(type)
          ? html`<textarea id=${id} rows="1" spellcheck="false" placeholder=${getPlaceholder(type)} aria-invalid=${invalid} aria-describedby=${describedBy} .value=${value} @input=${handleInput}></textarea>`
          : html`<input id=${id} type="text" spellcheck="false" autocomplete="off" placeholder=${getPlaceholder(type)} aria-invalid=${invalid} aria-describedby=${describedBy} .value=${value} @input=${handleInput}>`;
    return html`<div class="field"><label for=${id}>${toVisibleText(name, 80) || t('Argument {0}', index + 1)} <span class="mono">${toVisibleText(type, 200)}</span></label>${control}${issue === null ? nothing : html`<span class="issue" id=${`${id}-issue`}>${toVisibleText(issue, 400)}</span>`}</div>`;
  }

  override render(): TemplateResult {
    const { item } = this;
    const { fault, isLoading } = this.#request;
    return html`<details ?open=${this.#isOpen} @toggle=${(event: Event) => {
      const { open } = event.target as HTMLDetailsElement;
      if (open !== this.#isOpen) this.#set('open', open ? 'open' : '');
    }}><summary>${renderSignature(item)}</summary>
      <form @submit=${this.#submit}>${item.inputs.map((input, index) => this.#renderField(input, index))}<div class="submit"><button class="action" type="submit">${item.isWriting ? t('Simulate') : t('Read')}</button></div></form>
      <div class="outcome" role="status" aria-busy=${isLoading ? 'true' : 'false'}>${
        this.#result !== null
          ? html`${renderResult(item, this.#result, this.context, this.#tokens)}${renderSimulationLink(this.#result, this.context)}`
          : isLoading
            ? html`<span class="waiting">${item.isWriting ? t('Simulating…') : t('Reading…')} <button class="plain" @click=${this.#cancel}>${t('Cancel')}</button></span>`
            : nothing
      }</div>${fault === null ? nothing : html`<hl-fault-message .fault=${fault}></hl-fault-message>`}</details>`;
  }
}

customElements.define('hl-contract-function', ContractFunctionView);

export class ContractReadsView extends PageElement {
  static override styles = [
    baseStyles,
    valueStyles,
    readStyles,
    css`
      :host { padding: 0 16px 24px; }
      .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 14px; padding: 10px 0 4px; }
      .bar label { display: inline-flex; align-items: center; gap: 6px; white-space: nowrap; }
      .bar input { width: 130px; }
      .bar .filter { flex: 0 1 220px; }
      .bar.sender input { width: 24ch; }
      .bar.sender .from { width: min(50ch, 60vw); font-family: var(--vscode-editor-font-family, monospace); }
      .progress { display: inline-flex; align-items: center; gap: 8px; color: var(--vscode-descriptionForeground); }
      h2 { font-size: 1em; font-weight: 600; margin: 14px 0 4px; overflow-wrap: anywhere; }
      .function { display: grid; grid-template-columns: minmax(180px, 2fr) minmax(0, 5fr) auto; gap: 2px 16px; align-items: baseline; padding: 5px 0; }
      .function, hl-contract-function { border-bottom: 1px solid color-mix(in srgb, var(--vscode-foreground) 8%, transparent); }
      .declare { display: flex; flex-wrap: wrap; gap: 6px; padding-top: 4px; }
      .declare input { flex: 1 1 320px; min-width: 0; font-family: var(--vscode-editor-font-family, monospace); }
      .declared { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: start; }
      @media (max-width: 620px) { .function { grid-template-columns: minmax(0, 1fr); } }
    `,
  ];
  static override properties = {
    address: {},
    head: { attribute: false },
    firstHead: { attribute: false },
    call: { attribute: false },
    problem: { state: true },
    cancelAdding: { state: true },
  };
  declare address: string;
  /** The newest block of a chain that is followed: what was read at the newest block is read again at each one. */
  declare head: number | null;
  /** The newest block when the page was loaded: what is read first is not older. */
  declare firstHead: number | null;
  /** A call that the page was opened for. */
  declare call: FunctionCall | null;
  /** What is wrong with the declaration that the user typed last. */
  problem = '';
  /** Cancels the check of the declaration that the user adds; `null` while none is checked. */
  cancelAdding: (() => void) | null = null;
  #functions: readonly ContractFunction[] | null = null;
  #verifiedHosts: readonly string[] = [];
  #senders: readonly { readonly address: string; readonly name: string }[] = [];
  /** Where the ABI that was loaded is from, or that no host has one. */
  #verified = '';
  /** Incremented to ask a host about the contract. */
  #loadCount = 0;
  /** ABIs that were loaded: each may have other functions. */
  #loadedCount = 0;
  #results = new Map<string, FunctionResult>();
  /** Contract and block of the results. */
  #resultsKey = '';
  #refresh = '';
  #cancelled: string | null = null;
  /** Results of the request under way. */
  #arrived = 0;
  readonly #tokens = new AmountUnitsController(this);
  readonly #list = new RequestController(this, 'contractFunctions', ({ functions, verifiedHosts, senders }) => {
    this.#senders = senders;
    this.#functions = functions;
    this.#verifiedHosts = verifiedHosts;
  });
  readonly #load = new RequestController(this, 'loadVerifiedAbi', ({ message }) => {
    this.#verified = message;
    this.#loadedCount++;
  });
  readonly #reads = new RequestController(this, 'readContract', result => {
    this.#results.set(result.signature, result);
    this.#arrived++;
    this.#tokens.request(this.context.channel, this.context.chain, getUnitTokens([result]));
  });
  readonly focusGuard = new FocusGuard(this);

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#endAdding();
  }

  #endAdding(): void {
    this.cancelAdding?.();
    this.cancelAdding = null;
  }

  get #block(): string {
    const text = this.context.pageState['block'] ?? '';
    return /^\d{1,15}$/.test(text) ? text : 'latest';
  }

  get #declared(): readonly string[] {
    const own = parseTexts(this.context.pageState['declared']) ?? [];
    const called = this.call?.signature ?? '';
    // A call that the page was opened for may be of a function that only its declaration describes.
    const isRemoved = this.context.pageState['removed'] === called;
    return / /.test(called) && !isRemoved && !own.includes(called) ? [called, ...own] : own;
  }

  override willUpdate(): void {
    const { channel, chain, refreshCount } = this.context;
    const { address } = this;
    const block = this.#block;
    this.#list.request(
      channel,
      { chain, address, declared: this.#declared.slice(0, MAX_DECLARED_FUNCTIONS) },
      `${refreshCount} ${this.#loadedCount}`,
    );
    this.#load.request(channel, this.#loadCount === 0 ? null : { chain, address }, this.#loadCount);
    const key = `${chain} ${address} ${block}`;
    if (key !== this.#resultsKey) {
      this.#resultsKey = key;
      this.#results = new Map();
      this.#cancelled = null;
    }
    const calls = this.#immediate.map(({ signature }) => ({ signature, args: [] }));
    const refresh = this.#getRefresh();
    if (refresh !== this.#refresh && followsRefresh(this.#refresh, refresh, this.#reads.isLoading, this.#cancelled)) {
      this.#refresh = refresh;
      this.#arrived = 0;
    }
    this.#reads.request(channel, calls.length === 0 ? null : { chain, address, block, calls }, this.#refresh);
  }

  /** The functions that are read at once. */
  get #immediate(): readonly ContractFunction[] {
    return (this.#functions ?? [])
      .filter(({ inputs, isWriting }) => inputs.length === 0 && !isWriting)
      .slice(0, MAX_CALLS_PER_READ);
  }

  #getRefresh(): string {
    const { head, firstHead } = this;
    const isNew = head !== null && head !== firstHead;
    // What was read at a given block stays.
    return `${this.context.refreshCount}${this.#block === 'latest' && isNew ? `.${head}` : ''}`;
  }

  #declare(event: SubmitEvent): void {
    event.preventDefault();
    const input = (event.currentTarget as HTMLFormElement).querySelector('input');
    const text = input?.value.trim().slice(0, MAX_SIGNATURE_LENGTH) ?? '';
    if (text === '' || input === null) return;
    const declaration = / /.test(text) ? text : `${text} `;
    this.problem = '';
    let isValid = false;
    const { chain, channel } = this.context;
    this.#endAdding();
    this.cancelAdding = channel.start(
      'contractFunctions',
      { chain, address: this.address, declared: [declaration] },
      {
        onPart: ({ functions }) => {
          isValid = functions.some(({ signature, source }) => source === null && signature === declaration);
        },
        onDone: () => {
          this.cancelAdding = null;
          if (!isValid) {
            this.problem = t(
              'Write the function with its types and what it returns: balanceOf(address) returns (uint256)',
            );
            return;
          }
          input.value = '';
          this.#setDeclared([declaration, ...this.#declared.filter(other => other !== declaration)]);
          this.context.setPageState(`open ${declaration}`, 'open');
        },
        onFault: fault => {
          this.cancelAdding = null;
          this.problem = fault.message;
        },
      },
    );
  }

  #remove(declaration: string): void {
    if (declaration === this.call?.signature) this.context.setPageState('removed', declaration);
    this.#setDeclared(this.#declared.filter(other => other !== declaration));
  }

  #cancelReads(): void {
    this.#cancelled = getCount(this.#getRefresh());
    this.#reads.cancel();
  }

  #setDeclared(declared: readonly string[]): void {
    this.context.setPageState('declared', JSON.stringify(declared.slice(0, MAX_DECLARED_FUNCTIONS)));
  }

  #renderBar(): TemplateResult {
    const { pageState, setPageState } = this.context;
    const text = pageState['block'] ?? '';
    const isInvalid = text !== '' && text !== 'latest' && this.#block === 'latest';
    return html`<div class="bar">
      <label>${t('At block')} <input type="text" inputmode="numeric" spellcheck="false" autocomplete="off" placeholder="latest" aria-invalid=${isInvalid ? 'true' : nothing} .value=${text} @change=${(event: Event) => setPageState('block', (event.target as HTMLInputElement).value.trim().replace(/[.,_' ]/g, ''))}></label>
      <input class="filter" type="search" aria-label=${t('Filter functions')} placeholder=${t('Filter functions')} .value=${pageState['filter'] ?? ''} @input=${(event: Event) => setPageState('filter', (event.target as HTMLInputElement).value)}>
      ${isInvalid ? html`<span class="problem" role="alert">${t('A block is a number, or latest.')}</span>` : nothing}${this.#renderProgress()}</div>`;
  }

  #renderVerified(): TemplateResult | typeof nothing {
    if (this.#verifiedHosts.length === 0) return nothing;
    const { isLoading, fault } = this.#load;
    const hosts = this.#verifiedHosts.map(host => toVisibleText(host, 120)).join(', ');
    const load = () => {
      this.#loadCount++;
      this.requestUpdate();
    };
    return html`<p class="bar"><button class="action second" ?disabled=${isLoading} title=${t('Sends the address and the chain to {0}', hosts)} @click=${load}>${t('Load the ABI from {0}', hosts)}</button><span role="status">${isLoading ? html`${t('Asking {0}…', hosts)} <button class="plain" @click=${() => this.#load.cancel()}>${t('Cancel')}</button>` : toVisibleText(this.#verified, 1_000)}</span></p>${fault === null ? nothing : html`<hl-fault-message .fault=${fault}></hl-fault-message>`}`;
  }

  #renderProgress(): TemplateResult | typeof nothing {
    const count = this.#immediate.length;
    // A refresh shows the values before it meanwhile.
    if (!this.#reads.isLoading || this.#results.size >= count) return nothing;
    return html`<span class="progress" role="status">${t('Reading {0} of {1}…', formatInteger(Math.min(count, this.#arrived + 1)), formatInteger(count))}<button class="plain" @click=${this.#cancelReads}>${t('Cancel')}</button></span>`;
  }

  #renderFunction(item: ContractFunction): TemplateResult {
    const { context, address } = this;
    const { signature } = item;
    const call = this.call?.signature === signature ? this.call : null;
    if (!this.#immediate.includes(item))
      return html`<hl-contract-function .context=${context} .item=${item} address=${address} block=${this.#block} .call=${call} refresh=${this.#getRefresh()} sender=${this.#senders[0]?.address ?? ''}></hl-contract-function>`;
    const result = this.#results.get(signature);
    return html`<div class="function" role="group" aria-label=${toVisibleText(item.name, 128)}>${renderSignature(item)}<div>${
      result === undefined
        ? html`<span class="waiting">${this.#reads.isLoading ? t('Reading…') : '–'}</span>`
        : renderResult(item, result, context, this.#tokens)
    }</div></div>`;
  }

  #renderGroup(source: string | null, functions: readonly ContractFunction[]): TemplateResult {
    const title = source === null ? t('Added by you') : toVisibleText(source, 160);
    return html`<section aria-label=${title}><h2>${title}</h2>${repeat(
      functions,
      ({ signature }) => signature,
      item =>
        source === null
          ? html`<div class="declared">${this.#renderFunction(item)}<button class="plain" title=${t('Remove {0}', item.name)} aria-label=${t('Remove {0}', item.name)} @click=${() => this.#remove(item.signature)}><vscode-icon name="close" size="14" aria-hidden="true"></vscode-icon></button></div>`
          : this.#renderFunction(item),
    )}</section>`;
  }

  /** Functions that change the state, with who calls them: nothing of it is signed or sent. */
  #renderWriting(functions: readonly ContractFunction[]): TemplateResult | typeof nothing {
    if (functions.length === 0) return nothing;
    const { pageState, setPageState } = this.context;
    const onChange = (name: string) => (event: Event) => setPageState(name, (event.target as HTMLInputElement).value);
    const title = t('Simulate');
    return html`<section aria-label=${title}><h2>${title}</h2>
      <p class="muted">${t('These functions change the state of the chain. They are run here on its state: never signed and never sent, and no key is needed.')}</p>
      <div class="bar sender">
        <label>${t('From')} <input type="text" class="from" spellcheck="false" autocomplete="off" list="senders" placeholder=${this.#senders[0]?.address ?? '0x…'} .value=${pageState['from'] ?? ''} @change=${onChange('from')}></label>
        <label>${t('Value')} <input type="text" spellcheck="false" autocomplete="off" placeholder="0, 5 gwei, 1.5 ether" .value=${pageState['value'] ?? ''} @change=${onChange('value')}></label>
        <datalist id="senders">${this.#senders.map(({ address, name }) => html`<option value=${address}>${toVisibleText(name, 80)}</option>`)}</datalist></div>
      ${repeat(
        functions,
        ({ signature }) => signature,
        item => this.#renderFunction(item),
      )}</section>`;
  }

  #renderFunctions(functions: readonly ContractFunction[]): TemplateResult {
    const filter = (this.context.pageState['filter'] ?? '').trim().toLowerCase();
    const shown = filter === '' ? functions : functions.filter(({ name }) => name.toLowerCase().includes(filter));
    const read = shown.filter(({ isWriting }) => !isWriting);
    const sources = new Set(read.map(({ source }) => source));
    return html`${
      functions.length === 0
        ? html`<p class="muted">${t('The functions of this contract are not known: neither an artifact of the workspace nor a token standard declares them. Build the project, or add a function below.')}</p>`
        : shown.length === 0
          ? html`<p class="muted">${t('No function matches the filter.')}</p>`
          : nothing
    }${repeat(
      sources,
      source => source,
      source =>
        this.#renderGroup(
          source,
          read.filter(item => item.source === source),
        ),
    )}${this.#renderWriting(shown.filter(({ isWriting }) => isWriting))}`;
  }

  override render(): TemplateResult {
    const fault = this.#list.fault ?? this.#reads.fault;
    const functions = this.#functions;
    return html`${this.#renderBar()}${this.#renderVerified()}
      ${fault === null ? nothing : html`<hl-fault-message .fault=${fault}></hl-fault-message>`}
      ${functions === null ? (this.#list.isLoading ? html`<p class="waiting" role="status">${t('Looking for the functions of the contract…')}</p>` : nothing) : this.#renderFunctions(functions)}
      <h2 id="declare">${t('Add a function')}</h2>
      <form class="declare" aria-labelledby="declare" @submit=${this.#declare}><input type="text" spellcheck="false" autocomplete="off" aria-label=${t('Declaration of a function')} placeholder="balanceOf(address) returns (uint256)"><button class="action second" type="submit">${t('Add')}</button></form>
      ${this.cancelAdding === null ? nothing : html`<p class="progress" role="status">${t('Asking the node about the contract…')}<button class="plain" @click=${this.#endAdding}>${t('Cancel')}</button></p>`}
      ${this.problem === '' ? nothing : html`<p class="problem" role="alert">${toVisibleText(this.problem, 400)}</p>`}`;
  }
}

customElements.define('hl-contract-reads', ContractReadsView);
