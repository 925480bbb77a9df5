// Opens the inspector's page in a DOM, connected to the extension's session in memory, and reads what it shows.
import { afterEach, beforeEach, expect, vi } from 'vitest';
import '../../../src/webview/inspector/elements.ts';
import { Inspector } from '../../../src/webview/inspector/inspector.ts';
import { type ConnectedPanel, type ConnectedPanelOptions, connectPanel } from './connectedPanel.ts';
import { prepareDocument, textOf } from './dom.ts';

/** Waits for a condition, with time enough for a busy machine. */
export const eventually = <T>(check: () => T) => vi.waitFor(check, { timeout: 20_000 });

let page: Inspector | undefined;

beforeEach(prepareDocument);

export async function open(options: ConnectedPanelOptions): Promise<{ page: Inspector; connected: ConnectedPanel }> {
  const connected = connectPanel(options);
  page = new Inspector(connected.api);
  connected.connect(message => page?.channel.receive(message));
  document.body.append(page);
  return { page, connected };
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
