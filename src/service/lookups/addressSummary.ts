// `addressSummary`: balance, code and, behind code, the token or the proxy's implementation; one batch, a second for code.
import { type Hex, isHex, quantity, smallQuantity } from '../../base/hex.ts';
import { freshnessOfNow } from '../evm/evmNode.ts';
import { sizeOf } from '../evm/evmRecords.ts';
import type { RpcAnswer } from '../evm/rpcMessage.ts';
import { tokenCalls, tokenOf } from '../evm/tokenProbe.ts';
import type { Lookup } from './lookup.ts';

/** ERC-1967: keccak256("eip1967.proxy.implementation") - 1. */
export const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
/** EIP-7702: what the code of an account begins with that delegates to another's. */
const DELEGATION = '0xef0100';
const DELEGATION_SIZE = 23;

export const addressSummary: Lookup<'addressSummary'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const address = input.address.toLowerCase() as Hex;
  const { state, answers } = await node.ask(
    [
      { method: 'eth_getBalance', params: [address, 'latest'] },
      { method: 'eth_getTransactionCount', params: [address, 'latest'] },
      { method: 'eth_getCode', params: [address, 'latest'] },
      { method: 'eth_blockNumber', params: [] },
    ],
    signal,
  );
  const [balanceAnswer, nonceAnswer, codeAnswer, heightAnswer] = answers;
  const balance = quantity(node.result('eth_getBalance', balanceAnswer));
  if (balance === null) throw node.rpc.doubt('eth_getBalance', 'it is not a quantity');
  const code = codeAnswer?.result;
  const codeSize = isHex(code) ? sizeOf(code) : null;
  const delegate = delegateOf(code, codeSize);
  const isContract = codeSize !== null && codeSize > 0 && delegate === null;
  const [slotAnswer, ...tokenAnswers] = isContract
    ? await node.rpc.askAll(
        [{ method: 'eth_getStorageAt', params: [address, IMPLEMENTATION_SLOT, 'latest'] }, ...tokenCalls(address)],
        signal,
      )
    : [];
  const value = {
    kind: 'address',
    chain: state.chain,
    address,
    balance,
    nonce: smallQuantity(nonceAnswer?.result),
    codeSize,
    delegate,
    implementation: implementationIn(slotAnswer),
    token: isContract ? tokenOf(tokenAnswers) : null,
    blockNumber: smallQuantity(heightAnswer?.result) ?? state.headNumber,
  } as const;
  return { value, freshness: freshnessOfNow(node, state) };
};

function delegateOf(code: unknown, size: number | null): Hex | null {
  if (size !== DELEGATION_SIZE || typeof code !== 'string' || !code.toLowerCase().startsWith(DELEGATION)) return null;
  return `0x${code.slice(DELEGATION.length).toLowerCase()}`;
}

/** The address in the slot; a slot that holds anything else belongs to something else. */
function implementationIn(answer: RpcAnswer | undefined): Hex | null {
  const word = answer?.result;
  if (!isHex(word) || word.length !== 66 || BigInt(word) === 0n || !/^0x0{24}/.test(word)) return null;
  return `0x${word.slice(26).toLowerCase()}`;
}
