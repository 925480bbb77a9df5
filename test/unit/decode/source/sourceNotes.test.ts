import { expect, test } from 'vitest';
import { localize } from '../../../../src/base/localize.ts';
import { getSourceNotes } from '../../../../src/decode/source/fetchTransactionSource.ts';

test('of what Ignition deployed with other settings than those of the last build, it says once which build has lines', () => {
  const info = 'ignition/deployments/chain-31337/build-info/solc-0_8_30-';
  const missing = ['651c', '2c5c'].map(id => ({ kind: 'missingFile' as const, path: `${info}${id}.output.json` }));
  const other = { kind: 'missingFile' as const, path: 'artifacts/build-info/1.json' };
  const unmatched = new Map([...missing, other].map((code, i) => [`0x0${i}`, code] as const));
  const notes = getSourceNotes({ stack: null, calls: [], unmatched, lostSources: [] } as never);
  expect(notes.map(localize)).toEqual([
    'artifacts/build-info/1.json is missing: build the project again for lines.',
    expect.stringContaining('npx hardhat build --build-profile production'),
  ]);
});
