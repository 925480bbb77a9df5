// Which errors of `eth_call` are of the contract: a fault of the node must not be taken for an answer, nor the other way round.
import { expect, test } from 'vitest';
import { isContractFailure } from '../../../../src/service/evm/callResult.ts';

test.each([
  'execution reverted: not the owner',
  'VM Exception while processing transaction: revert',
  'out of gas',
  'out of gas: gas required exceeds: 5000000',
  'invalid opcode: INVALID',
  'invalid jump destination',
  'InvalidJumpDestination',
  'BadInstruction',
  'stack underflow (0 <=> 1)',
  'stack limit reached 1024 (1023)',
  'StackOverflow',
  'return data out of bounds',
  'gas uint64 overflow',
  'max call depth exceeded',
  'write protection',
  'AccessViolation',
  'EVM error: OutOfOffset',
  'EVM error StackOverflow',
])('"%s" is the failure of a contract', message => {
  expect(isContractFailure({ code: -32000, message, data: null })).toBe(true);
});

test.each([
  'header not found',
  'missing trie node 5f (path )',
  'required historical state unavailable (reexec=128)',
  'block range is too wide',
  'rate limit exceeded',
  'daily request count exceeded, request rate limited',
  'execution timeout',
  'request timed out',
  'Internal error',
  'the method eth_call does not exist/is not available',
  'unknown block',
  'Response size exceeded',
  'upstream returned unknown code 503',
  'invalid codec',
])('"%s" is a fault of the node', message => {
  expect(isContractFailure({ code: -32000, message, data: null })).toBe(false);
});
