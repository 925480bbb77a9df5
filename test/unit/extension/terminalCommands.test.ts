// Command lines that are copied into a terminal.
import { expect, test } from 'vitest';
import { formatCastCommand } from '../../../src/extension/inspector/terminalCommands.ts';

const formatLogs = (parameters: Readonly<Record<string, string>>) =>
  formatCastCommand({ kind: 'operation', operation: 'contractLogs', parameters }, { getNodeUrl: () => 'http://[::1]' });

test('a parameter is never an option of cast', () => {
  expect(formatLogs({ address: '0x1', topic0: '--rpc-url=https://attacker.example' })).toMatch(
    / --rpc-url 'http:\/\/\[::1\]' -- --rpc-url=https:\/\/attacker\.example$/,
  );
});

test.each([
  [{ topic1: `0x${'11'.repeat(32)}` }], // would be taken for topic 0
  [{ topic0: `0x${'11'.repeat(32)}`, topic2: `0x${'22'.repeat(32)}` }],
  [{ blockNumber: '7' }],
  [{ fromDate: '2026-11-21' }],
  [{ toDate: '2026-11-21' }],
])('cast has no command for logs by %j', parameters => {
  expect(formatLogs({ address: '0x1', ...parameters } as Record<string, string>)).toBeNull();
});

test('a shell interprets no parameter', () => {
  expect(formatLogs({ address: "'; touch x; '" })).toContain(`--address=''\\''; touch x; '\\'''`);
  expect(formatLogs({ address: '0x1', topic0: '$(touch x)' })).toContain("-- '$(touch x)'");
});
