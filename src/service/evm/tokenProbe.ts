// Whether a contract is a token, and which, by what the contract itself returns.

import type { TokenSummary } from '../../api/lookups.ts';
import type { Hex } from '../../base/hex.ts';
import { decodeStringOrBytes32, decodeUint256At } from './abiWords.ts';
import { ERC165_CALLS, parseErc165 } from './erc165.ts';
import { getReturnData, type RpcCall, type RpcResponse, toEthCall } from './rpcMessage.ts';

/** Characters of a name or symbol that are shown. */
const MAX_TEXT_CHARACTERS = 64;

/** Call data, in the order in which `parseTokenProbe` reads the responses. */
const CALLS: readonly Hex[] = [
  ...ERC165_CALLS,
  '0x06fdde03', // name()
  '0x95d89b41', // symbol()
  '0x313ce567', // decimals()
  '0x18160ddd', // totalSupply()
];

export const createTokenProbeCalls = (address: Hex): readonly RpcCall[] => CALLS.map(data => toEthCall(address, data));

/** The token that the responses to `createTokenProbeCalls` show; `null` when it is none of the known standards. */
export function parseTokenProbe(responses: readonly RpcResponse[]): TokenSummary | null {
  const { standard } = parseErc165(responses.slice(0, ERC165_CALLS.length).map(getReturnData));
  const [name, symbol, decimals, totalSupply] = responses.slice(ERC165_CALLS.length);
  const shared = {
    name: decodeTextResponse(name),
    symbol: decodeTextResponse(symbol),
    totalSupply: decodeUint256At(getReturnData(totalSupply), 0),
  };
  if (standard !== null) return { standard, ...shared, decimals: null };
  if (shared.totalSupply === null || (shared.name === null && shared.symbol === null)) return null;
  const places = decodeUint256At(getReturnData(decimals), 0);
  return { standard: 'ERC20', ...shared, decimals: places !== null && places <= 255n ? Number(places) : null };
}

const decoder = new TextDecoder();

/** A name or symbol that a call returned, fit to be shown in a line; `null` when there is none or it is empty. */
export function decodeTextResponse(response: RpcResponse | undefined): string | null {
  const bytes = decodeStringOrBytes32(getReturnData(response), 4 * MAX_TEXT_CHARACTERS);
  if (bytes === null) return null;
  // Control and direction characters could change how the text around it reads.
  const clean = decoder
    .decode(bytes)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
    .trim();
  const text = [...clean].slice(0, MAX_TEXT_CHARACTERS).join('');
  return text === '' ? null : text;
}
