// Which owner rows still hold, by calling the contracts: for an index that does not reach the node's head yet.
import type { Hex } from '../../base/hex.ts';
import { decodeAddressAt, decodeUint256At, encodeWord } from '../evm/abiWords.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { getReturnData, type RpcCall, type RpcResponse } from '../evm/rpcMessage.ts';
import type { OwnerRow } from '../store/rows.ts';

const OWNER_OF = '0x6352211e'; // ownerOf(uint256)
const PUNK_INDEX_TO_ADDRESS = '0x58178168'; // punkIndexToAddress(uint256)
const BALANCE_OF = '0x00fdd58e'; // balanceOf(address,uint256)

/** The rows that still hold, with their present amounts. One call per row, in batches. */
export async function fetchCurrentHoldings(
  node: EvmNode,
  rows: readonly OwnerRow[],
  signal: AbortSignal | undefined,
): Promise<readonly OwnerRow[]> {
  const responses = await node.rpc.sendAll(rows.map(toHoldingCall), signal);
  return rows.map((row, index) => toCurrentRow(row, responses[index])).filter(row => row !== null);
}

function toHoldingCall({ standard, token, tokenId, owner }: OwnerRow): RpcCall {
  const id = encodeWord(tokenId);
  const data: Hex =
    standard === 'ERC1155'
      ? `${BALANCE_OF}${encodeWord(owner)}${id}`
      : `${standard === 'ERC721' ? OWNER_OF : PUNK_INDEX_TO_ADDRESS}${id}`;
  return { method: 'eth_call', params: [{ to: token, data }, 'latest'] };
}

/** `null` when the owner holds nothing any more, as where the call reverts (burnt ids). */
function toCurrentRow(row: OwnerRow, response: RpcResponse | undefined): OwnerRow | null {
  const data = getReturnData(response);
  if (row.standard !== 'ERC1155') return decodeAddressAt(data, 0) === row.owner ? row : null;
  const amount = decodeUint256At(data, 0) ?? 0n;
  return amount === 0n ? null : { ...row, amount };
}
