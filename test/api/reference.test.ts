// The Markdown reference: complete, with links that resolve and tables that are well formed.
import { describe, expect, test } from 'vitest';
import { chains } from '../../src/api/chains.ts';

import { decisions, renderReference } from '../../src/api/docs/reference.ts';
import { operationIds, operations } from '../../src/api/operations/operations.ts';
import { getWireName, type Parameters } from '../../src/api/operations/parameters.ts';
import { faults } from '../../src/base/errors.ts';

const markdown = renderReference();
const lines = markdown.split('\n');

/** GitHub's rule for the anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const headings = lines.filter(line => /^#{1,6} /.test(line)).map(line => line.replace(/^#+ /, ''));

/** The text from a heading to the next of its level or above. */
function section(heading: string): string {
  const start = lines.indexOf(heading);
  expect(start, heading).toBeGreaterThanOrEqual(0);
  const level = /^#+/.exec(heading)?.[0].length ?? 0;
  const end = lines.findIndex((line, index) => index > start && (/^(#+) /.exec(line)?.[1]?.length ?? 9) <= level);
  return lines.slice(start, end < 0 ? undefined : end).join('\n');
}

describe('the reference', () => {
  test('is the same text each time it is rendered', () => {
    expect(renderReference()).toBe(markdown);
  });

  test.each(operationIds)('has %s with its path, every parameter and its reply', id => {
    const operation = operations[id];
    const text = section(`### ${id}`);
    expect(text).toContain(`${operation.method} `);
    expect(text).toContain(operation.path);
    for (const [name, parameter] of Object.entries(operation.parameters as Parameters)) {
      const row = text.split('\n').find(line => line.startsWith(`| \`${getWireName(name, parameter)}\``));
      expect(row, name).toBeDefined();
      expect(row?.includes('**required**'), name).toBe(parameter.required);
      for (const day of [parameter.removedSince, parameter.requiredSince])
        if (day !== undefined) expect(row).toContain(day);
    }
    expect(text).toContain(`Reply ${operation.reply.status}: `);
    expect(text).toContain(`[${operation.reply.record.name}]`);
    if ('deprecatedSince' in operation) expect(text).toContain(`Deprecated since ${operation.deprecatedSince}`);
  });

  test('lists every field of every record', () => {
    for (const id of operationIds) {
      const { record } = operations[id].reply;
      const text = section(`### ${record.name} record`);
      for (const [, wire] of record.wires) expect(text, `${record.name}.${wire}`).toContain(`| \`${wire}\` |`);
    }
    expect(section('### TransactionLog record')).toContain(
      '| `topic3` | string, 32 bytes in lower-case hex | left out |',
    );
    expect(section('### Block record')).toContain(
      '| `transactions` | array of [Transaction](#transaction-record) | always there |',
    );
    expect(section('### Transaction record')).toContain('| `to_address` | string, address in lower case | `null` |');
  });

  test('lists all chains, decisions, codes and limits', () => {
    for (const { name } of chains) expect(section('## Chains')).toContain(`| \`${name}\` |`);
    for (const [question] of decisions) expect(section('## Decisions')).toContain(`| ${question} |`);
    const codes = Object.keys(faults).filter(code => code !== 'cancelled');
    for (const code of codes) expect(section('## Errors')).toContain(`\`${code}\``);
    expect(section('## Limits')).toMatch(/`wallet_addresses` \| 1 to 25 items; required \| walletBalances/);
    expect(section('## Limits')).toMatch(/`exclude_wallets` \| 1 to 100 items \| erc20Mints/);
  });

  test('states which of two parameters takes precedence', () => {
    expect(section('### contractLogs')).toContain(
      'Where `block_number` is given, `from_block`, `to_block`, `from_date` and `to_date` are not used.',
    );
    expect(section('### nftTransfers')).toContain('Where `to_block` is given, `to_date` is not used.');
  });

  test('has unique anchors, and links that resolve', () => {
    const anchors = headings.map(anchorOf);
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([]);
    const links = [...markdown.matchAll(/\]\(#([^)]*)\)/g)].map(match => match[1] ?? '');
    expect(links.length).toBeGreaterThan(operationIds.length * 2);
    for (const link of links) expect(anchors).toContain(link);
  });

  test('has tables with rows as wide as their heads', () => {
    let width = 0;
    for (const line of lines) {
      if (!line.startsWith('|')) {
        width = 0;
        continue;
      }
      const cells = line.split(/(?<!\\)\|/).length;
      if (width === 0) width = cells;
      expect(cells, line).toBe(width);
    }
  });

  test('contains no HTML', () => {
    const prose = lines.slice(1).map(line => line.replace(/`[^`]*`/g, ''));
    expect(prose.filter(line => /(?<!\\)<\w/.test(line))).toEqual([]);
    expect(markdown).toContain('\\<address\\>::\\<module\\>::\\<name\\>');
  });

  test('ends with one line feed and has no trailing spaces', () => {
    expect(markdown).toMatch(/[^\n]\n$/);
    expect(lines.filter(line => /\s$/.test(line))).toEqual([]);
  });
});
