// Keeps the keyboard focus inside the page when an update removes the focused element.
import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** The focused element, in whatever shadow tree it is. */
function getFocusedElement(): Element | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}

export const isAnythingFocused = (): boolean =>
  document.activeElement !== null && document.activeElement !== document.body;

/**
 * Dispatches `focus-lost` when an update of the host removed the focused element. `detail` is that element's
 * `data-focus-key`, by which the next page has the same element, or `null`.
 */
export class FocusGuard implements ReactiveController {
  readonly #host: HTMLElement;
  #focused: Element | null = null;

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    host.addController(this);
  }

  hostUpdate(): void {
    this.#focused = isAnythingFocused() ? getFocusedElement() : null;
  }

  hostUpdated(): void {
    if (this.#focused === null || isAnythingFocused()) return;
    const detail = this.#focused.getAttribute('data-focus-key');
    this.#focused = null;
    this.#host.dispatchEvent(new CustomEvent('focus-lost', { bubbles: true, composed: true, detail }));
  }
}
