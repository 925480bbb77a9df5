import { expect, test } from 'vitest';
import { findFailedTransaction, parseFailedCall } from '../../../../src/view/source/parseFailedCall.ts';

const FROM = '0x1111111111111111111111111111111111111111';
const TO = '0x2222222222222222222222222222222222222222';
const DATA = '0xa9059cbb0000000000000000000000003333333333333333333333333333333333333333';

const ERROR = `0x08c379a0${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${'6e6f'.padEnd(64, '0')}`;
/** `withdraw(uint256,address)` with 5 and the sender. */
const WITHDRAW = `0x00f714ce${'5'.padStart(64, '0')}${FROM.slice(2).padStart(64, '0')}`;
const HASH = `0x${'ab'.repeat(32)}`;
const HARDHAT = `eth_sendTransaction
  Contract call:       Vault#withdraw
  Transaction:         ${HASH}
  From:                ${FROM}
  To:                  ${TO}
  Value:               1 ETH
  Gas used:            23456 of 30000000
  Block #3:            0x${'cd'.repeat(32)}
  Error: reverted`;

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
    'ethers’ error, beside the data of the error',
    `execution reverted: "no" (action="call", data="${ERROR}", reason="no", transaction={ "data": "${DATA}", "from": "${FROM}", "to": "${TO}" }, revert={ "args": [ "no" ] }, code=CALL_EXCEPTION)`,
    { from: FROM, to: TO, data: DATA },
  ],
  [
    'viem’s error of a function with arguments',
    `The contract function "withdraw" reverted.
Contract Call:
  address:   ${TO}
  function:  withdraw(uint256 amount, address to)
  args:              (5, ${FROM})
  sender:    ${FROM}`,
    { from: FROM, to: TO, data: WITHDRAW },
  ],
  [
    'Anvil’s log',
    `Request: EthCall(WithOtherFields { inner: TransactionRequest { from: Some(${FROM}), to: Some(Call(${TO})), gas_price: None, gas: Some(65536), value: Some(5), input: TransactionInput { input: None, data: Some(${DATA}) }, nonce: None }, other: OtherFields {} }, Some(latest), None, None)
    Error: Execution error: execution reverted: no`,
    { from: FROM, to: TO, data: DATA, value: '0x5', gas: '0x10000' },
  ],
  [
    'a command of cast',
    `$ cast send ${TO} "withdraw(uint256,address)" 5 ${FROM} --from ${FROM} --unlocked --value 1gwei --rpc-url http://127.0.0.1:8545
Error: server returned an error response: error code 3: execution reverted: no, data: "${ERROR}": no`,
    { from: FROM, to: TO, data: WITHDRAW, value: '0x3b9aca00' },
  ],
  [
    'a command of cast with results and on two lines',
    `cast call --rpc-url http://127.0.0.1:8545 ${TO} 'withdraw(uint256,address)(bool)' 5 \\\n  ${FROM}`,
    { from: `0x${'0'.repeat(40)}`, to: TO, data: WITHDRAW },
  ],
  ['a command of cast with data', `cast call ${TO} ${DATA}`, { from: `0x${'0'.repeat(40)}`, to: TO, data: DATA }],
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

test('finds the transaction where the log has no data of the call', () => {
  expect([parseFailedCall(HARDHAT), findFailedTransaction(HARDHAT)]).toEqual([null, HASH]);
  const anvil = `    Transaction: ${HASH}\n    Gas used: 21160\n    Error: reverted with: no\n    Block Hash: 0x${'cd'.repeat(32)}`;
  expect([parseFailedCall(anvil), findFailedTransaction(anvil)]).toEqual([null, HASH]);
  expect(findFailedTransaction(`tx: ${HASH} tx: 0x${'ac'.repeat(32)}`)).toBeNull();
});

test.each([
  '',
  'Error: something failed',
  `hash: 0x${'ab'.repeat(32)}`,
  'data: 0x12',
  `Error: server returned an error response: error code 3: execution reverted: no, data: "${ERROR}": no`,
  `execution reverted, data: "0x6ca7b806", from: ${TO.slice(0, 20)}`,
])('finds none in %j', text => {
  expect(parseFailedCall(text)).toBeNull();
});

test('takes time in proportion to the text', () => {
  const start = performance.now();
  parseFailedCall('from data to value '.repeat(20_000));
  parseFailedCall(`data: 0x${'a'.repeat(300_000)}`);
  expect(performance.now() - start).toBeLessThan(2_000);
});
