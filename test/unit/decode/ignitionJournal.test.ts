// The block of a contract's creation in a journal of Hardhat Ignition.
import { expect, test } from 'vitest';
import { findCreationBlock } from '../../../src/decode/ignitionJournal.ts';

const VAULT = '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512';
const JOURNAL = `
{"chainId":31337,"type":"DEPLOYMENT_INITIALIZE"}
{"futureId":"M#Vault","result":{"address":"0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512"},"contractAddress":"x"}
{"futureId":"M#Vault","receipt":{"blockNumber":12,"contractAddress":"0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512"}}
{"futureId":"M#Next","receipt":{"blockNumber":13,"contractAddress":"0x5FbDB2315678afecb367f032d93F642f64180aa3"`;

test.each([
  [VAULT, 12],
  ['0x5fbdb2315678afecb367f032d93f642f64180aa3', null],
  ['0x0000000000000000000000000000000000000001', null],
] as const)('the contract %s was created in block %s', (address, block) => {
  expect(findCreationBlock(JOURNAL, address)).toBe(block);
});
