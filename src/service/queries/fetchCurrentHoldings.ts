// Whether an owner still holds what a history that is not complete says: its contracts are asked.
import { type Hex, isHex } from '../../base/hex.ts';
import { decodeAddressAt, decodeUint256At } from '../evm/abiWords.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import type { RpcCall, RpcResponse } from '../evm/rpcMessage.ts';
import type { OwnerRow } from '../store/rows.ts';

const OWNER_OF = '0x6352211e';
const PUNK_INDEX_TO_ADDRESS = '0x58178168';
const BALANCE_OF = '0x00fdd58e';

const word = (value: bigint | Hex) => BigInt(value).toString(16).padStart(64, '0');

function question({ standard, token, tokenId, owner }: OwnerRow): RpcCall {
  const id = word(tokenId);
  const data =
    standard === 'ERC1155'
      ? `${BALANCE_OF}${word(owner)}${id}`
      : `${standard === 'ERC721' ? OWNER_OF : PUNK_INDEX_TO_ADDRESS}${id}`;
  return { method: 'eth_call', params: [{ to: token, data }, 'latest'] };
}

/** The row as it is now; `null` when nothing is held any more. A contract that does not answer (burnt ids) holds nothing. */
function heldNow(row: OwnerRow, answer: RpcResponse | undefined): OwnerRow | null {
  const result = answer?.result;
  const data = isHex(result) ? result : '0x';
  if (row.standard !== 'ERC1155') return decodeAddressAt(data, 0) === row.owner ? row : null;
  const amount = decodeUint256At(data, 0) ?? 0n;
  return amount === 0n ? null : { ...row, amount };
}

/** Those of the rows that still hold, with the amounts of this moment. One call a row, in batches. */
export async function fetchCurrentHoldings(
  node: EvmNode,
  rows: readonly OwnerRow[],
  signal: AbortSignal | undefined,
): Promise<readonly OwnerRow[]> {
  const answers = await node.rpc.sendAll(rows.map(question), signal);
  return rows.map((row, index) => heldNow(row, answers[index])).filter(row => row !== null);
}
