// `addressSummary`: balance, nonce and code; for a contract also its token and proxy data, in a second batch.
import { type Hex, isHex, parseQuantity, parseSafeQuantity } from '../../base/hex.ts';
import { getByteLength } from '../evm/abiWords.ts';
import { getLiveFreshness } from '../evm/evmNode.ts';
import type { RpcResponse } from '../evm/rpcMessage.ts';
import { createTokenProbeCalls, parseTokenProbe } from '../evm/tokenProbe.ts';
import type { Lookup } from './lookup.ts';

/** ERC-1967: keccak256("eip1967.proxy.implementation") - 1. */
export const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
/** EIP-7702: prefix and size of the code of an account that delegates to a contract. */
const DELEGATION_PREFIX = '0xef0100';
const DELEGATION_BYTES = 23;

export const addressSummary: Lookup<'addressSummary'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const address = input.address.toLowerCase() as Hex;
  const { state, responses } = await node.sendWithState(
    [
      { method: 'eth_getBalance', params: [address, 'latest'] },
      { method: 'eth_getTransactionCount', params: [address, 'latest'] },
      { method: 'eth_getCode', params: [address, 'latest'] },
      { method: 'eth_blockNumber', params: [] },
    ],
    signal,
  );
  const [balanceResponse, nonceResponse, codeResponse, blockNumberResponse] = responses;
  const balance = parseQuantity(node.getResult('eth_getBalance', balanceResponse));
  if (balance === null) throw node.rpc.invalidResponse('eth_getBalance', 'it is not a quantity');
  const code = codeResponse?.result;
  const codeSize = isHex(code) ? getByteLength(code) : null;
  const delegate = parseDelegate(code, codeSize);
  const isContract = codeSize !== null && codeSize > 0 && delegate === null;
  const [slotResponse, ...tokenResponses] = isContract
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
    nonce: parseSafeQuantity(nonceResponse?.result),
    codeSize,
    delegate,
    implementation: parseImplementation(slotResponse),
    token: isContract ? parseTokenProbe(tokenResponses) : null,
    blockNumber: parseSafeQuantity(blockNumberResponse?.result) ?? state.headNumber,
  } as const;
  return { value, freshness: getLiveFreshness(node, state) };
};

function parseDelegate(code: unknown, size: number | null): Hex | null {
  if (size !== DELEGATION_BYTES || typeof code !== 'string' || !code.toLowerCase().startsWith(DELEGATION_PREFIX))
    return null;
  return `0x${code.slice(DELEGATION_PREFIX.length).toLowerCase()}`;
}

/** The address in the storage slot; `null` for any other value, as the contract may use the slot differently. */
function parseImplementation(response: RpcResponse | undefined): Hex | null {
  const word = response?.result;
  if (!isHex(word) || word.length !== 66 || BigInt(word) === 0n || !/^0x0{24}/.test(word)) return null;
  return `0x${word.slice(26).toLowerCase()}`;
}
