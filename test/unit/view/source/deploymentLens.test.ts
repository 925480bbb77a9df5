import { expect, test } from 'vitest';
import {
  formatDeployments,
  formatFunctionDifference,
  formatUnknownDifference,
  type ShownDeployment,
} from '../../../../src/view/source/deploymentLens.ts';

const vault: ShownDeployment = {
  name: 'Vault',
  address: '0x00000000000000000000000000000000000000aa',
  chainTitle: 'Local dev chain',
  state: 'your build',
  isEdited: false,
};

test('names each deployment with its chain, and whether it is the build', () => {
  expect(formatDeployments([], 0)).toBe('No known deployment');
  expect(
    formatDeployments(
      [vault, { ...vault, name: 'Old', state: 'differs from your build in 3 bytes', isEdited: true }],
      0,
    ),
  ).toBe(
    'Vault (Local dev chain): your build · Old (Local dev chain): differs from your build in 3 bytes, source edited since',
  );
});

test('tells deployments of one name apart by their addresses', () => {
  const second: ShownDeployment = { ...vault, address: '0x00000000000000000000000000000000000000bb' };
  expect(formatDeployments([vault, second, { ...vault, chainTitle: 'base' }], 0)).toBe(
    'Vault 0x0000…00AA (Local dev chain): your build · Vault 0x0000…00bb (Local dev chain): your build · Vault (base): your build',
  );
});

test('counts those that do not fit', () => {
  expect(formatDeployments([vault, vault, vault, vault, vault], 0)).toMatch(/your build · 2 more$/);
});

test('does not say that there is none where chains were not read', () => {
  expect(formatDeployments([], 1)).toBe('1 deployment on a chain that was not read');
  expect(formatDeployments([vault], 2)).toBe(
    'Vault (Local dev chain): your build · 2 deployments on chains that were not read',
  );
});

test.each([
  [['Vault.deposit'], 5, 'differs in 1 function: Vault.deposit'],
  [['Vault.deposit', 'Fees.charge'], 5, 'differs in 2 functions: Vault.deposit, Fees.charge'],
  [['a', 'b', 'c', 'd'], 5, 'differs in 4 functions: a, b, c, …'],
  [['a', 'b'], 2, 'differs in all functions'],
])('says in which functions a deployment differs: %j of %i', (different, all, expected) => {
  expect(formatFunctionDifference({ different, all, isInferred: false })).toBe(expected);
});

test('says that functions of an optimized build via IR are inferred', () => {
  expect(formatFunctionDifference({ different: ['Vault.deposit'], all: 5, isInferred: true })).toBe(
    'differs in 1 function (inferred): Vault.deposit',
  );
  expect(formatFunctionDifference({ different: ['a', 'b'], all: 5, isInferred: true })).toBe(
    'differs in 2 functions (inferred): a, b',
  );
});

test('says that the functions are not known', () => {
  expect(formatUnknownDifference('differs from your build in 3 bytes')).toBe(
    'differs from your build in 3 bytes; in which functions is not known',
  );
});
