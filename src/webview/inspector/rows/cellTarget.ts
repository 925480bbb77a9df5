// Where a cell leads: every address, hash, block and token is a way to another page.

import type { InspectorTarget } from '../../../protocol/inspectorTarget.ts';
import type { TableCell, TableColumn, TableRow } from '../../../protocol/table.ts';

import { parseAddressWord } from './cellFormat.ts';

const ZERO = /^0x0*$/;

function cellOf(columns: readonly TableColumn[], row: TableRow, key: string): string | null {
  const at = columns.findIndex(column => column.key === key);
  const cell = row[at];
  return typeof cell === 'string' ? cell : null;
}

/** `null` where a cell leads nowhere. `row` gives the contract that a token id belongs to. */
export function getCellTarget(
  { kind }: TableColumn,
  cell: TableCell | undefined,
  chain: string,
  columns: readonly TableColumn[],
  row: TableRow,
): InspectorTarget | null {
  if (cell === null || cell === undefined || cell === '') return null;
  const text = String(cell);
  switch (kind) {
    case 'address':
      return ZERO.test(text) ? null : { kind: 'address', chain, address: text };
    case 'transaction':
      return { kind: 'transaction', chain, hash: text };
    case 'block':
    case 'blockHash':
      return { kind: 'block', chain, block: text };
    case 'word': {
      const address = parseAddressWord(text);
      return address === null ? null : { kind: 'address', chain, address };
    }
    case 'tokenId': {
      const contract = cellOf(columns, row, 'tokenAddress');
      if (contract === null) return null;
      return {
        kind: 'operation',
        operation: 'nftOwners',
        parameters: { address: contract, tokenId: text, chain, normalizeMetadata: 'true', mediaItems: 'true' },
      };
    }
    case 'aptos':
      return {
        kind: 'operation',
        operation: 'aptosWalletCoinTransfers',
        parameters: { ownerAddresses: [text], limit: '100' },
      };
    default:
      return null;
  }
}
