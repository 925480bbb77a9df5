// The focus never falls out of the page: what had it may vanish, then somebody else takes it.
import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** What has the focus, in whatever shadow tree it is. */
function focused(): Element | null {
  let found = document.activeElement;
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
  return found;
}

export const isAnythingFocused = (): boolean =>
  document.activeElement !== null && document.activeElement !== document.body;

/**
 * Tells `focus-lost` when an update of the host took away what had the focus; `detail` is its `data-again`, the name by
 * which it is found again on the next page, or `null`.
 */
export class FocusGuard implements ReactiveController {
  readonly #host: HTMLElement;
  #had: Element | null = null;

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    host.addController(this);
  }

  hostUpdate(): void {
    this.#had = isAnythingFocused() ? focused() : null;
  }

  hostUpdated(): void {
    if (this.#had === null || isAnythingFocused()) return;
    const detail = this.#had.getAttribute('data-again');
    this.#had = null;
    this.#host.dispatchEvent(new CustomEvent('focus-lost', { bubbles: true, composed: true, detail }));
  }
}
