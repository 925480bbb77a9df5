// The focus never falls out of the page: what had it may vanish, then somebody else takes it.
import type { ReactiveController, ReactiveControllerHost } from 'lit';

export const somebodyHasFocus = (): boolean =>
  document.activeElement !== null && document.activeElement !== document.body;

/** Tells `focus-lost` when an update of the host took away what had the focus. */
export class KeepFocus implements ReactiveController {
  readonly #host: HTMLElement;
  #had = false;

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    host.addController(this);
  }

  hostUpdate(): void {
    this.#had = somebodyHasFocus();
  }

  hostUpdated(): void {
    if (!this.#had || somebodyHasFocus()) return;
    this.#host.dispatchEvent(new CustomEvent('focus-lost', { bubbles: true, composed: true }));
  }
}
