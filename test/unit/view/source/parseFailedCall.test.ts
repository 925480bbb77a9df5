import { expect, test } from 'vitest';
import { parseFailedCall } from '../../../../src/view/source/parseFailedCall.ts';

const FROM = '0x1111111111111111111111111111111111111111';
const TO = '0x2222222222222222222222222222222222222222';
const DATA = '0xa9059cbb0000000000000000000000003333333333333333333333333333333333333333';

test.each([
  [
    'Hardhat’s log',
    `eth_sendTransaction
  Contract call:       Vault#withdraw
  Transaction:         0x${'ab'.repeat(32)}
  From:                ${FROM}
  To:                  ${TO}
  Value:               1 ETH
  Gas used:            23456 of 30000000
  Data:                ${DATA}
  Error: reverted with custom error 'Locked(5)'`,
    { from: FROM, to: TO, data: DATA, value: '0xde0b6b3a7640000' },
  ],
  [
    'viem’s error',
    `ContractFunctionExecutionError: The contract function "withdraw" reverted.
Raw Call Arguments:
  from:  ${FROM}
  to:    ${TO}
  data:  ${DATA}
  value: 0.5 ETH
Docs: https://viem.sh/docs`,
    { from: FROM, to: TO, data: DATA, value: '0x6f05b59d3b20000' },
  ],
  [
    'ethers’ error',
    `Error: execution reverted (action="estimateGas", data="0x", reason=null, transaction={ "data": "${DATA}", "from": "${FROM}", "to": "${TO}" }, code=CALL_EXCEPTION)`,
    { from: FROM, to: TO, data: DATA },
  ],
  [
    'a request as JSON',
    `{"method":"eth_call","params":[{"from":"${FROM}","to":"${TO}","input":"${DATA}","gas":"0x5208"},"0x1f"]}`,
    { from: FROM, to: TO, data: DATA, gas: '0x5208' },
  ],
  ['a call without a sender', `to: ${TO}, data: ${DATA}`, { from: `0x${'0'.repeat(40)}`, to: TO, data: DATA }],
  ['a creation', `from: ${FROM}\ndata: 0x6080604052`, { from: FROM, to: null, data: '0x6080604052' }],
  ['a plain transfer', `from=${FROM} to=${TO} value=5`, { from: FROM, to: TO, data: '0x', value: '0x5' }],
])('finds the call in %s', (_, text, expected) => {
  expect(parseFailedCall(text)).toEqual(expected);
});

test.each(['', 'Error: something failed', `hash: 0x${'ab'.repeat(32)}`, 'data: 0x12'])('finds none in %j', text => {
  expect(parseFailedCall(text)).toBeNull();
});

test('takes time in proportion to the text', () => {
  const start = performance.now();
  parseFailedCall('from data to value '.repeat(20_000));
  parseFailedCall(`data: 0x${'a'.repeat(300_000)}`);
  expect(performance.now() - start).toBeLessThan(2_000);
});
