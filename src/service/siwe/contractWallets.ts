// Contract wallets: asks a node of the message's chain whether the account itself takes the signature.
import { universalSignatureValidatorBytecode } from 'ox/erc6492/SignatureErc6492';
import { toHexChainId } from '../../api/chains.ts';
import { HexLensError, isFault } from '../../base/errors.ts';
import { type Hex, isHex } from '../../base/hex.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import type { EvmNodes } from '../evm/evmNodes.ts';
import type { RpcCall, RpcError, RpcResponse } from '../evm/rpcMessage.ts';

/** A question to the account `address` on chain `chainId`. */
export interface WalletSignature {
  readonly address: Hex;
  readonly chainId: number;
  /** The EIP-191 digest of the message. */
  readonly digest: Hex;
  readonly signature: Hex;
  /** The signature is an ERC-6492 one: the wallet need not be there yet. */
  readonly isWrapped: boolean;
}

/** `no-code`: at the address there is no contract. `no-node`: no node is configured for the chain; `fault` says how to add one. */
export type WalletVerdict =
  | { readonly verdict: 'accepts' | 'refuses' | 'no-code' }
  | { readonly verdict: 'no-node'; readonly fault: HexLensError };

export interface ContractWallets {
  /** Rejects with the faults of the node. */
  verify(question: WalletSignature, signal?: AbortSignal): Promise<WalletVerdict>;
}

/** `isValidSignature(bytes32,bytes)` of ERC-1271: its selector, and what it answers to a good signature. */
const SELECTOR = '1626ba7e';
const MAGIC = `0x${SELECTOR}${'0'.repeat(56)}`;

const word = (value: number) => value.toString(16).padStart(64, '0');

/** A `bytes` argument: its length and its data in whole words. */
function bytesArgument(hex: Hex): string {
  const digits = hex.slice(2).toLowerCase();
  return word(digits.length / 2) + digits.padEnd(Math.ceil(digits.length / 64) * 64, '0');
}

const validityCall = ({ address, digest, signature }: WalletSignature): RpcCall => ({
  method: 'eth_call',
  params: [{ to: address, data: `0x${SELECTOR}${digest.slice(2)}${word(0x40)}${bytesArgument(signature)}` }, 'latest'],
});

/** The deployless validator of ERC-6492: runs the factory's call, asks the wallet, answers one byte, changes nothing. */
function deploylessCall({ address, digest, signature }: WalletSignature): RpcCall {
  const signer = address.slice(2).toLowerCase().padStart(64, '0');
  const data = `${universalSignatureValidatorBytecode}${signer}${digest.slice(2)}${word(0x60)}${bytesArgument(signature)}`;
  return { method: 'eth_call', params: [{ data }, 'latest'] };
}

/** Whether the words of a refusal say that the contract failed, as opposed to the node. */
function contractFailed({ code, message }: RpcError): boolean {
  return (
    code === 3 ||
    /revert|invalid opcode|out of gas|stack (under|over)flow|invalid jump|vm (exception|error)/i.test(message)
  );
}

export function createContractWallets(nodes: EvmNodes): ContractWallets {
  const callResult = (node: EvmNode, answer: RpcResponse | undefined): Hex | null => {
    if (answer?.refusal !== undefined && contractFailed(answer.refusal)) return null;
    const result = node.getResult('eth_call', answer);
    if (!isHex(result)) throw node.rpc.invalidResponse('eth_call', 'it is not hex');
    return result;
  };

  const find = async (chainId: number, signal: AbortSignal | undefined): Promise<EvmNode | HexLensError> => {
    try {
      return await nodes.find(toHexChainId(chainId), signal);
    } catch (error) {
      if (error instanceof HexLensError && isFault(error, 'no-node')) return error;
      throw error;
    }
  };

  return {
    async verify(question, signal) {
      const node = await find(question.chainId, signal);
      if (node instanceof HexLensError) return { verdict: 'no-node', fault: node };
      if (question.isWrapped) {
        const { responses: answers } = await node.sendWithState([deploylessCall(question)], signal);
        const result = callResult(node, answers[0]);
        return { verdict: result !== null && /^0x0*1$/.test(result) ? 'accepts' : 'refuses' };
      }
      const code: RpcCall = { method: 'eth_getCode', params: [question.address, 'latest'] };
      const { responses: answers } = await node.sendWithState([code, validityCall(question)], signal);
      const found = node.getResult('eth_getCode', answers[0]);
      if (!isHex(found)) throw node.rpc.invalidResponse('eth_getCode', 'it is not hex');
      if (found === '0x') return { verdict: 'no-code' };
      return { verdict: callResult(node, answers[1])?.toLowerCase() === MAGIC ? 'accepts' : 'refuses' };
    },
  };
}
