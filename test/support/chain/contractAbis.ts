// The functions, constructors and events of the test chain's contracts, and how a call of them is encoded.
import { from as functionFrom } from 'ox/AbiFunction';
import { encode as encodeParameters, from as parametersFrom } from 'ox/AbiParameters';
import { keccak256 } from 'ox/Hash';
import { bytesToHex, type Hex } from '../../../src/base/hex.ts';
import type { TopicName } from './testChain.ts';

export { encodeData } from 'ox/AbiFunction';

export const apesAbi = {
  mint: functionFrom('function mint(address to, uint256 id)'),
  mintMany: functionFrom('function mintMany(address to, uint256 first, uint256 count)'),
  transferFrom: functionFrom('function transferFrom(address from, address to, uint256 id)'),
  safeTransferFrom: functionFrom('function safeTransferFrom(address from, address to, uint256 id)'),
  setApprovalForAll: functionFrom('function setApprovalForAll(address operator, bool approved)'),
  burn: functionFrom('function burn(uint256 id)'),
};

export const artAbi = {
  mint: functionFrom('function mint(address to, uint256 id, string uri)'),
};

export const itemsAbi = {
  mint: functionFrom('function mint(address to, uint256 id, uint256 amount)'),
  mintBatch: functionFrom('function mintBatch(address to, uint256[] ids, uint256[] amounts)'),
  transfer: functionFrom('function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)'),
  transferBatch: functionFrom(
    'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
  ),
  burnBatch: functionFrom('function burnBatch(address account, uint256[] ids, uint256[] amounts)'),
};

export const tokenAbi = {
  mint: functionFrom('function mint(address to, uint256 amount)'),
  transfer: functionFrom('function transfer(address to, uint256 amount)'),
  approve: functionFrom('function approve(address spender, uint256 amount)'),
};

export const vaultAbi = {
  pay: functionFrom('function pay(address to, uint256 amount)'),
  split: functionFrom('function split(address[] to)'),
  payThrough: functionFrom('function payThrough(address[] path, address picky)'),
  openPurses: functionFrom('function openPurses(address owner, bytes32 salt)'),
  failWithReason: functionFrom('function failWithReason()'),
  failWithPanic: functionFrom('function failWithPanic(uint256 zero)'),
  burnGas: functionFrom('function burnGas()'),
};

export const cannonAbi = {
  fire: functionFrom('function fire(address from, address to, uint256 firstId, uint256 count)'),
};

const tokenParameters = parametersFrom('string, string, uint8');
const oneUint = parametersFrom('uint256');
const oneAddress = parametersFrom('address');

/** Encoded constructor arguments, to be appended to the creation code. */
export const constructorArguments = {
  token: (name: string, symbol: string, decimals: number) =>
    encodeParameters(tokenParameters, [name, symbol, decimals]),
  oldToken: (supply: bigint) => encodeParameters(oneUint, [supply]),
  seaport: (conduitController: Hex) => encodeParameters(oneAddress, [conduitController]),
};

export function encodeCreationCode(bytecode: Hex, constructorArguments: Hex = '0x'): Hex {
  return `${bytecode}${constructorArguments.slice(2)}` as Hex;
}

const encoder = new TextEncoder();

/** topic0: the hash of the event's signature. */
export function getEventTopic(signature: string): Hex {
  return keccak256(encoder.encode(signature), { as: 'Hex' });
}

export function toTextHex(text: string): Hex {
  return bytesToHex(encoder.encode(text));
}

const SPENT = '(uint8,address,uint256,uint256)[]';
const RECEIVED = '(uint8,address,uint256,uint256,address)[]';

export const topics: Readonly<Record<TopicName, Hex>> = {
  transfer: getEventTopic('Transfer(address,address,uint256)'),
  approval: getEventTopic('Approval(address,address,uint256)'),
  approvalForAll: getEventTopic('ApprovalForAll(address,address,bool)'),
  transferSingle: getEventTopic('TransferSingle(address,address,address,uint256,uint256)'),
  transferBatch: getEventTopic('TransferBatch(address,address,address,uint256[],uint256[])'),
  orderFulfilled: getEventTopic(`OrderFulfilled(bytes32,address,address,address,${SPENT},${RECEIVED})`),
  deposited: getEventTopic('Deposited(address,uint256)'),
  paid: getEventTopic('Paid(address,uint256)'),
  refused: getEventTopic('Refused(address,uint256,bytes)'),
};
