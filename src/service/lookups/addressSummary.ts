// `addressSummary`: balance, code and, behind code, the token or the proxy's implementation; one batch, a second for code.
import { type Hex, isHex, parseQuantity, parseSafeQuantity } from '../../base/hex.ts';
import { getLiveFreshness } from '../evm/evmNode.ts';
import { getByteLength } from '../evm/abiWords.ts';
import type { RpcResponse } from '../evm/rpcMessage.ts';
import { createTokenProbeCalls, parseTokenProbe } from '../evm/tokenProbe.ts';
import type { Lookup } from './lookup.ts';

/** ERC-1967: keccak256("eip1967.proxy.implementation") - 1. */
export const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
/** EIP-7702: what the code of an account begins with that delegates to another's. */
const DELEGATION = '0xef0100';
const DELEGATION_SIZE = 23;

export const addressSummary: Lookup<'addressSummary'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const address = input.address.toLowerCase() as Hex;
  const { state, responses: answers } = await node.sendWithState(
    [
      { method: 'eth_getBalance', params: [address, 'latest'] },
      { method: 'eth_getTransactionCount', params: [address, 'latest'] },
      { method: 'eth_getCode', params: [address, 'latest'] },
      { method: 'eth_blockNumber', params: [] },
    ],
    signal,
  );
  const [balanceAnswer, nonceAnswer, codeAnswer, heightAnswer] = answers;
  const balance = parseQuantity(node.getResult('eth_getBalance', balanceAnswer));
  if (balance === null) throw node.rpc.invalidResponse('eth_getBalance', 'it is not a quantity');
  const code = codeAnswer?.result;
  const codeSize = isHex(code) ? getByteLength(code) : null;
  const delegate = delegateOf(code, codeSize);
  const isContract = codeSize !== null && codeSize > 0 && delegate === null;
  const [slotAnswer, ...tokenAnswers] = isContract
    ? await node.rpc.sendAll(
        [
          { method: 'eth_getStorageAt', params: [address, IMPLEMENTATION_SLOT, 'latest'] },
          ...createTokenProbeCalls(address),
        ],
        signal,
      )
    : [];
  const value = {
    kind: 'address',
    chain: state.chain,
    address,
    balance,
    nonce: parseSafeQuantity(nonceAnswer?.result),
    codeSize,
    delegate,
    implementation: implementationIn(slotAnswer),
    token: isContract ? parseTokenProbe(tokenAnswers) : null,
    blockNumber: parseSafeQuantity(heightAnswer?.result) ?? state.headNumber,
  } as const;
  return { value, freshness: getLiveFreshness(node, state) };
};

function delegateOf(code: unknown, size: number | null): Hex | null {
  if (size !== DELEGATION_SIZE || typeof code !== 'string' || !code.toLowerCase().startsWith(DELEGATION)) return null;
  return `0x${code.slice(DELEGATION.length).toLowerCase()}`;
}

/** The address in the slot; a slot that holds anything else belongs to something else. */
function implementationIn(answer: RpcResponse | undefined): Hex | null {
  const word = answer?.result;
  if (!isHex(word) || word.length !== 66 || BigInt(word) === 0n || !/^0x0{24}/.test(word)) return null;
  return `0x${word.slice(26).toLowerCase()}`;
}
