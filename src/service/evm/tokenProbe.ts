// Whether a contract is a token, and which: asked of the contract itself.

import type { TokenSummary } from '../../api/lookups.ts';
import { type Hex, hexToBytes, isHex } from '../../base/hex.ts';
import type { RpcCall, RpcResponse } from './rpcMessage.ts';

const LONGEST_TEXT = 64;

/** ERC-165: `supportsInterface(bytes4)`. */
const supports = (id: string): Hex => `0x01ffc9a7${id}${'0'.repeat(56)}`;

/** In the order in which the answers are read below. */
const QUESTIONS: readonly Hex[] = [
  supports('01ffc9a7'), // ERC-165 itself
  supports('ffffffff'), // must be false: a contract that says yes to everything says nothing
  supports('80ac58cd'), // ERC-721
  supports('d9b67a26'), // ERC-1155
  '0x06fdde03', // name()
  '0x95d89b41', // symbol()
  '0x313ce567', // decimals()
  '0x18160ddd', // totalSupply()
];

export const createTokenProbeCalls = (address: Hex): readonly RpcCall[] =>
  QUESTIONS.map(data => ({ method: 'eth_call', params: [{ to: address, data }, 'latest'] }));

/** The token that the answers to `tokenCalls` show; `null` when it is none that we know. A call that reverts is a "no". */
export function parseTokenProbe(answers: readonly RpcResponse[]): TokenSummary | null {
  const [erc165, nothing, erc721, erc1155, name, symbol, decimals, totalSupply] = answers;
  const honest = isTrue(erc165) && !isTrue(nothing);
  const shared = {
    name: decodeTextResponse(name),
    symbol: decodeTextResponse(symbol),
    totalSupply: wordOf(totalSupply),
  };
  if (honest && isTrue(erc721)) return { standard: 'ERC721', ...shared, decimals: null };
  if (honest && isTrue(erc1155)) return { standard: 'ERC1155', ...shared, decimals: null };
  if (shared.totalSupply === null || (shared.name === null && shared.symbol === null)) return null;
  const places = wordOf(decimals);
  const known = places !== null && places <= 255n;
  return { standard: 'ERC20', ...shared, decimals: known ? Number(places) : null };
}

/** The first 32 bytes of a call's answer; `null` when it reverted or gave less. */
function wordOf(answer: RpcResponse | undefined): bigint | null {
  const data = answer?.result;
  return isHex(data) && data.length >= 66 ? BigInt(data.slice(0, 66)) : null;
}

function isTrue(answer: RpcResponse | undefined): boolean {
  return wordOf(answer) === 1n;
}

/** An ABI `string`, or the `bytes32` of tokens older than that convention; `null` when it is neither or empty. */
export function decodeTextResponse(answer: RpcResponse | undefined): string | null {
  const data = answer?.result;
  if (!isHex(data) || data.length < 66) return null;
  const bytes = hexToBytes(data.length % 2 === 0 ? data : (data.slice(0, -1) as Hex));
  if (bytes.length === 32) {
    const end = bytes.indexOf(0);
    return cleanText(bytes.subarray(0, end < 0 ? 32 : end));
  }
  const offset = smallWord(bytes, 0);
  const length = offset === null ? null : smallWord(bytes, offset);
  if (offset === null || length === null || offset + 32 + length > bytes.length) return null;
  return cleanText(bytes.subarray(offset + 32, offset + 32 + length));
}

/** A 32-byte word below 2^24 at a byte offset; `null` when it is larger or past the end. */
function smallWord(bytes: Uint8Array, offset: number): number | null {
  if (offset + 32 > bytes.length) return null;
  let value = 0;
  for (const byte of bytes.subarray(offset, offset + 32)) {
    value = value * 256 + byte;
    if (value >= 1 << 24) return null;
  }
  return value;
}

const decoder = new TextDecoder();

/** Without control and direction characters, which could change how the line around it reads. */
function cleanText(bytes: Uint8Array): string | null {
  const text = decoder
    .decode(bytes.subarray(0, 4 * LONGEST_TEXT))
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
    .trim();
  const cut = [...text].slice(0, LONGEST_TEXT).join('');
  return cut === '' ? null : cut;
}
