// Back and forward in a panel, and what a panel of an earlier window has saved.
import { expect, test } from 'vitest';
import { createPanelHistory, parseSavedPanel } from '../../../src/extension/inspector/panelHistory.ts';
import type { InspectorTarget } from '../../../src/protocol/inspectorTarget.ts';

const block = (number: number): InspectorTarget => ({ kind: 'block', chain: 'local', block: String(number) });

test('goes back and forward, and drops what was ahead when something else is opened', () => {
  const history = createPanelHistory(block(1));
  const shown = () => (history.current().target as { readonly block: string }).block;
  expect(history.open(block(2))).toBe(true);
  expect(history.open(block(3))).toBe(true);
  expect(history.open(block(3))).toBe(false);
  expect([shown(), history.index, history.entries.length]).toEqual(['3', 2, 3]);
  expect(history.go(0)).toBe(true);
  expect(shown()).toBe('1');
  for (const index of [0, -1, 3]) expect(history.go(index)).toBe(false);
  expect(history.go(1)).toBe(true);
  expect(history.open(block(4))).toBe(true);
  expect(history.entries.map(({ target }) => target)).toEqual([1, 2, 4].map(block));
  expect(history.go(3)).toBe(false);
  expect(new Set(history.entries.map(({ id }) => id)).size).toBe(3);
});

test('has the newest fifty entries', () => {
  const history = createPanelHistory(block(0));
  for (let number = 1; number < 60; number++) history.open(block(number));
  expect(history.entries).toHaveLength(50);
  expect(history.current().target).toEqual(block(59));
  expect(history.entries[0]?.target).toEqual(block(10));
});

test('continues a panel of an earlier window, with ids of its own', () => {
  const stops = [
    { id: 7, target: block(1) },
    { id: 9, target: block(2) },
  ];
  const saved = parseSavedPanel({ stops, at: 0, pinned: true });
  expect(saved).toEqual({ entries: stops, index: 0, isPinned: true });
  const history = createPanelHistory(block(1), saved ?? undefined);
  history.open(block(3));
  expect(history.current().id).toBe(10);
});

test('of an earlier window: a wrong position is the last one, anything else invalid is no panel', () => {
  const stops = [{ id: 1, target: block(1) }];
  for (const at of [-1, 1, 0.5, 'x', undefined])
    expect(parseSavedPanel({ stops, at })).toEqual({ entries: stops, index: 0, isPinned: false });
  for (const value of [
    null,
    'text',
    {},
    { stops: [] },
    { stops: [null] },
    { stops: [{ id: 1, target: { kind: 'other' } }] },
    { stops: [{ id: 'a', target: block(1) }] },
    { stops: Array.from({ length: 51 }, (_, id) => ({ id, target: block(id) })) },
  ])
    expect(parseSavedPanel(value)).toBeNull();
});
