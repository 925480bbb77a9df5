// The focus never falls out of the page: what had it may vanish, then somebody else takes it.
import type { ReactiveController, ReactiveControllerHost } from 'lit';

type Host = ReactiveControllerHost & HTMLElement;

/** Tells `focus-lost` when an update of the host took away what had the focus. */
export class KeepFocus implements ReactiveController {
  readonly #host: Host;
  #had = false;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  hostUpdate(): void {
    this.#had = this.#host.shadowRoot?.activeElement != null;
  }

  hostUpdated(): void {
    if (!this.#had || this.#host.shadowRoot?.activeElement != null) return;
    this.#host.dispatchEvent(new CustomEvent('focus-lost', { bubbles: true, composed: true }));
  }
}
