// Every limit of every operation: values beyond it are rejected by field name on both sides.
import { describe, expect, test } from 'vitest';
import { basePaths } from '../../src/api/operations/operation.ts';
import { type OperationId, operationIds, operations } from '../../src/api/operations/operations.ts';
import { getWireName, isListKind, type Parameters } from '../../src/api/operations/parameters.ts';
import { A, collectIssues, encodeAny, get, getIssues, getRequestIssues, HASH } from './inputIssues.ts';

describe('every limit, exceeded', () => {
  const path = (id: OperationId) => {
    const values: Readonly<Record<string, string>> = {
      address: A,
      token_id: '1',
      block_number_or_hash: '1',
      transaction_hash: HASH,
      coin_type: '0x1::a::B',
      collection_data_id_hash: HASH,
    };
    return (
      basePaths[operations[id].group][0] +
      operations[id].path.replace(/:([a-z0-9_]+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
    );
  };
  const samples: Readonly<Record<string, string>> = {
    evmAddress: A,
    aptosAddress: '0x1',
    aptosHash: HASH,
    coinType: '0x1::a::B',
    uint64: '7',
  };
  const gets = operationIds.filter(id => operations[id].method === 'GET');
  const integers = gets.flatMap(id =>
    Object.entries(operations[id].parameters as Parameters).flatMap(([name, parameter]) => {
      const [, min, max] = /from (\d+) to (\d+)$/.exec(parameter.kind.hint) ?? [];
      return parameter.in === 'query' && min !== undefined
        ? [{ id, wire: getWireName(name, parameter), name, min: Number(min), max: Number(max) }]
        : [];
    }),
  );
  const lists = gets.flatMap(id =>
    Object.entries(operations[id].parameters as Parameters).flatMap(([name, parameter]) => {
      const { kind } = parameter;
      return isListKind(kind)
        ? [
            {
              id,
              wire: getWireName(name, parameter),
              name,
              max: kind.bounds.max,
              sample: samples[kind.item.name] ?? '',
            },
          ]
        : [];
    }),
  );

  test('has the bounds that the description names', () => {
    const bounds = (id: OperationId, wire: string) => lists.find(list => list.id === id && list.wire === wire)?.max;
    expect(bounds('walletBalances', 'wallet_addresses')).toBe(25);
    for (const wire of ['contract_addresses', 'exclude_contracts', 'wallet_addresses', 'exclude_wallets'])
      expect(bounds('erc20Mints', wire)).toBe(100);
    expect(integers.filter(({ wire }) => wire === 'limit')).toHaveLength(20);
    expect(lists).toHaveLength(22);
  });

  test.each(integers)('is rejected by $id: $wire is from $min to $max', ({ id, wire, min, max }) => {
    for (const value of [min - 1, max + 1, 'x'])
      expect(getRequestIssues(path(id), `${wire}=${value}`)).toHaveProperty(wire);
    for (const value of [min, max])
      expect(collectIssues(() => get(path(id), `${wire}=${value}`))).not.toHaveProperty(wire);
  });

  test.each(lists)(
    'is rejected by $id: it takes at most $max $wire, in every form of array',
    ({ id, wire, max, sample }) => {
      const forms = [
        (_: number) => wire,
        (_: number) => `${wire}[]`,
        (i: number) => `${wire}[${i}]`,
        (i: number) => `${wire}%5B${i}%5D`,
      ];
      for (const form of forms) {
        const query = (count: number) =>
          Array.from({ length: count }, (_, i) => `${form(i)}=${encodeURIComponent(sample)}`).join('&');
        expect(getRequestIssues(path(id), query(max + 1))[wire]).toBe(
          `${wire} must contain not more than ${max} elements: it has ${max + 1}`,
        );
        expect(collectIssues(() => get(path(id), query(max)))).not.toHaveProperty(wire);
      }
    },
  );

  test.each(lists)(
    '$id: the client refuses too many $wire before anything is sent',
    ({ id, wire, name, max, sample }) => {
      const values = Array.from({ length: max + 1 }, () => (sample === '7' ? 7n : sample));
      expect(getIssues(() => encodeAny(id, { [name]: values }))[wire]).toMatch(
        new RegExp(`^${wire} must contain not more than ${max}`),
      );
    },
  );

  test('requires limit in group C only', () => {
    for (const id of gets) {
      const issues = collectIssues(() => get(path(id)));
      if (operations[id].group === 'aptos')
        expect(issues).toHaveProperty('limit', 'limit is required: a whole number from 1 to 100');
      else expect(issues).not.toHaveProperty('limit');
    }
  });
});
