// The same contract on two chains, in one hover.
import { expect, test } from 'vitest';
import { RepeatedHovers } from '../../../../src/view/hover/repeatedHovers.ts';

const show = (chain: string, balance = '0 ETH') =>
  [
    `**Contract** on ${chain}`,
    `Balance **${balance}** · 120 bytes of code`,
    `$(verified) \`Vault\`, your build · [Go to source](command:hexlens.openSource?${chain} "Open")`,
    `[Inspect](command:hexlens.inspect?${chain} "Open")`,
  ].join('  \n');

test('what another chain has shown is not repeated, also when the hover is shown again', () => {
  const hovers = new RepeatedHovers();
  const short = '**Contract** on Fork · the same as on Local  \n[Inspect](command:hexlens.inspect?Fork "Open")';
  for (const _ of ['first', 'again']) {
    expect(hovers.shorten('a.ts 3', 'Local', show('Local'))).toBe(show('Local'));
    expect(hovers.shorten('a.ts 3', 'Fork', show('Fork'))).toBe(short);
  }
});

test('what differs, or is at another place, is shown whole', () => {
  const hovers = new RepeatedHovers();
  hovers.shorten('a.ts 3', 'Local', show('Local'));
  expect(hovers.shorten('a.ts 3', 'Fork', show('Fork', '1 ETH'))).toBe(show('Fork', '1 ETH'));
  expect(hovers.shorten('a.ts 9', 'Other', show('Other'))).toBe(show('Other'));
});
