// The name that a line of code gives an address.
import { expect, test } from 'vitest';
import { findAssignedName } from '../../../src/detect/findAssignedName.ts';

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const nameIn = (line: string) => findAssignedName(line.replace('@', ADDRESS), line.indexOf('@'));

test.each([
  ['address constant TREASURY = @;', 'TREASURY'],
  ['TREASURY=@', 'TREASURY'],
  ["export const vault: Address = '@';", 'vault'],
  ['  "feeToken": "@",', 'feeToken'],
  ['  owner_wallet: @', 'owner_wallet'],
  ['Vault vault = Vault(@);', 'vault'],
  ['IERC20 token = IERC20(payable(@));', 'token'],
  ['vault := common.HexToAddress("@")', 'vault'],
  ['vault?: "@"', 'vault'],
])('%s names it %s', (line, name) => {
  expect(nameIn(line)).toBe(name);
});

test.each([
  '@',
  'transfer(@, 5)',
  '// sent to @',
  '"address": "@"',
  'if (owner == @)',
  '= @',
  `${'('.repeat(10_000)}@`,
])('nothing in %s names it', line => {
  expect(nameIn(line)).toBeNull();
});
