// What `--strict-dates` rejects: everything that the description drops by a date, and nothing else.
import { describe, expect, test } from 'vitest';
import type { Input, OperationId } from '../../src/api/operations/operations.ts';
import { checkDatedChanges } from '../../src/api/wire/checkDatedChanges.ts';
import { encodeRequest } from '../../src/api/wire/request.ts';

const address = `0x${'a1'.repeat(20)}` as const;
const topic = `0x${'b2'.repeat(32)}` as const;
const check = <Id extends OperationId>(id: Id, input: Input<Id>) => checkDatedChanges(encodeRequest(id, input));

describe('strict dates', () => {
  test('reject logs without topic0, and the other topics', () => {
    expect(() => check('contractLogs', { address })).toThrow('topic0 is required since 2023-09-04');
    expect(() => check('contractLogs', { address, topic0: topic, topic1: topic, topic3: topic })).toThrow(
      'topic1 was removed on 2023-09-04, topic3 was removed on 2023-09-04',
    );
    expect(() => check('contractLogs', { address, topic0: topic })).not.toThrow();
  });

  test('reject the direction of transfers', () => {
    expect(() => check('walletNftTransfers', { address, direction: 'both' })).toThrow(
      'direction was removed on 2023-09-04',
    );
    expect(() => check('walletNftTransfers', { address })).not.toThrow();
  });

  test('reject ERC-20 mints as removed', () => {
    expect(() => check('erc20Mints', {})).toThrow(expect.objectContaining({ code: 'removed', status: 410 }));
  });

  test('leave what is only deprecated, or gone from one host', () => {
    expect(() => check('contractNftTransfers', { address, disableTotal: false })).not.toThrow();
    expect(() => check('nftLowestPrice', { address })).not.toThrow();
    expect(() => check('nftTransfers', {})).not.toThrow();
    expect(() => check('aptosWalletNfts', { limit: 1, ownerAddresses: ['0x1'] })).not.toThrow();
  });
});
