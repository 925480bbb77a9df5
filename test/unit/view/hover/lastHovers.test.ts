// Hovers while the node does not respond: the last text with its age.
import { expect, test } from 'vitest';
import { HexLensError } from '../../../../src/base/errors.ts';
import { formatRelativeTime } from '../../../../src/view/formatTime.ts';
import { createLastHovers } from '../../../../src/view/hover/lastHovers.ts';

const unreachable = new HexLensError('node-unreachable', 'The node does not respond.');

test('shows the last text with its age and times of now, the fault and a retry', () => {
  let now = Date.UTC(2026, 10, 20);
  const hovers = createLastHovers({ now: () => now });
  expect(hovers.render('local 0x1', unreachable, '[Retry](x)')).toBeNull();
  const minedAt = new Date(now - 60_000);
  hovers.set('local 0x1', at => `**5 ETH** ${formatRelativeTime(minedAt, at)}`);
  now += 120_000;
  expect(hovers.render('local 0x1', unreachable, '[Retry](x)')).toBe(
    '**5 ETH** 3 minutes ago\n\n$(history) Read 2 minutes ago\\. The node does not respond\\. · [Retry](x)',
  );
  expect(hovers.render('eth 0x1', unreachable, '')).toBeNull();
  hovers.clear();
  expect(hovers.render('local 0x1', unreachable, '')).toBeNull();
});

test('does not hide a fault of the request itself', () => {
  const hovers = createLastHovers({ now: () => 0 });
  hovers.set('local 0x1', () => '**5 ETH**');
  expect(hovers.render('local 0x1', new HexLensError('node-error', 'Wrong.'), '')).toBeNull();
});
