// Opens the inspector's page in a DOM, connected to the extension's session in memory, and reads what it shows.
import { afterEach, beforeEach, expect, vi } from 'vitest';
import '../../../src/webview/inspector/elements.ts';
import { Inspector } from '../../../src/webview/inspector/inspector.ts';
import { STATE_LIMIT_MS } from '../../support/timeLimits.ts';
import { type ConnectedPanel, type ConnectedPanelOptions, connectPanel } from './connectedPanel.ts';
import { prepareDocument, textOf } from './dom.ts';

/** Waits for a condition, with time enough for a busy machine. */
export const eventually = <T>(check: () => T) => vi.waitFor(check, { timeout: STATE_LIMIT_MS });

export const shows = (text: string | RegExp) =>
  eventually(() => {
    const shown = textOf(document.body).replace(/\s+/g, ' ');
    if (typeof text === 'string') expect(shown).toContain(text);
    else expect(shown).toMatch(text);
  });

/** To be called once per test file, outside of tests: every page ends with its test. */
export function createPageFixture() {
  const ends: (() => void)[] = [];
  beforeEach(prepareDocument);
  afterEach(() => {
    for (const end of ends.splice(0)) end();
    document.body.replaceChildren();
    document.head.replaceChildren();
  });
  return {
    async open(options: ConnectedPanelOptions): Promise<{ page: Inspector; connected: ConnectedPanel }> {
      const connected = connectPanel(options);
      const opened = new Inspector(connected.api);
      ends.push(() => {
        opened.remove();
        connected.session.dispose(); // else it polls and calls for ever
      });
      connected.connect(message => opened.channel.receive(message));
      document.body.append(opened);
      return { page: opened, connected };
    },
  };
}
