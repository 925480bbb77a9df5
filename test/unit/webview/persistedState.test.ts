// What a page writes to the disk when the window is closed.
import { expect, test } from 'vitest';
import type { InspectorTarget } from '../../../src/protocol/inspectorTarget.ts';
import { parsePersistedState, toSavedState } from '../../../src/webview/inspector/persistedState.ts';

const FROM = `0x${'a1'.repeat(20)}` as const;
const TO = `0x${'b2'.repeat(20)}` as const;
const ADDRESS_WORD = `${'0'.repeat(24)}${'c3'.repeat(20)}`;
const AMOUNT_WORD = '5'.padStart(64, '0');
const NEGATIVE_WORD = 'f'.repeat(64);
const KEY_WORD = '7f3a'.repeat(16);

const simulated = (words: readonly string[]): InspectorTarget => ({
  kind: 'simulation',
  chain: 'local',
  simulation: { from: FROM, to: TO, data: `0xa9059cbb${words.join('')}` },
});

function save(target: InspectorTarget): InspectorTarget | undefined {
  const panel = { version: 1, stops: [{ id: 1, target }], position: 0 } as unknown as Parameters<
    typeof toSavedState
  >[1];
  return toSavedState(parsePersistedState(undefined), panel).stops[0]?.target;
}

test.each([[[ADDRESS_WORD, AMOUNT_WORD]], [[NEGATIVE_WORD]], [[]]])(
  'a simulated call with the arguments %j is saved',
  words => {
    expect(save(simulated(words))).toEqual(simulated(words));
  },
);

test('a simulated call with an argument that may be a key is saved as the page of its contract', () => {
  expect(save(simulated([ADDRESS_WORD, KEY_WORD]))).toEqual({ kind: 'address', chain: 'local', address: TO });
});

test('so is one with code or storage in place of that of the chain that may have a key', () => {
  const withOverrides = (overrides: object) => {
    const target = simulated([AMOUNT_WORD]) as Extract<InspectorTarget, { kind: 'simulation' }>;
    return { ...target, simulation: { ...target.simulation, overrides: { [TO]: overrides } } } as InspectorTarget;
  };
  const page = { kind: 'address', chain: 'local', address: TO };
  expect(save(withOverrides({ code: `0x7f${KEY_WORD}50` }))).toEqual(page);
  expect(save(withOverrides({ stateDiff: { [`0x${AMOUNT_WORD}`]: `0x${KEY_WORD}` } }))).toEqual(page);
  const harmless = withOverrides({ balance: '0x5', stateDiff: { [`0x${AMOUNT_WORD}`]: `0x${ADDRESS_WORD}` } });
  expect(save(harmless)).toEqual(harmless);
});

const KEY = `0x${KEY_WORD}`;
test.each([
  ['args balanceOf(address)', KEY, undefined],
  ['call balanceOf(address)', KEY, undefined],
  ['reads/from', KEY, undefined],
  ['value', KEY.slice(2), undefined],
  ['block', KEY, undefined],
  ['filter', `transfer ${KEY}`, undefined],
  ['reads/from', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
  ['filter', 'transfer', 'transfer'],
])('what is typed for a call is saved without what may be a key: %s, %s', (name, value, expected) => {
  const persisted = { ...parsePersistedState(undefined), pageStates: { 1: { [name]: value } } };
  const saved = toSavedState(persisted, { stops: [], at: 0, pinned: false } as unknown as Parameters<
    typeof toSavedState
  >[1]);
  expect(saved.views[1]?.[name]).toBe(expected);
});
