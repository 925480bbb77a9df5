// The target that a cell links to: addresses, hashes, blocks and tokens have pages of their own, texts may have a line of a source.

import type { SourceLocation } from '../../../api/transactionStack.ts';
import type { InspectorTarget } from '../../../protocol/inspectorTarget.ts';
import type { TableCell, TableColumn, TableRow } from '../../../protocol/table.ts';

import { findAddressInWord } from './cellFormat.ts';

/** A page of the inspector, or a line of a source. */
export type CellTarget = InspectorTarget | { readonly kind: 'source'; readonly location: SourceLocation };

const ALL_ZEROS = /^0x0*$/;

function getText(columns: readonly TableColumn[], row: TableRow, key: string): string | null {
  const cell = row[columns.findIndex(column => column.key === key)];
  return typeof cell === 'string' ? cell : null;
}

/** The line that a row is about. */
function findLocation(columns: readonly TableColumn[], row: TableRow): SourceLocation | null {
  const index = columns.findIndex(({ locations }) => locations !== undefined);
  const { locations = {} } = columns[index] ?? {};
  const place = String(row[index]);
  return Object.hasOwn(locations, place) ? (locations[place] ?? null) : null;
}

/** `null` for a cell without a link. The contract of a token id is taken from `row`. */
export function getCellTarget(
  { kind }: TableColumn,
  cell: TableCell | undefined,
  chain: string,
  columns: readonly TableColumn[],
  row: TableRow,
): CellTarget | null {
  if (cell === null || cell === undefined || cell === '') return null;
  const text = String(cell);
  switch (kind) {
    case 'address':
      return ALL_ZEROS.test(text) ? null : { kind: 'address', chain, address: text };
    case 'transaction':
      return { kind: 'transaction', chain, hash: text };
    case 'block':
    case 'blockHash':
      return { kind: 'block', chain, block: text };
    case 'word': {
      const address = findAddressInWord(text);
      return address === null ? null : { kind: 'address', chain, address };
    }
    case 'tokenId': {
      const contract = getText(columns, row, 'tokenAddress');
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
    case 'text': {
      const location = findLocation(columns, row);
      return location === null ? null : { kind: 'source', location };
    }
    default:
      return null;
  }
}
