// Where a transaction failed, for rows that are shown without it too.
import { expect, test } from 'vitest';
import { type FailurePlaceDeps, findFailurePlace } from '../../../src/extension/abi/findFailurePlace.ts';

const find = (sources: () => Promise<unknown>) => {
  const deps = { worker: {}, abis: { sources } } as unknown as FailurePlaceDeps;
  return findFailurePlace('local', `0x${'2'.repeat(64)}`, deps, AbortSignal.any([]));
};

test('is the place that the builds of the workspace tell', async () => {
  expect(await find(async () => ({ findFailurePlace: async () => 'src/Vault.sol:41' }))).toBe('src/Vault.sol:41');
});

test('is not known where the artifacts of the workspace cannot be read', async () => {
  expect(await find(() => Promise.reject(new Error('no artifacts')))).toBeNull();
});
