// Opens the page's elements in a DOM, joined with the host's session in memory, and reads what they show.
import { afterEach, beforeEach, expect, vi } from 'vitest';
import '../../../src/webview/inspector/elements.ts';
import { Inspector } from '../../../src/webview/inspector/inspector.ts';
import { type Joined, type JoinedOptions, joinPanel } from './joined.ts';

/** Conditions come true when they do, also on a busy machine. */
export const eventually = <T>(check: () => T) => vi.waitFor(check, { timeout: 20_000 });

/** All text below a node, shadow trees included. */
export function textOf(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
  const root = (node as Element).shadowRoot;
  const children = [...(root?.childNodes ?? []), ...node.childNodes];
  return children
    .filter(child => (child as Element).tagName !== 'STYLE')
    .map(textOf)
    .join(' ');
}

/** The first element below a node that fits, shadow trees included. */
export function find(node: ParentNode, selector: string): HTMLElement | null {
  const here = node.querySelector<HTMLElement>(selector);
  if (here !== null) return here;
  for (const element of node.querySelectorAll('*')) {
    const inside = element.shadowRoot === null ? null : find(element.shadowRoot, selector);
    if (inside !== null) return inside;
  }
  return null;
}

let page: Inspector | undefined;

beforeEach(() => {
  // As the host's document has it: icons warn without.
  const { happyDOM } = window as unknown as { happyDOM: { settings: { handleDisabledFileLoadingAsSuccess: boolean } } };
  happyDOM.settings.handleDisabledFileLoadingAsSuccess = true;
  const icons = document.createElement('link');
  icons.id = 'vscode-codicon-stylesheet';
  icons.setAttribute('href', 'codicon.css');
  icons.setAttribute('nonce', 'x');
  document.head.append(icons);
});

export async function open(options: JoinedOptions): Promise<{ page: Inspector; joined: Joined }> {
  const joined = joinPanel(options);
  page = new Inspector(joined.api);
  joined.connect(message => page?.link.receive(message));
  document.body.append(page);
  return { page, joined };
}

export const shows = (text: string | RegExp) =>
  eventually(() => {
    const shown = textOf(document.body).replace(/\s+/g, ' ');
    if (typeof text === 'string') expect(shown).toContain(text);
    else expect(shown).toMatch(text);
  });

afterEach(() => {
  page?.remove();
  page = undefined;
  document.body.replaceChildren();
  document.head.replaceChildren();
});
