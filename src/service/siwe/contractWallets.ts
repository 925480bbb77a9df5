// Verifies signatures of contract wallets (ERC-1271, ERC-6492) with a node of the message's chain.
import { universalSignatureValidatorBytecode } from 'ox/erc6492/SignatureErc6492';
import { toHexChainId } from '../../api/chains.ts';
import { HexLensError, isFault } from '../../base/errors.ts';
import { type Hex, isHex } from '../../base/hex.ts';
import { decodeArrayAt, encodeBytesArgument, encodeWord } from '../evm/abiWords.ts';
import { getCallResult } from '../evm/callResult.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import type { EvmNodes } from '../evm/evmNodes.ts';
import { type RpcCall, type RpcResponse, toEthCall } from '../evm/rpcMessage.ts';

export interface WalletSignature {
  /** The wallet, on chain `chainId`. */
  readonly address: Hex;
  readonly chainId: number;
  /** The EIP-191 digest of the message. */
  readonly digest: Hex;
  readonly signature: Hex;
  /** An ERC-6492 signature: the wallet need not be deployed yet. */
  readonly isWrapped: boolean;
}

export type WalletVerdict =
  /** `no-code`: the account is no contract. */
  | { readonly verdict: 'valid' | 'invalid' | 'no-code' }
  /** The wallet is not deployed yet, and the node does not run the code that would deploy it for the check. */
  | { readonly verdict: 'not-run' }
  /** No node is configured for the chain; `fault` says how to add one. */
  | { readonly verdict: 'no-node'; readonly fault: HexLensError };

/** The selector of ERC-1271's `isValidSignature(bytes32,bytes)`, which is also what it returns for a valid signature. */
const IS_VALID_SIGNATURE = '1626ba7e';
const MAGIC_VALUE = `0x${IS_VALID_SIGNATURE}${'0'.repeat(56)}`;

const encodeOffset = (bytes: number) => encodeWord(BigInt(bytes));

function toErc1271Call({ address, digest, signature }: WalletSignature): RpcCall {
  const data = `0x${IS_VALID_SIGNATURE}${digest.slice(2)}${encodeOffset(0x40)}${encodeBytesArgument(signature)}`;
  return toEthCall(address, data);
}

/**
 * Runs the validator of ERC-6492 without deploying it: it executes the wallet's factory call, queries the wallet and
 * returns one byte. `eth_call` changes no state.
 */
function toErc6492Call({ address, digest, signature }: WalletSignature): RpcCall {
  const parameters = `${encodeWord(address)}${digest.slice(2)}${encodeOffset(0x60)}${encodeBytesArgument(signature)}`;
  return { method: 'eth_call', params: [{ data: `${universalSignatureValidatorBytecode}${parameters}` }, 'latest'] };
}

/** The signature inside `abi.encode(factory, factoryCall, signature)`; `null` when it is not encoded so. */
function unwrapSignature({ signature }: WalletSignature): Hex | null {
  const inner = decodeArrayAt(signature, 0x40, 1);
  return inner === null ? null : `0x${signature.slice(2 + 2 * inner.start, 2 + 2 * (inner.start + inner.length))}`;
}

function hasCode(node: EvmNode, response: RpcResponse | undefined): boolean {
  const code = node.getResult('eth_getCode', response);
  if (!isHex(code)) throw node.rpc.invalidResponse('eth_getCode', 'it is not hex');
  return code !== '0x';
}

const isAccepted = (node: EvmNode, response: RpcResponse | undefined): boolean =>
  getCallResult(node, response)?.toLowerCase() === MAGIC_VALUE;

/**
 * A wallet that is deployed is queried itself first: chains such as zkSync run no EVM code that is not deployed, and their nodes
 * say so in any words.
 */
async function verifyWrapped(
  node: EvmNode,
  signature: WalletSignature,
  signal: AbortSignal | undefined,
): Promise<'valid' | 'invalid' | 'not-run'> {
  const inner = unwrapSignature(signature);
  if (inner === null) return 'invalid';
  const { responses } = await node.sendWithState(
    [
      { method: 'eth_getCode', params: [signature.address, 'latest'] },
      toErc1271Call({ ...signature, signature: inner }),
      toErc6492Call(signature),
    ],
    signal,
  );
  const [code, own, universal] = responses;
  const isDeployed = hasCode(node, code);
  if (isDeployed && isAccepted(node, own)) return 'valid';
  // The factory's call may also prepare a wallet that is deployed.
  if (isDeployed && universal?.error !== undefined) return 'invalid';
  // The validator returns a byte for any wallet, unless the factory fails.
  const hasVerdict = isHex(universal?.result) && universal.result !== '0x';
  if (!isDeployed && !hasVerdict && !(await runsUndeployedCode(node, signal))) return 'not-run';
  const result = getCallResult(node, universal);
  return result !== null && /^0x0*1$/.test(result) ? 'valid' : 'invalid';
}

/** Whether `eth_call` runs code that is not deployed: this code returns the byte 1. */
async function runsUndeployedCode(node: EvmNode, signal: AbortSignal | undefined): Promise<boolean> {
  const { error, result } = await node.rpc.send('eth_call', [{ data: '0x600160005360016000f3' }, 'latest'], signal);
  return error === undefined && result === '0x01';
}

export type ContractWallets = ReturnType<typeof createContractWallets>;

export function createContractWallets(nodes: EvmNodes) {
  const findNode = async (chainId: number, signal: AbortSignal | undefined): Promise<EvmNode | HexLensError> => {
    try {
      return await nodes.find(toHexChainId(chainId), signal);
    } catch (error) {
      if (error instanceof HexLensError && isFault(error, 'no-node')) return error;
      throw error;
    }
  };

  return {
    /** Rejects with the faults of the node. */
    async verify(signature: WalletSignature, signal?: AbortSignal): Promise<WalletVerdict> {
      const node = await findNode(signature.chainId, signal);
      if (node instanceof HexLensError) return { verdict: 'no-node', fault: node };
      if (signature.isWrapped) return { verdict: await verifyWrapped(node, signature, signal) };
      const codeCall: RpcCall = { method: 'eth_getCode', params: [signature.address, 'latest'] };
      const { responses } = await node.sendWithState([codeCall, toErc1271Call(signature)], signal);
      if (!hasCode(node, responses[0])) return { verdict: 'no-code' };
      return { verdict: isAccepted(node, responses[1]) ? 'valid' : 'invalid' };
    },
  };
}
