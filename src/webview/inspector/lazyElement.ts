// An element whose code is a bundle of its own, loaded when it is first shown.
import { html, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { type HexLensError, toFault } from '../../base/errors.ts';

export class LazyElement {
  readonly #host: ReactiveControllerHost;
  readonly #tag: string;
  readonly #load: () => Promise<unknown>;
  /** Why the bundle could not be loaded. */
  #fault: HexLensError | null = null;

  constructor(host: ReactiveControllerHost, tag: string, load: () => Promise<unknown>) {
    this.#host = host;
    this.#tag = tag;
    this.#load = load;
  }

  #setFault(fault: HexLensError | null): void {
    this.#fault = fault;
    this.#host.requestUpdate();
  }

  /** Nothing while its code is loaded. */
  render(template: () => TemplateResult): TemplateResult {
    if (customElements.get(this.#tag) !== undefined) return template();
    if (this.#fault !== null)
      return html`<hl-fault-message .fault=${this.#fault} @fault-retry=${() => this.#setFault(null)}></hl-fault-message>`;
    this.#load().then(
      () => this.#host.requestUpdate(),
      error => this.#setFault(toFault(error)),
    );
    return html``;
  }
}
