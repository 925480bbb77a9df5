// Opens the page's elements in a DOM, joined with the host's session in memory, and reads what they show.
import { afterEach, beforeEach, expect, vi } from 'vitest';
import '../../../src/webview/inspector/elements.ts';
import { Inspector } from '../../../src/webview/inspector/inspector.ts';
import { type ConnectedPanel, type ConnectedPanelOptions, connectPanel } from './connectedPanel.ts';
import { prepareDocument, textOf } from './dom.ts';

/** Conditions come true when they do, also on a busy machine. */
export const eventually = <T>(check: () => T) => vi.waitFor(check, { timeout: 20_000 });

let page: Inspector | undefined;

beforeEach(prepareDocument);

export async function open(options: ConnectedPanelOptions): Promise<{ page: Inspector; joined: ConnectedPanel }> {
  const joined = connectPanel(options);
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
